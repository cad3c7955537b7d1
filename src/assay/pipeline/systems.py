"""The systems of a run: solvers built from the configuration, each asked the questions meant for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from assay.corpus import Corpus
from assay.errors import AssayError
from assay.pipeline.configuration import Configuration, SolverSettings
from assay.questions.model import Answer, Question, QuestionSet
from assay.questions.tags import without_tags
from assay.scoring.columns import places_of
from assay.solvers import registry
from assay.solvers.solver import Checking, Solver
from assay.solvers.tuples.settings import TUPLES
from assay.text.vectors import PACKAGED

PATH_SETTINGS = ("file", "vectors", "model", "evidence", "tables", "alignments")
"""Settings that name a file or folder, relative to benchmark.toml, unless it is a name of ours."""
NAME_OR_PATH = ("encoder", "stop_words", "parser", "tuples", "wordnet", "science_terms")
"""Settings that hold a name, unless there is such a file or folder relative to benchmark.toml."""
RUNS_ON = ("file", "model", "evidence", "tables")
"""Settings whose value says what a system drew on."""


@dataclass(frozen=True)
class System:
    """A configured solver and the questions it is asked.

    `ran_on` says in words what it drew on, `notes` what was noticed when it was built.
    """

    name: str
    kind: str
    solver: Solver
    questions: QuestionSet
    ran_on: str
    notes: tuple[str, ...] = ()


def matching(questions: Sequence[Question], only: Mapping[str, str], setting: str) -> list[Question]:
    """The questions that carry every value of `only`, a setting called `setting` (see `places_of`)."""
    try:
        return [questions[place] for place in places_of(questions, only.items())]
    except AssayError as error:
        raise AssayError(f"{setting}: {error.faults[0].what}", hint=error.hint) from None


def build_systems(
    configuration: Configuration,
    questions: QuestionSet,
    corpora: Mapping[str, Corpus],
    evidence: Mapping[str, Path] = MappingProxyType({}),
) -> dict[str, System]:
    """Every solver of the configuration, in its order. `evidence`: the files of [evidence], by name.

    Raises AssayError for one that can't be built.
    """
    return {
        name: build_system(name, settings, configuration, questions, corpora, evidence)
        for name, settings in configuration.solvers.items()
    }


def build_system(
    name: str,
    settings: SolverSettings,
    configuration: Configuration,
    questions: QuestionSet,
    corpora: Mapping[str, Corpus],
    evidence: Mapping[str, Path] = MappingProxyType({}),
) -> System:
    """One configured solver with its questions, less their tags, so that tags which are added or mended leave
    its answers as they are; `evidence` as for `build_systems`."""
    asked = without_tags(matching(questions, settings.only, f"solvers.{name}.only"))
    if not asked:
        wanted = ", ".join(f"{column} = {value!r}" for column, value in settings.only.items())
        raise AssayError(f"solvers.{name}.only: no question has {wanted}")
    kind = settings.kind
    if registry.is_plugin(kind):
        path, _, attribute = kind.rpartition(":")
        kind = f"{configuration.path(path)}:{attribute}"
    given = {
        key: str(configuration.path(value)) if _is_path(configuration, key, value) else value
        for key, value in settings.settings.items()
    }
    own = settings.settings.get("evidence")
    if isinstance(own, str) and own in evidence:
        given["evidence"] = str(evidence[own])
    elif _is_no_evidence(own, configuration):
        raise AssayError(
            f"solvers.{name}.evidence names {own!r}, which is neither a table of [evidence] nor a file",
            hint=f"tables: {', '.join(f'evidence.{table}' for table in configuration.evidence)}",
        )
    solver = registry.build(kind, name, given, corpora)
    said = solver.check(questions, asked) if isinstance(solver, Checking) else ()
    notes = tuple(f"{name}: {note}" for note in said)
    return System(name, settings.kind, solver, asked, _ran_on(settings, configuration), notes)


def _is_no_evidence(own: object, configuration: Configuration) -> bool:
    """Whether it is text that names neither a table of [evidence], where there are some, nor a file."""
    known = configuration.evidence
    return isinstance(own, str) and bool(known) and own not in known and not configuration.path(own).exists()


def _is_path(configuration: Configuration, setting: str, value: object) -> bool:
    if not isinstance(value, str):
        return False
    if setting == "tuples" and value in TUPLES:
        return False
    if setting in NAME_OR_PATH:
        return configuration.path(value).exists()
    return setting in PATH_SETTINGS and value not in PACKAGED


def over_corpus(settings: SolverSettings, corpus: str) -> SolverSettings:
    """The same solver over another corpus."""
    return replace(settings, settings={**settings.settings, "corpus": corpus})


def uses_corpus(settings: SolverSettings) -> str | None:
    """The corpus that a solver's settings name, or None."""
    name = settings.settings.get("corpus")
    return name if isinstance(name, str) else None


def contaminated(configuration: Configuration, name: str) -> str | None:
    """Why what a solver reads may hold the answers, None where nothing is known against it.

    Said of the solver itself, of the corpus that it names, or of the corpus that its evidence is from.
    """
    settings = configuration.solvers[name]
    if settings.contaminated:
        return settings.contaminated
    corpus = uses_corpus(settings)
    evidence = configuration.evidence.get(str(settings.settings.get("evidence")))
    if evidence is not None:
        corpus = evidence.corpus or next(iter(configuration.corpora))
    return configuration.corpora[corpus].contaminated if corpus is not None else None


def _ran_on(settings: SolverSettings, configuration: Configuration) -> str:
    parts = []
    if (corpus := uses_corpus(settings)) is not None:
        parts.append(f"corpus {corpus}")
    for name in RUNS_ON:
        value = settings.settings.get(name)
        if name == "evidence" and isinstance(value, str) and value in configuration.evidence:
            corpus = configuration.evidence[value].corpus or next(iter(configuration.corpora))
            parts.append(f"{value} of corpus {corpus}")
        elif isinstance(value, str):
            parts.append(value)
    parts += [f"{column} {value} only" for column, value in settings.only.items()]
    return ", ".join(parts)


def by_question(answers: Sequence[Answer]) -> dict[str, Answer]:
    """Question id to answer."""
    return {answer.question_id: answer for answer in answers}


def settings_record(system: System) -> dict[str, Any]:
    """What decides a system's answers, for the stored configuration."""
    return {"kind": system.kind, **dict(system.solver.settings)}
