"""A finished run: all that a report is made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.corpus import Corpus
from assay.experiments import Experiment
from assay.pipeline.configuration import Configuration
from assay.pipeline.partitioning import Partitioned
from assay.pipeline.results import Results
from assay.pipeline.systems import System, uses_corpus
from assay.questions.model import Answer, QuestionSet


@dataclass(frozen=True)
class Run:
    """All that a report is made from."""

    configuration: Configuration
    command: str
    configuration_text: str
    questions: QuestionSet
    corpora: Mapping[str, Corpus]
    systems: Mapping[str, System]
    answers: Mapping[str, Sequence[Answer]]
    partitioned: Partitioned | None
    results: Results
    notes: tuple[str, ...]
    experiments: tuple[Experiment, ...] = ()

    def contaminated(self, name: str) -> str | None:
        """Why what a system reads may hold the answers, None where nothing is known against it.

        Said of the solver itself, of the corpus that it names, or of the corpus that its evidence is from.
        """
        settings = self.configuration.solvers[name]
        if settings.contaminated:
            return settings.contaminated
        corpus = uses_corpus(settings)
        evidence = self.configuration.evidence.get(str(settings.settings.get("evidence")))
        if evidence is not None:
            corpus = evidence.corpus or next(iter(self.configuration.corpora))
        return self.configuration.corpora[corpus].contaminated if corpus is not None else None
