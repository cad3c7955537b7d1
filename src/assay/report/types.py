"""Types of questions on the page of `assay describe --html`: shares, examples, types together, agreement."""

from __future__ import annotations

from collections.abc import Sequence

from assay.questions.model import Question
from assay.report import numbers
from assay.report.charts.axis import Axis, percent_axis
from assay.report.charts.bars import colour
from assay.report.charts.shares import drawn
from assay.report.charts.tracks import share_track
from assay.report.download import csv_link
from assay.report.frame import Kind, Section, folded, lead, note, score_and_interval, table
from assay.report.markup import Child, Html, el, join
from assay.scoring.annotators import Annotation
from assay.scoring.export import Cell
from assay.scoring.types import Share, TypeRow, TypeTable


def type_sections(tables: Sequence[TypeTable], annotations: Sequence[Annotation]) -> list[Section]:
    """A section a taxonomy, and one a kind of tag that several people gave."""
    sections = [
        Section(f"types-{place}", f"Types: {one.taxonomy}", one.kind, _types(one))
        for place, one in enumerate(tables)
    ]
    return sections + [
        Section(f"agreement-{place}", f"Agreement on {one.kind}", "agreement", _agreement(one))
        for place, one in enumerate(annotations)
    ]


def _types(one: TypeTable) -> Html:
    counts = [
        f"{numbers.count(count)} of {number or 'no'} type{'s' if number > 1 else ''}"
        for number, count in one.by_labels.items()
    ]
    said = f"{numbers.count(one.labelled)} of {numbers.questions(one.questions)} labelled"
    how = lead(
        f"{said}{': ' if counts else ''}{', '.join(counts)}. A question counts in each of its types. "
        "Line: 95% interval (Wilson)."
    )
    examples = [row for row in one.rows if row.example is not None]
    several = any(number > 1 for number in one.by_labels)
    return join(
        how,
        _shares(one),
        folded("An example of each, from this set", _examples(one, examples), open_=True)
        if examples
        else None,
        folded("Types together", _together(one), open_=True) if several else None,
    )


def _shares(one: TypeTable) -> Html:
    groups = drawn(one.rows[0])
    classes = [colour(place, share.group) for place, share in enumerate(groups)]
    axis = percent_axis([0.0, *(100 * (share.high or 0.0) for row in one.rows for share in drawn(row))])
    columns: list[tuple[str, Kind]] = [("Type", "text"), ("", "track")]
    columns += [(_named(share), "number") for share in groups]
    columns += [("Questions", "number"), ("Alone", "number")]
    heads: list[Html | None] = [None, axis.labels()]
    heads += [
        join(el("span", class_=f"sign {kind}"), _named(share))
        for share, kind in zip(groups, classes, strict=True)
    ]
    rows: list[list[Child]] = [_row(row, axis, classes) for row in one.rows]
    cells: list[list[Cell]] = [
        [
            one.kind,
            row.name,
            row.definition,
            share.group,
            share.n,
            share.of,
            share.share,
            share.low,
            share.high,
        ]
        for row in one.rows
        for share in row.shares
    ]
    names = ["kind", "type", "definition", "group", "n", "of", "share", "low", "high"]
    caption = "Share of labelled questions, percent"
    return table(
        caption, columns, rows, heads=[*heads, None, None], class_="tracks shares",
        download=csv_link(f"types-{one.kind}", caption.lower(), names, cells),
    )  # fmt: skip


def _named(share: Share) -> str:
    return "Share" if share.group == "all" else share.group


def _row(row: TypeRow, axis: Axis, classes: Sequence[str]) -> list[Child]:
    shares = drawn(row)
    track = share_track(
        axis,
        [(_percent(share.share), _percent(share.low), _percent(share.high)) for share in shares],
        classes,
    )
    return [
        join(row.name, el("small", row.definition) if row.definition else None),
        track,
        *(
            score_and_interval(
                numbers.percent(_percent(share.share)),
                numbers.interval(_percent(share.low), _percent(share.high)),
            )
            for share in shares
        ),
        numbers.count(row.n),
        numbers.count(row.alone),
    ]


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share


def _examples(one: TypeTable, rows: Sequence[TypeRow]) -> Html:
    shown: list[list[Child]] = [
        [join(row.name, el("small", row.example.id)), _example(row.example)]
        for row in rows
        if row.example is not None
    ]
    caption = "The shortest of the questions with the fewest types; the key stands bold"
    return table(caption, [("Type", "text"), ("Question", "text")], shown, class_="prose")


def _example(question: Question) -> Html:
    choices = []
    for choice in question.choices:
        said = f"({choice.label}) {choice.text}"
        choices.append(join(" ", el("b", f"{said} ✓") if choice.label == question.answer else said))
    return join(question.stem, el("br"), *choices)


def _together(one: TypeTable) -> Html:
    columns: list[tuple[str, Kind]] = [("Type", "text")]
    columns += [(str(place), "number") for place in range(1, len(one.rows) + 1)]
    heads = [
        None,
        *(
            el("abbr", str(place), title=row.name, aria_label=row.name)
            for place, row in enumerate(one.rows, 1)
        ),
    ]
    rows: list[list[Child]] = []
    for place, row in enumerate(one.rows):
        head = join(el("span", f"{place + 1}", class_="soft number"), " ", row.name)
        rows.append(
            [
                head,
                *(_count(count, row.n, other == place) for other, count in enumerate(row.together)),
            ]
        )
    caption = (
        "Questions of the type on the left that are of the other one too; the stronger the colour, the more"
    )
    return table(caption, columns, rows, heads=heads, class_="heat")


def _count(count: int, of: int, same: bool) -> Html:
    if same:
        return el("span", numbers.count(count), class_="same")
    return el("span", numbers.count(count), class_=f"h{min(9, 10 * count // of) if of else 0}")


def _agreement(one: Annotation) -> Html:
    columns: list[tuple[str, Kind]] = [("Type", "text"), ("Questions", "number")]
    columns += [(f"Given by {name}", "number") for name in one.annotators]
    columns += [("Same", "number"), ("Alpha", "number"), ("Kappa", "number")]
    rows: list[list[Child]] = [
        [
            row.name,
            numbers.count(row.n),
            *(
                numbers.NONE if count is None else numbers.count(count)
                for count in row.given or [None] * len(one.annotators)
            ),
            numbers.percent(_percent(row.same)),
            score_and_interval(
                numbers.decimals(row.alpha),
                ""
                if row.low is None or row.high is None
                else f"[{numbers.decimals(row.low)}, {numbers.decimals(row.high)}]",
            ),
            numbers.decimals(row.kappa),
        ]
        for row in one.types
    ]
    how = note(
        "Same: pairs of people who say the same of a question, percent. Alpha: Krippendorff's, with its 95% "
        "interval by bootstrap over questions. Kappa: Cohen's, where two people looked. 0: as chance; 1: all "
        "agree. A rare type can have much of the same and little alpha: nearly all say that it isn't there."
    )
    caption = f"{numbers.questions(one.n)} that two or more people looked at"
    return join(table(caption, columns, rows), how)
