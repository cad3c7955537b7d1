"""A finished run: all that a report is made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.corpus import Corpus
from assay.experiments import Experiment
from assay.pipeline.configuration import Configuration
from assay.pipeline.partitioning import Partitioned
from assay.pipeline.results import Results
from assay.pipeline.systems import System, contaminated
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
        """Why what a system reads may hold the answers, None where nothing is known against it."""
        return contaminated(self.configuration, name)
