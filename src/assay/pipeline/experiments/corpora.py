"""What experiments on corpora share: which corpus, how it is called, the questions by set."""

from __future__ import annotations

from collections.abc import Sequence

from assay.corpus import Corpus
from assay.errors import AssayError
from assay.experiments.grouped import Grouped
from assay.pipeline.experiments.context import Context
from assay.questions.model import Question


def corpus_named(context: Context, name: str | None, setting: str = "corpus") -> Corpus:
    """The corpus called `name`, or the only one; AssayError names the experiment's `setting`."""
    if name is None and len(context.corpora) == 1:
        return next(iter(context.corpora.values()))
    if name is None or name not in context.corpora:
        raise AssayError(
            f"{context.where}.{setting} must name one of the corpora",
            hint=f"there are: {', '.join(context.corpora) or 'none'}",
        )
    return context.corpora[name]


def label(context: Context, name: str) -> str:
    """The corpus's name, with a word where it may hold the answers."""
    return f"{name} (contaminated)" if context.configuration.corpora[name].contaminated else name


def contamination(context: Context, name: str) -> tuple[str, ...]:
    """What is to be said of a corpus that may hold the answers."""
    why = context.configuration.corpora[name].contaminated
    return (f"{name} is contaminated: {why}. Nothing made with it is a result.",) if why else ()


def grouped(context: Context, questions: Sequence[Question]) -> Grouped:
    """The questions by published set, clustered as the scores are."""
    groups = {group.name: group.questions for group in context.groups(questions)}
    return Grouped.of(questions, groups, context.cluster)
