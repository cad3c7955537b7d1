"""Systems under several conditions: a table of scores with paired tests, and a plot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from assay.experiments import Figure, Line, Measure, Panel, Plot, Row, Table
from assay.experiments.scored import against_guessing, chance, difference, point, said, said_p, score
from assay.pipeline.experiments.context import Context, Group
from assay.questions.model import Answer, Question
from assay.scoring.comparison import holm_where_tested

ByCondition = Mapping[str, Mapping[str, Answer]]
"""One system's answers by condition, then by question id."""
Asked = Mapping[str, ByCondition]
"""The same by system. Conditions stand in the order they are shown in."""
Reference = Callable[[Sequence[str]], Sequence[str | None]]
"""For each of a system's conditions the one that it is tested against; None: it is tested against none."""


def the_one_before(conditions: Sequence[str]) -> list[str | None]:
    """Each condition is tested against the one before it."""
    return [None, *conditions[:-1]]


def always(chosen: str | None = None) -> Reference:
    """Each condition is tested against `chosen`, the first one unless it is set."""

    def reference(conditions: Sequence[str]) -> list[str | None]:
        against = conditions[0] if chosen is None else chosen
        return [None if condition == against else against for condition in conditions]

    return reference


def of(answers: Mapping[str, Answer], questions: Sequence[Question]) -> list[Answer]:
    """The answers to these questions, in order."""
    return [answers[question.id] for question in questions]


def scores(context: Context, group: Group, by: ByCondition) -> dict[str, Figure]:
    """Scores of one system by condition."""
    return {
        condition: score(group.questions, of(answers, group.questions), context.cluster)
        for condition, answers in by.items()
    }


def compared(
    context: Context,
    groups: Sequence[Group],
    asked: Asked,
    *,
    head: str,
    above: str,
    reference: Reference,
    of_what: str = "",
    guessing: bool = False,
) -> tuple[Table, ...]:
    """A table a group, a row a system and condition: its score, and its distance from its reference, paired.

    `head` says what conditions are, `above` what the difference is called, `of_what` what the caption adds.
    Holm over all of a table's tests; with `guessing` each score is tested against guessing too, with a Holm
    of its own.
    """
    return tuple(
        _compared(context, group, asked, f"{group.name}, {len(group.questions):,} questions{of_what}",
                  head, above, reference, guessing)
        for group in groups
    )  # fmt: skip


def _compared(
    context: Context, group: Group, asked: Asked, caption: str, head: str, above: str, reference: Reference,
    guessing: bool,
) -> Table:  # fmt: skip
    measures = (
        Measure(
            "score", "percent", drawn=True, test="of scores by t against guessing, Holm" if guessing else ""
        ),
        Measure(above, "difference", test="sign flips, Holm"),
    )
    places = [(name, condition) for name, by in asked.items() for condition in by]
    found = [score for by in asked.values() for score in scores(context, group, by).values()]
    if guessing:
        tests = [
            against_guessing(group.questions, of(asked[name][condition], group.questions), context.cluster)
            for name, condition in places
        ]
        found = [replace(one, p=p) for one, p in zip(found, holm_where_tested(tests), strict=True)]
    rises = [_rise(context, group, by, *pair) for by in asked.values() for pair in _pairs(by, reference)]
    known = [rise for rise in rises if rise is not None]
    ps = iter(holm_where_tested([rise.p for rise in known]))
    rows = [
        Row(place, (one, None if rise is None else replace(rise, p=next(ps))))
        for place, one, rise in zip(places, found, rises, strict=True)
    ]
    return Table(caption, ("system", head), measures, tuple(rows))


def beside(context: Context, group: Group, asked: Asked, baseline: str, *, caption: str, head: str) -> Table:
    """How far each system is above the `baseline`, a system of `asked`, under the same condition, paired.

    A row a system and condition that the baseline was asked under too; Holm over all of them.
    """
    measures = (Measure(f"above {baseline}", "difference", drawn=True, test="sign flips, Holm"),)
    questions, low = group.questions, asked[baseline]
    places = [
        (name, condition)
        for name, by in asked.items()
        for condition in by
        if name != baseline and condition in low
    ]
    found = [
        difference(
            questions, of(asked[name][condition], questions), of(low[condition], questions),
            context.cluster, seed=context.seed,
        )
        for name, condition in places
    ]  # fmt: skip
    ps = holm_where_tested([one.p for one in found])
    rows = [Row(place, (replace(one, p=p),)) for place, one, p in zip(places, found, ps, strict=True)]
    return Table(caption, ("system", head), measures, tuple(rows))


def _pairs(by: ByCondition, reference: Reference) -> list[tuple[str, str | None]]:
    conditions = list(by)
    return list(zip(conditions, reference(conditions), strict=True))


def _rise(
    context: Context, group: Group, by: ByCondition, condition: str, against: str | None
) -> Figure | None:
    if against is None:
        return None
    questions = group.questions
    return difference(
        questions,
        of(by[condition], questions),
        of(by[against], questions),
        context.cluster,
        seed=context.seed,
    )


def drawn(
    context: Context,
    groups: Sequence[Group],
    asked: Asked,
    *,
    title: str,
    across: str,
    conditions: Mapping[str, int],
    named: bool,
) -> Plot:
    """A panel a group, a line a system. `conditions`: where each stands; `named`: by its name below."""
    panels = []
    for group in groups:
        lines = []
        for name, by in asked.items():
            found = scores(context, group, by)
            points = (point(x, found[condition]) for condition, x in conditions.items() if condition in found)
            lines.append(Line(name, tuple(one for one in points if one is not None)))
        heading = f"{group.name} ({len(group.questions):,}), score in percent"
        panels.append(Panel(heading, tuple(lines), chance(group.questions)))
    return Plot(title, across, tuple(panels), tuple(conditions) if named else ())


def told(table: Table, words: Mapping[str, str]) -> tuple[str, ...]:
    """A sentence a system: its score under each condition, `words` saying which, with the test's p."""
    parts: dict[str, list[str]] = {}
    for row in table.rows:
        name, condition = row.names
        found, rise = row.figures
        part = f"{said(found or Figure(None))} {words[condition]}"
        parts.setdefault(name, []).append(part if rise is None else f"{part} ({said_p(rise.p)})")
    return tuple(f"{name} scores {', '.join(own)}." for name, own in parts.items())
