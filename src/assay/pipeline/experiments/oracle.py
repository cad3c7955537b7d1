"""Oracle evidence: what readers do with nothing, with what was retrieved, and with gold facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from assay.evidence.gold import gold_evidence
from assay.experiments import Experiment, Figure, Line, Measure, Panel, Plot, Row, Table
from assay.experiments.scored import chance, difference, point, said, said_p, score
from assay.pipeline.experiments.context import Context, Group
from assay.pipeline.experiments.facts import Gold, read_gold
from assay.questions.model import Answer, Question
from assay.scoring.comparison import holm
from assay.settings import setting

NONE, RETRIEVED, SINGLE, JOINED = "none", "retrieved", "gold, one by one", "gold, joined"
CONDITIONS = (NONE, RETRIEVED, SINGLE, JOINED)
WITH = {
    NONE: "no evidence",
    RETRIEVED: "what was retrieved",
    SINGLE: "gold facts one by one",
    JOINED: "gold facts joined",
}
STORED = {NONE: "none", SINGLE: "gold", JOINED: "gold-joined"}
MEASURES = (
    Measure("score", "percent", drawn=True),
    Measure("above the row before", "difference", test="sign flips, Holm"),
)
READS = "a reader of an evidence file"


@dataclass(frozen=True)
class OracleSettings:
    """Whose facts, and which readers."""

    facts: tuple[str, ...] = setting(
        (), "explanations of WorldTree or EntailmentBank; none: the facts that the questions carry"
    )
    sentences: str | None = setting(None, "EntailmentBank's sentences by id, where the files need them")
    roles: tuple[str, ...] = setting((), "only facts of these roles (CENTRAL; fact1)")
    solvers: tuple[str, ...] | None = setting(None, "which solvers; those that read evidence, unless set")


Asked = Mapping[str, Mapping[str, Mapping[str, Answer]]]
"""Answers by system, condition, question id."""


class Oracle:
    """Each reader four times over the questions that have gold facts (ARC, section 5.2's open question)."""

    name = "oracle"
    about = "readers with no evidence, with what was retrieved, with gold facts one by one and joined"
    declared: type[Any] = OracleSettings
    paths: tuple[str, ...] = ("facts", "sentences")

    def make(self, context: Context, settings: OracleSettings) -> Experiment:
        """Scores by condition, each tested against the one before it (Holm over all of a set's tests)."""
        gold = read_gold(context.questions, settings.facts, settings.sentences, settings.roles)
        names = context.chosen(settings.solvers, "evidence", READS)
        files = _evidence(context, gold)
        asked = {name: _conditions(context, name, gold, files) for name in names}
        groups = context.groups(tuple(gold.questions))
        tables = tuple(_table(context, group, asked) for group in groups)
        return Experiment(
            context.name,
            self.name,
            "Oracle evidence: is it the retrieval or the reader?",
            _says(tables[-1], len(gold.questions)),
            tables,
            (_plot(context, groups, asked),),
            (*gold.notes, *context.left_out(settings.solvers, names, "evidence")),
        )


def _evidence(context: Context, gold: Gold) -> dict[str, Path]:
    """The files that readers are given, by condition."""
    facts = dict(gold.facts)
    made = {
        NONE: gold_evidence(gold.questions, {}),
        SINGLE: gold_evidence(gold.questions, facts),
        JOINED: gold_evidence(gold.questions, facts, joined=True),
    }
    return {
        condition: context.evidence_file(STORED[condition], gold.questions, evidence)
        for condition, evidence in made.items()
    }


def _conditions(
    context: Context, name: str, gold: Gold, files: Mapping[str, Path]
) -> dict[str, dict[str, Answer]]:
    asked = {RETRIEVED: context.own(name, gold.questions)}
    for condition, file in files.items():
        asked[condition] = context.again(
            name, STORED[condition], gold.questions, changed={"evidence": str(file)}, without=("corpus",)
        )
    return {
        condition: {answer.question_id: answer for answer in asked[condition]} for condition in CONDITIONS
    }


def _of(answers: Mapping[str, Answer], questions: Sequence[Question]) -> list[Answer]:
    return [answers[question.id] for question in questions]


def _scores(context: Context, group: Group, by: Mapping[str, Mapping[str, Answer]]) -> dict[str, Figure]:
    return {
        condition: score(group.questions, _of(answers, group.questions), context.cluster)
        for condition, answers in by.items()
    }


def _table(context: Context, group: Group, asked: Asked) -> Table:
    rises = {
        name: [
            difference(
                group.questions,
                _of(by[after], group.questions),
                _of(by[before], group.questions),
                context.cluster,
                seed=context.seed,
            )
            for before, after in pairwise(CONDITIONS)
        ]
        for name, by in asked.items()
    }
    adjusted = iter(holm([1.0 if rise.p is None else rise.p for own in rises.values() for rise in own]))
    rows = []
    for name, by in asked.items():
        above = [None, *(replace(rise, p=next(adjusted)) for rise in rises[name])]
        scores = _scores(context, group, by)
        rows += [
            Row((name, condition), (scores[condition], rise))
            for condition, rise in zip(CONDITIONS, above, strict=True)
        ]
    caption = f"{group.name}, {len(group.questions):,} questions with gold facts: score by evidence"
    return Table(caption, ("system", "evidence"), MEASURES, tuple(rows))


def _plot(context: Context, groups: Sequence[Group], asked: Asked) -> Plot:
    panels = []
    for group in groups:
        lines = []
        for name, by in asked.items():
            scores = _scores(context, group, by)
            points = (point(x, scores[condition]) for x, condition in enumerate(CONDITIONS))
            lines.append(Line(name, tuple(one for one in points if one is not None)))
        title = f"{group.name} ({len(group.questions):,}), score in percent"
        panels.append(Panel(title, tuple(lines), chance(group.questions)))
    return Plot("Score by evidence", "evidence", tuple(panels), CONDITIONS)


def _says(table: Table, n: int) -> tuple[str, ...]:
    """A sentence a reader, on all questions."""
    says = [f"{n:,} questions have gold facts."]
    for start in range(0, len(table.rows), len(CONDITIONS)):
        own = table.rows[start : start + len(CONDITIONS)]
        parts = [
            f"{said(score or Figure(None))} with {WITH[row.names[1]]}"
            + ("" if rise is None else f" ({said_p(rise.p)})")
            for row in own
            for score, rise in (row.figures,)
        ]
        says.append(f"{own[0].names[0]} scores {', '.join(parts)}.")
    return tuple(says)
