"""recipe.toml: a training in stages, and a sweep over its settings."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import AssayError
from assay.pipeline.training import Plan
from assay.pipeline.training_data import Data
from assay.text_files import read_toml

TOP = ("seed", "limit", "allow_missing", "from", "reader", "training", "dev", "no_dev", "stages", "sweep")
LONGEST_NAME = 200
"""Bytes of a stage's name: it becomes part of a folder's."""
STAGE = ("name", "train", "dev", "no_dev", "reader", "training", "limit")


@dataclass(frozen=True, slots=True)
class Stage:
    """A training of the recipe. It starts from the stage before, the first from `plan.start`."""

    name: str
    plan: Plan


@dataclass(frozen=True, slots=True)
class Trial:
    """The stages with one combination of the sweep's values; without a sweep there is one, of no values."""

    values: Mapping[str, Any]
    stages: tuple[Stage, ...]


def read_recipe(path: str | Path) -> tuple[Trial, ...]:
    """Every trial of a recipe file, in the order of its lists. Paths in it are relative to it.

    [reader] holds `kind` and the reader's settings, [training] those of the training, `dev` (or `no_dev`) the
    questions to choose by, each [[stages]] a `name`, its `train` sets and whatever it sets otherwise; [sweep]
    maps a setting (training.learning_rate, stages.NAME.reader.sentences, seed) to a list of values.
    Raises AssayError for a file that can't be read, or a key that is unknown, missing or of the wrong kind.
    """
    path = Path(path)
    data = read_toml(path)
    try:
        _only(data, TOP, "the recipe")
        sweep = dict(_flat(_table(data.pop("sweep", {}), "[sweep]")))
        return tuple(
            Trial(values, tuple(_stages(changed, path.parent))) for values, changed in _trials(data, sweep)
        )
    except AssayError as error:
        raise AssayError(error.faults[0].what, file=path, hint=error.hint) from None


def _trials(
    data: Mapping[str, Any], sweep: Mapping[str, Any]
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for name, values in sweep.items():
        if not isinstance(values, list) or not values:
            raise AssayError(f"[sweep] {name!r} must be a list of values")
    for combination in itertools.product(*sweep.values()):
        values = dict(zip(sweep, combination, strict=True))
        changed = copy.deepcopy(dict(data))
        for name, value in values.items():
            _set(changed, name, value)
        yield values, changed


def _flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Settings by their dotted names: TOML makes tables of names that aren't quoted."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield above + name, value


def _set(data: dict[str, Any], name: str, value: Any) -> None:
    """Set the setting that a sweep names."""
    place, _, setting = name.rpartition(".")
    table: Any
    match place.split("."):
        case [""] if setting == "seed":
            table = data
        case ["reader" | "training" as part]:
            table = data.setdefault(part, {})
        case ["stages", stage, "reader" | "training" as part]:
            listed = data.get("stages")
            known = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
            found = [one for one in known if one.get("name") == stage]
            if not found:
                raise AssayError(f"[sweep] {name!r}: there is no stage {stage!r}")
            table = found[0].setdefault(part, {})
        case _:
            raise AssayError(
                f"[sweep] can't vary {name!r}",
                hint='seed, "reader.SETTING", "training.SETTING", or these under "stages.NAME."',
            )
    _table(table, place)[setting] = value


def _stages(data: Mapping[str, Any], base: Path) -> Iterator[Stage]:
    listed = data.get("stages")
    if not isinstance(listed, list) or not listed:
        raise AssayError("no [[stages]]: at least one is due, with the questions to train on")
    names: list[str] = []
    for number, table in enumerate(listed, 1):
        name = table.get("name", f"stage-{number}") if isinstance(table, dict) else None
        if not isinstance(name, str) or name in names or not _names_a_folder(name):
            raise AssayError(
                f"stage {number}: 'name' must be a text of its own, without dots or slashes, of at most "
                f"{LONGEST_NAME} bytes"
            )
        names.append(name)
        _only(table, STAGE, f"stage {name!r}")
        yield Stage(name, _plan(data, table, f"stage {name!r}", base, first=number == 1))


def _names_a_folder(name: str) -> bool:
    return 0 < len(name.encode()) <= LONGEST_NAME and name.isprintable() and not {"/", "."} & set(name)


def _plan(data: Mapping[str, Any], stage: Mapping[str, Any], where: str, base: Path, *, first: bool) -> Plan:
    reader = {**_table(data.get("reader", {}), "[reader]"), **_table(stage.get("reader", {}), where)}
    kind = reader.pop("kind", None)
    if not isinstance(kind, str):
        raise AssayError("[reader] needs 'kind', the kind of reader")
    start = _typed(data.get("from"), str, "'from'")
    return Plan(
        kind=kind,
        train=_sets(stage.get("train"), f"{where}: 'train'", base),
        dev=_dev(data, stage, where, base),
        reader=reader,
        training={
            **_table(data.get("training", {}), "[training]"),
            **_table(stage.get("training", {}), where),
        },
        start=base / start if first and start is not None else None,
        seed=_typed(data.get("seed"), int, "'seed'") or 0,
        limit=_typed(stage.get("limit", data.get("limit")), int, "'limit'"),
        allow_missing=_typed(data.get("allow_missing"), bool, "'allow_missing'") or False,
    )


def _dev(data: Mapping[str, Any], stage: Mapping[str, Any], where: str, base: Path) -> Data | None:
    own = stage if "dev" in stage or "no_dev" in stage else data
    without = _typed(own.get("no_dev"), bool, "'no_dev'") or False
    if without == ("dev" in own):
        raise AssayError(
            f"{where}: 'dev' and 'no_dev' exclude each other"
            if without
            else f"{where} has no 'dev' questions",
            hint=None if without else "no_dev = true trains without, and keeps the last weights",
        )
    if without:
        return None
    sets = _sets(own["dev"], "'dev'", base)
    if len(sets) != 1:
        raise AssayError("'dev' must be one table: its questions may be several files")
    return sets[0]


def _sets(value: Any, where: str, base: Path) -> tuple[Data, ...]:
    tables = value if isinstance(value, list) else [value]
    if not tables or not all(isinstance(table, dict) for table in tables):
        raise AssayError(
            f'{where} must be a table {{questions = "FILE", evidence = "FILE"}}, or a list of them'
        )
    found = []
    for table in tables:
        _only(table, ("questions", "evidence"), where)
        questions = table.get("questions")
        files = [questions] if isinstance(questions, str) else questions
        if not isinstance(files, list) or not files or not all(isinstance(file, str) for file in files):
            raise AssayError(f"{where}: 'questions' must be a path or a list of paths")
        evidence = _typed(table.get("evidence"), str, f"{where}: 'evidence'")
        found.append(
            Data(tuple(str(base / file) for file in files), None if evidence is None else base / evidence)
        )
    return tuple(found)


def _typed(value: Any, kind: type[Any], where: str) -> Any:
    if value is not None and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        words = {str: "text", int: "a whole number", bool: "true or false"}
        raise AssayError(f"{where} must be {words[kind]}. Got {value!r}.")
    return value


def _table(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise AssayError(f"{where} must be a table. Got {value!r}.")
    return value


def _only(table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for name in table:
        if name not in known:
            raise AssayError(f"{where} has no {name!r}", hint=f"known: {', '.join(known)}")
