"""The scores: the forest plot that is a table, and every number behind it."""

from __future__ import annotations

from collections.abc import Sequence

from assay.questions.model import STATUSES
from assay.report import numbers
from assay.report.abstentions import abstained
from assay.report.charts.axis import Axis, percent_axis
from assay.report.charts.tracks import score_track
from assay.report.data import Column, ReportData, Score, SystemUsed
from assay.report.download import csv_link
from assay.report.frame import Kind, Section, captioned, folded, lead, note, score_and_interval, table
from assay.report.markup import Html, el, join

BASIS = {"published": "published sets", "made": "sets made here", "all": "all questions"}
STATUS_WORDS = {"unanswered": "no answer", "empty": "empty", "unparsed": "unparsed", "refused": "refused"}


def sections(data: ReportData) -> list[Section]:
    """The scores, if there are any."""
    return [Section("scores", "Scores", "Scores", _scores(data))] if data.scores else []


def sign(column: Column) -> str:
    """Which sign stands for a column: its own for each set, so that colour is never the only one."""
    name = column.name.casefold()
    return "easy" if name.startswith("easy") else "challenge" if name.startswith("challenge") else "plain"


def system_head(system: SystemUsed) -> Html:
    """A system's name, and under it what it is."""
    about = " · ".join(
        part for part in ("filter" if system.filter else "", system.kind, system.ran_on) if part
    )
    warned = el("small", "contaminated", class_="warn") if system.contaminated else None
    return join(el("b", system.name), el("small", about) if about and about != system.name else None, warned)


def by_score(data: ReportData, column: Column) -> list[SystemUsed]:
    """Systems, best on the column first, those without a score last; equal ones in their own order."""
    score = {s.system: s.score for s in data.scores if s.column == column.name}
    return sorted(data.systems, key=lambda system: -(score.get(system.name) or -1.0))


def pictured(data: ReportData) -> list[Column]:
    """The columns of the picture: the sets of the partition, or all questions where there is none."""
    headline = [column for column in data.columns if column.headline]
    return [column for column in headline if column.basis != "all"] or headline


def _scores(data: ReportData) -> Html:
    columns = pictured(data)
    at = {(score.system, score.column): score for score in data.scores}
    shown = [at[s.name, c.name] for s in data.systems for c in columns if (s.name, c.name) in at]
    axis = percent_axis(
        x for s in shown for x in (s.low, s.high, s.score, s.chance_low, s.chance_high, s.reported)
    )
    rows = [_forest_row(system, columns, at, axis) for system in by_score(data, columns[-1])]
    heads = [_forest_head(column, axis) for column in columns]
    caption = "Score in percent with its 95% interval, by system"
    every = _every_number(data, [c for c in data.columns if c.headline], at)
    forest = el(
        "table",
        el("caption", captioned(caption, _download(data))),
        el(
            "thead",
            el("tr", el("th", "System", scope="col", role="columnheader"), *heads, role="row"),
            role="rowgroup",
        ),
        el("tbody", *rows, role="rowgroup"),
        class_="forest",
        role="table",
    )
    how = lead(
        "The line is the 95% interval. The grey band is where 95% of guessers of one choice a question fall; "
        "the dashed line is chance on these very questions.",
        _about_reported(data),
    )
    return join(how, forest, _statuses_note(data), *_contaminated(data), every, abstained(data))


def _forest_head(column: Column, axis: Axis) -> Html:
    about = f"{numbers.questions(column.n)} · {BASIS[column.basis]}"
    return el(
        "th", el("span", column.name, class_=f"set {sign(column)}"), el("small", about), axis.labels(),
        scope="col", role="columnheader",
    )  # fmt: skip


def _forest_row(
    system: SystemUsed, columns: Sequence[Column], at: dict[tuple[str, str], Score], axis: Axis
) -> Html:
    cells = []
    for column in columns:
        score = at.get((system.name, column.name))
        if score is None or not score.n:
            cells.append(el("td", el("span", "not asked", class_="none"), role="cell"))
            continue
        track = score_track(
            axis,
            score.score,
            (score.low, score.high),
            sign(column),
            (score.chance_low, score.chance_high, score.chance),
            score.reported,
        )
        said = score_and_interval(numbers.percent(score.score), numbers.interval(score.low, score.high))
        cell = el(
            "div",
            el("span", column.name, class_=f"phone set {sign(column)}"),
            el("div", track, class_="place"),
            el("span", said, _reported(score), _at_chance(score), class_="value"),
            class_="cell",
        )
        cells.append(el("td", cell, role="cell"))
    return el("tr", el("th", system_head(system), scope="row", role="rowheader"), *cells, role="row")


def _about_reported(data: ReportData) -> str | None:
    if not any(score.reported is not None for score in data.scores):
        return None
    where = f" in {data.reported_in}" if data.reported_in else " elsewhere"
    return f" A hollow diamond is the score that a system of this name is reported to have{where}."


def _reported(score: Score) -> Html | None:
    return None if score.reported is None else el("small", f"reported {numbers.percent(score.reported)}")


def _at_chance(score: Score) -> Html | None:
    """A word where the test against chance finds no difference."""
    if score.p_chance is None or score.p_chance < 0.05:
        return None
    return el("small", f"as chance, p {numbers.probability(score.p_chance)}")


def _download(data: ReportData) -> Html:
    heading = [
        "system", "column", "sets", "n", "score", "low", "high", "chance", "chance_low", "chance_high",
        "p_against_chance", "right", "tied", "wrong", *STATUS_WORDS, "reported",
    ]  # fmt: skip
    basis = {column.name: column.basis for column in data.columns}
    rows = [
        [
            s.system, s.column, basis.get(s.column, ""), s.n, s.score, s.low, s.high, s.chance, s.chance_low,
            s.chance_high, s.p_chance, s.right, s.tied, s.wrong,
            *(s.statuses.get(status, 0) for status in STATUSES if status in STATUS_WORDS), s.reported,
        ]
        for s in data.scores
    ]  # fmt: skip
    return csv_link("scores", "scores", heading, rows)


def _every_number(data: ReportData, columns: Sequence[Column], at: dict[tuple[str, str], Score]) -> Html:
    used = [
        status
        for status in STATUSES
        if status in STATUS_WORDS and any(score.statuses.get(status) for score in data.scores)
    ]
    heading: list[tuple[str, Kind]] = [
        ("System", "text"), ("Set", "text"), ("n", "number"), ("Score", "number"), ("95% interval", "number"),
        ("Chance", "number"), ("Its band", "number"), ("p against chance", "number"), ("Right", "number"),
        ("Tied", "number"), ("Wrong", "number"),
    ]  # fmt: skip
    heading += [(STATUS_WORDS[status].capitalize(), "number") for status in used]
    reported = any(score.reported is not None for score in data.scores)
    heading += [("Reported", "number")] if reported else []
    rows = [
        [
            system.name, column.name, numbers.count(s.n), numbers.percent(s.score),
            numbers.interval(s.low, s.high), numbers.percent(s.chance),
            numbers.interval(s.chance_low, s.chance_high), numbers.probability(s.p_chance),
            numbers.count(s.right), numbers.count(s.tied), numbers.count(s.wrong),
            *(numbers.count(s.statuses.get(status, 0)) for status in used),
            *((numbers.percent(s.reported),) if reported else ()),
        ]
        for system in data.systems
        for column in columns
        if (s := at.get((system.name, column.name))) is not None
    ]  # fmt: skip
    counted = note(
        "Right: exactly the key. Tied: the key among k choices, 1/k points. No answer, empty, unparsed and "
        "refused earn 0 points and stay in n."
    )
    return folded(
        "Every number", table("All scores and what became of each question", heading, rows), counted
    )


def _statuses_note(data: ReportData) -> Html | None:
    wanting = {
        system.name: sum(
            count
            for score in data.scores
            if score.system == system.name and score.column == _widest(data)
            for status, count in score.statuses.items()
            if status != "answered"
        )
        for system in data.systems
    }
    said = [f"{name} {count:,}" for name, count in wanting.items() if count]
    if not said:
        return None
    return note(
        "Questions without a usable answer, which earn 0 points (column ",
        _widest(data),
        "): ",
        ", ".join(said),
        ".",
    )


def _contaminated(data: ReportData) -> list[Html]:
    reasons = dict.fromkeys(system.contaminated for system in data.systems if system.contaminated)
    return [
        note(
            ", ".join(system.name for system in data.systems if system.contaminated == why),
            f": contaminated, {why}.",
        )
        for why in reasons
    ]


def _widest(data: ReportData) -> str:
    return max(data.columns, key=lambda column: column.n).name
