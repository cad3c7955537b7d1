"""The evidence step: what [evidence] asks for is retrieved once, and kept for every solver that reads it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from assay.corpus import Corpus
from assay.errors import AssayError
from assay.evidence.methods import open_retriever, retrieval_settings
from assay.evidence.retriever import NEED_VECTORS
from assay.pipeline.answering import Answered, answer_all
from assay.pipeline.configuration import EvidenceSettings
from assay.progress import SILENT, Progress
from assay.questions.model import QuestionSet
from assay.questions.tags import without_tags


def make_evidence(
    name: str,
    settings: EvidenceSettings,
    questions: QuestionSet,
    corpora: Mapping[str, Corpus],
    path: Path,
    *,
    progress: Progress = SILENT,
) -> Answered:
    """Retrieve for all questions into `path`, going on where an earlier run stood. Their tags decide nothing.

    Raises AssayError, naming the setting, for a method, preset or constant that can't be.
    """
    where = f"evidence.{name}"
    corpus = corpora.get(settings.corpus) if settings.corpus is not None else None
    if corpus is None:
        if settings.corpus is not None or len(corpora) != 1:
            raise AssayError(f"{where}: corpus must name one of the corpora: {', '.join(corpora) or 'none'}")
        (corpus,) = corpora.values()
    if settings.method in NEED_VECTORS or "rerank" in settings.settings:
        raise AssayError(
            f"{where}: this method looks at vectors, which a run doesn't make",
            hint="assay corpus encode and assay retrieve make it; solvers then name the file",
        )
    try:
        wanted = retrieval_settings(settings.method, settings.settings, preset=settings.preset)
        retriever = open_retriever(settings.method, corpus, wanted)
    except AssayError as error:
        raise AssayError(f"{where}: {error.faults[0].what}", hint=error.hint) from None
    return answer_all(retriever, without_tags(questions), path, progress=progress, what=f"evidence {name} by")
