"""What an experiment names: questions, solvers, corpora, files. Checked before anybody is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from assay.errors import AssayError
from assay.pipeline.configuration import Configuration
from assay.pipeline.experiments.context import Kind
from assay.pipeline.systems import matching
from assay.questions.model import QuestionSet

SOLVERS, CORPORA = ("solvers", "beside", "baseline"), ("corpora", "corpus")
"""Settings of experiments that hold names of these, whatever the kind."""
NOBODY = ("beside",)
"""Lists of names that may be empty."""


def listed(value: Any) -> tuple[Any, ...]:
    """What a setting holds: nothing, one text, or several values."""
    return () if value is None else (value,) if isinstance(value, str) else tuple(value)


def keyed(configuration: Configuration, name: str, questions: QuestionSet) -> QuestionSet:
    """The questions of an experiment: those its `only` names that have a key.

    Raises AssayError where none is left.
    """
    chosen = matching(questions, configuration.experiments[name].only, f"experiments.{name}.only")
    found = QuestionSet(question for question in chosen if question.answer is not None)
    if not len(found):
        raise AssayError(f"experiments.{name}: no question with a key is left to ask")
    return found


def check_named(configuration: Configuration, name: str, kind: Kind, settings: Any) -> None:
    """Raises AssayError for a solver, corpus or file of `settings` that isn't there or is named twice, for
    an empty list of solvers, and for sentences that no file of facts could need."""
    for setting in SOLVERS:
        _check_names(f"experiments.{name}.{setting}", settings, configuration.solvers, "solver")
    for setting in CORPORA:
        _check_names(f"experiments.{name}.{setting}", settings, configuration.corpora, "corpus")
    if "evidence" not in kind.paths:
        _check_names(f"experiments.{name}.evidence", settings, configuration.evidence, "table of [evidence]")
    for setting in kind.paths:
        for file in listed(getattr(settings, setting)):
            if file not in configuration.evidence and not Path(file).exists():
                raise AssayError(_missing(configuration, f"experiments.{name}.{setting}", setting), file=file)
    if getattr(settings, "sentences", None) is not None and not settings.facts:
        raise AssayError(
            f"experiments.{name}.sentences is given, and no facts that need it",
            hint="facts = [FILE] names them; without any, the facts that the questions carry are read",
        )


def _check_names(where: str, settings: Any, known: Collection[str], what: str) -> None:
    setting = where.rpartition(".")[2]
    given = getattr(settings, setting, None)
    names: Sequence[str] = listed(given)
    for name in names:
        if name not in known:
            hint = f"there are: {', '.join(known) or 'none'}"
            raise AssayError(f"{where} names {name!r}, which is no {what}", hint=hint)
    repeated = [name for name, times in Counter(names).items() if times > 1]
    if repeated:
        raise AssayError(f"{where} names {repeated[0]!r} twice")
    if setting == "solvers" and given == ():
        raise AssayError(f"{where} names nobody", hint="leave it away to ask all that can be asked")


def _missing(configuration: Configuration, where: str, setting: str) -> str:
    if setting != "evidence":
        return f"{where} names a file that isn't there"
    return (
        f"{where} names neither one of [evidence] ({', '.join(configuration.evidence) or 'none'}) nor a file"
    )
