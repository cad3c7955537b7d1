"""Whether the parts of a report fit each other: known systems and columns, rows of the right length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.report.data import ReportData


def misfits(data: ReportData) -> Iterator[str]:
    """What doesn't fit, in words; nothing when all is well."""
    systems = [system.name for system in data.systems]
    columns = [column.name for column in data.columns]
    if len(set(systems)) != len(systems) or len(set(columns)) != len(columns):
        yield "two systems or two columns have one name"
    for what, name in _named_systems(data):
        if name not in systems:
            yield f"{what} names a system {name!r} that isn't in the report"
    for what, name in _named_columns(data):
        if name not in columns:
            yield f"{what} names a column {name!r} that isn't in the report"
    if data.columns and not any(column.headline for column in data.columns):
        yield "no column is a headline column"
    if (data.gaps or data.breakdowns or data.agreement or data.scores) and not data.columns:
        yield "there are scores but no columns"
    yield from _misaligned(data)


def _named_systems(data: ReportData) -> Iterator[tuple[str, str]]:
    for what, rows in (
        ("a score", data.scores),
        ("an abstention", data.abstentions),
        ("a gap", data.gaps),
        ("a rank", data.ranks),
        ("a calibration", data.calibration),
    ):
        for row in rows:
            yield what, row.system
    for pair in data.comparisons:
        yield "a comparison", pair.a
        yield "a comparison", pair.b
    tables = [one.systems for one in data.agreement] + [one.systems for one in data.breakdowns]
    tables += [data.matrix.systems] if data.matrix else []
    for names in tables:
        for name in names:
            yield "a table", name


def _named_columns(data: ReportData) -> Iterator[tuple[str, str]]:
    for what, rows in (
        ("a score", data.scores),
        ("an abstention", data.abstentions),
        ("a rank", data.ranks),
        ("a comparison", data.comparisons),
        ("an agreement", data.agreement),
        ("a breakdown", data.breakdowns),
        ("a calibration", data.calibration),
    ):
        for row in rows:
            yield what, row.column


def _misaligned(data: ReportData) -> Iterator[str]:
    for agreement in data.agreement:
        size = len(agreement.systems)
        for matrix in (agreement.share, agreement.kappa):
            if [len(row) for row in matrix] != [size] * size:
                yield f"the agreement on {agreement.column} isn't {size} by {size}"
    for breakdown in data.breakdowns:
        if any(len(group.scores) != len(breakdown.systems) for group in breakdown.groups):
            yield f"the breakdown by {breakdown.by} hasn't a score a system in every group"
    if data.matrix is not None:
        for profile in data.matrix.profiles:
            if len(profile.answered) != len(data.matrix.corpora) or len(profile.scores) != len(
                data.matrix.systems
            ):
                yield "a profile of the corpus matrix isn't as long as its corpora and systems"
    for one in data.questions:
        if not len(one.answers) == len(one.points) == len(data.systems):
            yield f"question {one.question.id} hasn't an answer and points (or null) for every system"
        labels = set(one.question.labels)
        for answer in one.answers:
            if answer is None:
                continue
            if not labels.issuperset(answer.chosen):
                yield f"question {one.question.id}: an answer chooses a label that isn't the question's"
            rows = (answer.scores, answer.evidence, answer.probabilities)
            if any(row is not None and len(row) != len(one.question.choices) for row in rows):
                yield f"question {one.question.id}: scores or evidence don't align with its choices"
    agreement_made = data.partition.agreement if data.partition else None
    if agreement_made is not None:
        sets = {"Easy", "Challenge"}
        table = agreement_made.table
        if set(table) != sets or any(set(row) != sets for row in table.values()):
            yield "the partition's agreement isn't a table of Easy and Challenge by Easy and Challenge"
