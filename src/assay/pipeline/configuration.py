"""benchmark.toml: what a run is made of. Every setting, its default and its check, in one place."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from assay.errors import AssayError
from assay.pipeline.file_names import check_file_names
from assay.pipeline.toml_values import (
    columns,
    finite,
    number,
    only_known,
    optional,
    percents,
    said,
    strings,
    table,
    typed,
)
from assay.questions.formats.format import ANSWER_READINGS, AnswerReading
from assay.text_files import read_toml

_VARIABLE = re.compile(r"\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?")


@dataclass(frozen=True)
class QuestionsSettings:
    """[questions]

    `files`: paths, or tables with a `path` and metadata for every question of that file
    (`{path = "b.jsonl", set = "Easy", split = "test"}`). `format`: forced instead of recognised.
    `columns`: column map of a plain table. `answers`: how a table's answers are written.
    `tags`: files of tags by question id. `taxonomy`: what the tags are of, by kind ("": the only kind there
    is): a built-in taxonomy's name or a file. `type_labels`: files that say what labels stand for in it.
    `published`: metadata column that holds a published partition.
    """

    files: tuple[Mapping[str, Any], ...]
    format: str | None = None
    columns: Mapping[str, Any] = field(default_factory=dict)
    answers: AnswerReading | None = None
    tags: tuple[str, ...] = ()
    taxonomy: Mapping[str, str] = field(default_factory=dict)
    type_labels: tuple[str, ...] = ()
    published: str = "set"


@dataclass(frozen=True)
class CorpusSettings:
    """[corpora.NAME]

    `files`: paths, folders or globs, or `folder`: a corpus that was imported before. `contaminated`: why this
    corpus may hold the answers, printed beside whatever is made with it. Any other key is a
    setting of the import.
    """

    files: tuple[str, ...] = ()
    folder: str | None = None
    contaminated: str | None = None
    language: str = "english"
    stop_words: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class EvidenceSettings:
    """[evidence.NAME]

    Evidence that is retrieved once for all questions and that any solver reads by `evidence = "NAME"`.
    `method`: single, two-step or premises. `corpus`: whose sentences; the only one, unless set. `preset`:
    where the settings start from. Any other key is a setting of the method, as of `assay retrieve --set`.
    """

    method: str = "two-step"
    corpus: str | None = None
    preset: str = "paper"
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SolverSettings:
    """[solvers.NAME]

    `kind`: a registered solver, or "file.py:Class". `only`: what a question must carry to be asked, by column
    (`only = {set = "Challenge", split = "test"}`), for stored predictions that cover a part. `reported`: its
    scores elsewhere by column, in percent, to be shown beside ours (`reported = {Challenge = 26.41}`).
    `minutes`: so long it may answer in one run; what isn't finished is left out of the results, and goes on
    in the next. `contaminated`: why what it reads or was trained on may hold the answers, printed beside it.
    Any other key is a setting of the kind.
    """

    kind: str
    only: Mapping[str, str] = field(default_factory=dict)
    reported: Mapping[str, float] = field(default_factory=dict)
    minutes: float | None = None
    contaminated: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PartitionSettings:
    """[partition]

    `filters`: names of solvers. `rule`: "any", "all" or how many must answer. `credit`: "exact" (chooses
    exactly the key) or "any" (the key is among the chosen). `corpora`: names of corpora for the multi-corpus
    matrix. `without_answer_sentences`: also ask the filters over their corpora less the sentences that state
    an answer (those with all content stems of a key and at least this share of the stem's), 0 for not.
    """

    filters: tuple[str, ...] = ()
    rule: str | int = "any"
    credit: str = "exact"
    corpora: tuple[str, ...] = ()
    without_answer_sentences: float = 0.0


@dataclass(frozen=True)
class ScoresSettings:
    """[scores]

    `only`: what a question must carry to be scored (`only = {split = "test"}`). `by`: columns or tag
    kinds to break scores down by. `cluster`: column whose equal values make a cluster. `draws`: bootstrap and
    permutation draws. `reported_in`: where the solvers' `reported` scores stand.
    """

    only: Mapping[str, str] = field(default_factory=dict)
    by: tuple[str, ...] = ()
    cluster: str | None = None
    draws: int = 10_000
    reported_in: str = ""


@dataclass(frozen=True)
class ExperimentSettings:
    """[experiments.NAME]

    `kind`: a kind of experiment. `only`: what a question must carry to be in it, as for solvers. Any other
    key is a setting of the kind.
    """

    kind: str
    only: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Configuration:
    """A whole run. `base` is the folder that relative paths are relative to: that of benchmark.toml."""

    name: str
    base: Path
    questions: QuestionsSettings
    corpora: Mapping[str, CorpusSettings] = field(default_factory=dict)
    evidence: Mapping[str, EvidenceSettings] = field(default_factory=dict)
    solvers: Mapping[str, SolverSettings] = field(default_factory=dict)
    partition: PartitionSettings = field(default_factory=PartitionSettings)
    scores: ScoresSettings = field(default_factory=ScoresSettings)
    experiments: Mapping[str, ExperimentSettings] = field(default_factory=dict)
    seed: int = 0

    def path(self, name: str) -> Path:
        """The file or folder that a setting names; it may hold $VARIABLES of the environment.

        Raises AssayError for one that isn't set.
        """
        path = os.path.expandvars(name)
        if (unknown := _VARIABLE.search(path)) and not (self.base / path).exists():
            raise AssayError(
                f"{name!r} names a variable that the environment hasn't: {unknown.group()}",
                hint=f"export {unknown.group(1)}=FOLDER",
            )
        return self.base / path


def read_configuration(path: str | Path) -> Configuration:
    """Read benchmark.toml.

    Raises AssayError for a file that can't be read, isn't TOML (with its line), or holds a setting that is
    unknown, missing or of the wrong type (with its name and the known ones).
    """
    path = Path(path)
    data = read_toml(path)
    try:
        return configuration(data, path.parent, default_name=path.parent.resolve().name or "benchmark")
    except AssayError as error:
        raise AssayError(error.faults[0].what, file=path, hint=error.hint) from None


def configuration(data: Mapping[str, Any], base: Path, *, default_name: str = "benchmark") -> Configuration:
    """The configuration of a mapping shaped like benchmark.toml; raises as `read_configuration`."""
    rooms = ("questions", "corpora", "evidence", "solvers", "partition", "scores", "experiments")
    only_known("", data, ("name", "seed", *rooms))
    finite("", data)
    if "questions" not in data:
        raise AssayError("no [questions]", hint='[questions] needs files = ["questions.jsonl"]')
    made = Configuration(
        name=typed("name", data.get("name", default_name), str),
        base=base,
        questions=_questions(table("questions", data["questions"])),
        corpora={
            name: _corpus(name, table(f"corpora.{name}", value))
            for name, value in table("corpora", data.get("corpora", {})).items()
        },
        evidence={
            name: _evidence(name, table(f"evidence.{name}", value))
            for name, value in table("evidence", data.get("evidence", {})).items()
        },
        solvers={
            name: _solver(name, table(f"solvers.{name}", value))
            for name, value in table("solvers", data.get("solvers", {})).items()
        },
        partition=_partition(table("partition", data.get("partition", {}))),
        scores=_scores(table("scores", data.get("scores", {}))),
        experiments={
            name: _experiment(name, table(f"experiments.{name}", value))
            for name, value in table("experiments", data.get("experiments", {})).items()
        },
        seed=_seed(data.get("seed", 0)),
    )
    _check_names(made)
    return made


def _check_names(made: Configuration) -> None:
    check_file_names(made.solvers, made.evidence, made.experiments)
    for name, evidence in made.evidence.items():
        if evidence.corpus is not None and evidence.corpus not in made.corpora:
            raise AssayError(
                f"evidence.{name}.corpus names {evidence.corpus!r}, which is no corpus",
                hint=f"corpora: {_names(made.corpora)}",
            )
    for filter_name in made.partition.filters:
        if filter_name not in made.solvers:
            raise AssayError(
                f"partition.filters names {filter_name!r}, which is no solver",
                hint=f"solvers: {_names(made.solvers)}",
            )
    for corpus_name in made.partition.corpora:
        if corpus_name not in made.corpora:
            raise AssayError(
                f"partition.corpora names {corpus_name!r}, which is no corpus",
                hint=f"corpora: {_names(made.corpora)}",
            )
    for name, solver in made.solvers.items():
        corpus = optional(f"solvers.{name}.corpus", solver.settings.get("corpus"), str)
        if corpus is not None and corpus not in made.corpora:
            raise AssayError(
                f"solvers.{name}.corpus names {corpus!r}, which is no corpus",
                hint=f"corpora: {_names(made.corpora)}",
            )


def _questions(data: Mapping[str, Any]) -> QuestionsSettings:
    only_known("questions", data, _field_names(QuestionsSettings))
    files, given = data.get("files"), data.get("taxonomy", {})
    if not isinstance(files, list) or not files:
        raise AssayError('questions.files must be a list of files, as ["questions.jsonl"]')
    tables = []
    for entry in files:
        named = {"path": entry} if isinstance(entry, str) else entry
        if not isinstance(named, dict) or not isinstance(named.get("path"), str):
            raise AssayError(
                f"questions.files: an entry must be a path or a table with a path, got {entry!r}"
            )
        tables.append(named)
    return QuestionsSettings(
        files=tuple(tables),
        format=optional("questions.format", data.get("format"), str),
        columns=table("questions.columns", data.get("columns", {})),
        answers=_answers(data.get("answers")),
        tags=strings("questions.tags", data.get("tags", [])),
        taxonomy={"": given} if isinstance(given, str) else columns("questions.taxonomy", given),
        type_labels=strings("questions.type_labels", data.get("type_labels", [])),
        published=typed("questions.published", data.get("published", "set"), str),
    )


def _answers(value: Any) -> AnswerReading | None:
    if value is None:
        return None
    for reading in ANSWER_READINGS:
        if value == reading:
            return reading
    raise AssayError(f"questions.answers must be one of {', '.join(ANSWER_READINGS)}, got {value!r}")


def _corpus(name: str, data: Mapping[str, Any]) -> CorpusSettings:
    where = f"corpora.{name}"
    own = set(_field_names(CorpusSettings)) - {"settings"}
    made = CorpusSettings(
        files=strings(f"{where}.files", data.get("files", [])),
        folder=optional(f"{where}.folder", data.get("folder"), str),
        contaminated=said(f"{where}.contaminated", data.get("contaminated")),
        language=typed(f"{where}.language", data.get("language", "english"), str),
        stop_words=optional(f"{where}.stop_words", data.get("stop_words"), str),
        settings={key: value for key, value in data.items() if key not in own},
    )
    if bool(made.files) == bool(made.folder):
        raise AssayError(f"{where} needs either files or folder")
    return made


def _evidence(name: str, data: Mapping[str, Any]) -> EvidenceSettings:
    where = f"evidence.{name}"
    own = ("method", "corpus", "preset")
    return EvidenceSettings(
        method=typed(f"{where}.method", data.get("method", "two-step"), str),
        corpus=optional(f"{where}.corpus", data.get("corpus"), str),
        preset=typed(f"{where}.preset", data.get("preset", "paper"), str),
        settings={key: value for key, value in data.items() if key not in own},
    )


def _solver(name: str, data: Mapping[str, Any]) -> SolverSettings:
    where = f"solvers.{name}"
    own = {*_field_names(SolverSettings)} - {"settings"}
    return SolverSettings(
        kind=typed(f"{where}.kind", data.get("kind", name), str),
        only=columns(f"{where}.only", data.get("only", {})),
        reported=percents(f"{where}.reported", data.get("reported", {})),
        minutes=None if data.get("minutes") is None else number(f"{where}.minutes", data["minutes"]),
        contaminated=said(f"{where}.contaminated", data.get("contaminated")),
        settings={key: value for key, value in data.items() if key not in own},
    )


def _experiment(name: str, data: Mapping[str, Any]) -> ExperimentSettings:
    where = f"experiments.{name}"
    return ExperimentSettings(
        kind=typed(f"{where}.kind", data.get("kind", name), str),
        only=columns(f"{where}.only", data.get("only", {})),
        settings={key: value for key, value in data.items() if key not in ("kind", "only")},
    )


def _partition(data: Mapping[str, Any]) -> PartitionSettings:
    only_known("partition", data, _field_names(PartitionSettings))
    rule = data.get("rule", "any")
    if isinstance(rule, bool) or not isinstance(rule, str | int):
        raise AssayError(f"partition.rule must be 'any', 'all' or a number, got {rule!r}")
    share = data.get("without_answer_sentences", 0.0)
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise AssayError(f"partition.without_answer_sentences must be within 0 and 1, got {share!r}")
    return PartitionSettings(
        filters=strings("partition.filters", data.get("filters", [])),
        rule=rule,
        credit=typed("partition.credit", data.get("credit", "exact"), str),
        corpora=strings("partition.corpora", data.get("corpora", [])),
        without_answer_sentences=float(share),
    )


def _scores(data: Mapping[str, Any]) -> ScoresSettings:
    only_known("scores", data, _field_names(ScoresSettings))
    draws = typed("scores.draws", data.get("draws", 10_000), int)
    if not 100 <= draws <= 10_000_000:
        raise AssayError(f"scores.draws must be within 100 and 10,000,000, got {draws}")
    return ScoresSettings(
        only=columns("scores.only", data.get("only", {})),
        by=strings("scores.by", data.get("by", [])),
        cluster=optional("scores.cluster", data.get("cluster"), str),
        draws=draws,
        reported_in=typed("scores.reported_in", data.get("reported_in", ""), str),
    )


def _seed(value: Any) -> int:
    seed = typed("seed", value, int)
    if seed < 0:
        raise AssayError(f"seed must be 0 or more, got {seed}")
    return seed


def _field_names(kind: type) -> tuple[str, ...]:
    return tuple(entry.name for entry in fields(kind))


def _names(names: Mapping[str, Any]) -> str:
    return ", ".join(names) or "none"
