"""Variants: systems asked again with one setting changed, of the solver itself or of its evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from assay.errors import AssayError
from assay.experiments import Experiment
from assay.pipeline.configuration import EvidenceSettings, SolverSettings
from assay.pipeline.evidence import make_evidence
from assay.pipeline.experiments.conditions import ByCondition, always, compared, drawn, told
from assay.pipeline.experiments.context import Context
from assay.pipeline.systems import by_question
from assay.settings import REQUIRED, shown
from assay.settings import setting as declare
from assay.solvers.registry import is_plugin, solver_class

OF_EVIDENCE = "evidence."
"""What the name of a setting begins with that is one of [evidence.NAME]."""
Value = bool | int | float | str
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,40}")


@dataclass(frozen=True)
class VariantsSettings:
    """What is changed, for whom."""

    setting: str = declare(
        REQUIRED, "setting of the solvers (statements), or of the evidence that they read (evidence.negation)"
    )
    values: tuple[Value, ...] = declare(
        REQUIRED, "its values, two or more; the others are tested against the first"
    )
    solvers: tuple[str, ...] | None = declare(
        None, "which solvers; those that have the setting, or read evidence of [evidence], unless set"
    )

    def __post_init__(self) -> None:
        """Raises AssayError for fewer than two values, or one twice."""
        repeated = [text for text, times in Counter(map(said_value, self.values)).items() if times > 1]
        if len(self.values) < 2 or repeated:
            twice = f"; {repeated[0]} stands there twice" if repeated else ""
            raise AssayError(f"setting 'values' must be two or more{twice}")


class Variants:
    """The same systems under each value of one setting, in pairs."""

    name = "variants"
    about = "systems asked again with one setting changed"
    declared: type[Any] = VariantsSettings
    paths: tuple[str, ...] = ()
    needs_facts: bool = False

    def make(self, context: Context, settings: VariantsSettings) -> Experiment:
        """Scores by value, each tested against the first (Holm over all of a set's tests)."""
        able, what, hint = _able(context, settings.setting)
        names = context.chosen_of(settings.solvers, able, what, hint)
        files = _retrieved(context, settings, names)
        asked = {name: _under(context, name, settings, files) for name in names}
        groups = context.groups(tuple(context.questions))
        conditions = [said_value(value) for value in settings.values]
        tables = compared(
            context,
            groups,
            asked,
            head=settings.setting,
            above=f"above {conditions[0]}",
            reference=always(),
        )
        plot = drawn(
            context,
            groups,
            asked,
            title=f"Score by {settings.setting}",
            across=settings.setting,
            conditions={condition: x for x, condition in enumerate(conditions)},
            named=True,
        )
        return Experiment(
            context.name,
            self.name,
            f"One setting changed: {settings.setting}",
            told(tables[-1], {condition: f"with {condition}" for condition in conditions}),
            tables,
            (plot,),
            context.not_whole(settings.solvers or able, names),
        )


def said_value(value: Value) -> str:
    """A value as benchmark.toml has it, a text without its quotes."""
    return value if isinstance(value, str) else shown(value)


def _able(context: Context, changed: str) -> tuple[list[str], str, str]:
    """Which solvers the setting can be changed of; what such solvers are, and what would make one."""
    solvers, evidence = context.configuration.solvers, context.configuration.evidence
    if changed.startswith(OF_EVIDENCE):
        able = [name for name, one in solvers.items() if one.settings.get("evidence") in evidence]
        return able, "a reader of evidence that this run retrieves", "give one the setting evidence = NAME"
    able = [name for name, one in solvers.items() if changed in _settings_of(one)]
    return able, f"a solver with the setting {changed}", "is it called so in docs/solvers.md?"


def _settings_of(solver: SolverSettings) -> set[str]:
    """The settings a solver can be given: those it declares, or, of a user's own, those it has."""
    declared = () if is_plugin(solver.kind) else fields(solver_class(solver.kind).declared)
    return {*(field.name for field in declared), *solver.settings}


def _retrieved(
    context: Context, settings: VariantsSettings, names: tuple[str, ...]
) -> Mapping[tuple[str, int], Path]:
    """Where a setting of evidence is changed: the files by name of [evidence] and place of the value."""
    if not settings.setting.startswith(OF_EVIDENCE):
        return {}
    changed = settings.setting.removeprefix(OF_EVIDENCE)
    solvers = context.configuration.solvers
    used = dict.fromkeys(str(solvers[name].settings["evidence"]) for name in names)
    found = {}
    for evidence in used:
        for place, value in enumerate(settings.values):
            path = context.folder.resolve() / f"{evidence}-{stored_name(value, place)}.jsonl"
            varied = _varied(context.configuration.evidence[evidence], changed, value)
            make_evidence(
                evidence, varied, context.questions, context.corpora, path, progress=context.progress
            )
            found[evidence, place] = path
    return found


def _varied(evidence: EvidenceSettings, changed: str, value: Value) -> EvidenceSettings:
    if changed in ("method", "corpus", "preset"):
        if not isinstance(value, str):
            raise AssayError(f"evidence.{changed} must be a text. Got {shown(value)}.")
        own: dict[str, Any] = {changed: value}
        return replace(evidence, **own)
    return replace(evidence, settings={**evidence.settings, changed: value})


def _under(
    context: Context, name: str, settings: VariantsSettings, files: Mapping[tuple[str, int], Path]
) -> ByCondition:
    found = {}
    for place, value in enumerate(settings.values):
        changed: dict[str, Any] = {settings.setting: value}
        if files:
            read = str(context.configuration.solvers[name].settings["evidence"])
            changed = {"evidence": str(files[read, place])}
        answers = context.again(name, stored_name(value, place), context.questions, changed=changed)
        found[said_value(value)] = by_question(answers)
    return found


def stored_name(value: Value, place: int) -> str:
    """What files under a value are called: by the value where it can be a file's name, else by its place.

    No value that can be a file's name holds an underscore, so that no two are called the same.
    """
    text = said_value(value)
    return text if _PLAIN.fullmatch(text) else f"value_{place + 1}"
