"""Assay: build multiple-choice benchmarks that simple methods can't pass, and measure systems on them.

What is named here is the whole public face; everything is imported when it is first used, so that
`import assay` and `assay --help` stay quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.construction.partition import Rule as Rule
    from assay.construction.partition import partition as partition
    from assay.corpus import corpus_in_memory as corpus_in_memory
    from assay.corpus import import_corpus as import_corpus
    from assay.corpus import open_corpus as open_corpus
    from assay.errors import AssayError as AssayError
    from assay.pipeline.configuration import configuration as configuration
    from assay.pipeline.configuration import read_configuration as read_configuration
    from assay.pipeline.run import run as run
    from assay.questions import read_questions as read_questions
    from assay.questions.model import Answer as Answer
    from assay.questions.model import Choice as Choice
    from assay.questions.model import Question as Question
    from assay.questions.model import QuestionSet as QuestionSet
    from assay.questions.predictions import read_predictions as read_predictions
    from assay.scoring.points import points as points
    from assay.scoring.summary import score_systems as score_systems
    from assay.solvers.registry import build as build_solver  # noqa: F401

__version__ = "0.1.0"

_HOMES = {
    "Answer": "assay.questions.model",
    "AssayError": "assay.errors",
    "Choice": "assay.questions.model",
    "Question": "assay.questions.model",
    "QuestionSet": "assay.questions.model",
    "Rule": "assay.construction.partition",
    "build_solver": "assay.solvers.registry:build",
    "configuration": "assay.pipeline.configuration:configuration",
    "corpus_in_memory": "assay.corpus",
    "import_corpus": "assay.corpus",
    "open_corpus": "assay.corpus",
    "partition": "assay.construction.partition",
    "points": "assay.scoring.points",
    "read_configuration": "assay.pipeline.configuration",
    "read_predictions": "assay.questions.predictions",
    "read_questions": "assay.questions",
    "run": "assay.pipeline.run",
    "score_systems": "assay.scoring.summary",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    module, _, attribute = home.partition(":")
    return getattr(import_module(module), attribute or name)


def __dir__() -> list[str]:
    return sorted(__all__)
