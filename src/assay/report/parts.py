"""The partition: what the filters did, how it agrees, what would move, and what other corpora answer."""

from __future__ import annotations

from assay.construction.partition import SETS, PartitionAgreement
from assay.report import numbers
from assay.report.charts.axis import difference_axis
from assay.report.charts.tracks import moved_track
from assay.report.data import CorpusMatrixShown, PartitionMade, ReportData
from assay.report.download import csv_link
from assay.report.frame import Kind, Section, lead, note, score_and_interval, table
from assay.report.markup import Child, Html, el, join
from assay.scoring.export import Cell


def sections(data: ReportData) -> list[Section]:
    """Partition, sensitivity and corpus matrix, as far as there are any."""
    found = []
    if data.partition is not None:
        body = join(_partition(data.partition), _made_scores(data))
        found.append(Section("partition", "The partition", "Partition", body))
    if data.sensitivity:
        found.append(Section("sensitivity", "What would move", "Sensitivity", _sensitivity(data)))
    if data.matrix is not None:
        body = _matrix(data.matrix, data)
        found.append(Section("corpora", "Which corpora answer what", "Corpora", body))
    return found


def _partition(made: PartitionMade) -> Html:
    total = made.easy + made.challenge
    columns: list[tuple[str, Kind]] = [
        ("Filter", "text"), ("Answers", "number"), ("Share of questions", "number"),
        ("Only this one", "number"),
    ]  # fmt: skip
    rows: list[list[Child]] = [
        [
            one.filter,
            numbers.count(one.answered),
            numbers.percent(100 * one.answered / total if total else None) + "%",
            numbers.count(one.only_this),
        ]
        for one in made.filters
    ]
    cells: list[list[Cell]] = [[one.filter, one.answered, one.only_this, total] for one in made.filters]
    download = csv_link("filters", "filters", ["filter", "answered", "only_this", "n"], cells)
    unplaced = (
        note(f"{numbers.questions(made.unplaced)} without a key could not be placed.")
        if made.unplaced
        else None
    )
    return join(
        lead(made.rule.rstrip("."), "."),
        _bar(made),
        table("What each filter answers", columns, rows, download=download),
        None if made.agreement is None else _agreement(made.agreement),
        unplaced,
    )


def _bar(made: PartitionMade) -> Html:
    total = made.easy + made.challenge
    share = 100 * made.easy / total if total else 0.0
    parts = el(
        "svg",
        el("rect", x=0, y=0, width=f"{share:.2f}%", height=14, class_="bar easy"),
        el("rect", x=f"{share:.2f}%", y=0, width=f"{100 - share:.2f}%", height=14, class_="bar challenge"),
        class_="whole", height=14, aria_hidden="true",
    )  # fmt: skip
    words = [
        el(
            "span",
            el("b", numbers.count(count)),
            f" {name} ",
            el("small", f"{part:.1f}%"),
            class_=f"set {kind}",
        )
        for name, kind, count, part in (
            ("Easy", "easy", made.easy, share),
            ("Challenge", "challenge", made.challenge, 100 - share if total else 0.0),
        )
    ]
    return el("div", el("div", *words, class_="ends"), parts, class_="split")


def _agreement(agreement: PartitionAgreement) -> Html:
    columns: list[tuple[str, Kind]] = [("", "text"), *((f"Published {name}", "number") for name in SETS)]
    rows: list[list[Child]] = [
        [f"{made} here", *(numbers.count(agreement.table[made][published]) for published in SETS)]
        for made in SETS
    ]
    share = None if agreement.share is None else 100 * agreement.share
    said = (
        f"The two place {numbers.percent(share)}% of the questions alike; "
        f"Cohen's kappa is {numbers.decimals(agreement.kappa)}."
    )
    if agreement.unpublished:
        said += f" {numbers.questions(agreement.unpublished)} carry no published set."
    cells: list[list[Cell]] = [
        [made, published, agreement.table[made][published]] for made in SETS for published in SETS
    ]
    download = csv_link("partition-agreement", "agreement", ["made", "published", "n"], cells)
    return join(
        table("This partition against the published one", columns, rows, download=download, class_="small"),
        note(said),
    )


def _made_scores(data: ReportData) -> Html | None:
    """Scores on the sets made here, where the headline columns are the published ones."""
    columns = [column for column in data.columns if not column.headline]
    at = {(score.system, score.column): score for score in data.scores}
    if not columns:
        return None
    heads: list[tuple[str, Kind]] = [("System", "text")]
    heads += [(f"{column.name} (n {column.n:,})", "number") for column in columns]
    rows: list[list[Child]] = []
    for system in data.systems:
        row: list[Child] = [system.name]
        for column in columns:
            score = at.get((system.name, column.name))
            row.append(
                numbers.NONE
                if score is None
                else score_and_interval(numbers.percent(score.score), numbers.interval(score.low, score.high))
            )
        rows.append(row)
    return join(
        table("Scores on the sets made here", heads, rows),
        note("Filters score by construction on the sets they made: read theirs on the published sets."),
    )


def _sensitivity(data: ReportData) -> Html:
    rows = data.sensitivity
    axis = difference_axis(float(x) for row in rows for x in (row.to_easy, row.to_challenge))
    columns: list[tuple[str, Kind]] = [
        ("Change", "text"), ("Moved", "track"), ("To Challenge", "number"), ("To Easy", "number"),
        ("Easy", "number"), ("Challenge", "number"),
    ]  # fmt: skip
    shown: list[list[Child]] = [
        [
            row.change,
            moved_track(axis, row.to_easy, row.to_challenge),
            numbers.count(row.to_challenge),
            numbers.count(row.to_easy),
            numbers.count(row.easy),
            numbers.count(row.challenge),
        ]
        for row in rows
    ]
    cells: list[list[Cell]] = [
        [row.change, row.to_challenge, row.to_easy, row.easy, row.challenge] for row in rows
    ]
    heading = ["change", "to_challenge", "to_easy", "easy", "challenge"]
    return join(
        lead(
            "Questions that would change sets if one thing were otherwise: left to Challenge, right to Easy."
        ),
        table(
            "Questions moved by each change",
            columns,
            shown,
            heads=[None, axis.labels("sizes"), None, None, None, None],
            class_="tracks",
            stacked=True,
            download=csv_link("sensitivity", "sensitivity", heading, cells),
        ),
    )


def _matrix(matrix: CorpusMatrixShown, data: ReportData) -> Html:
    contaminated = {corpus.name: corpus.contaminated for corpus in data.corpora if corpus.contaminated}
    columns: list[tuple[str, Kind]] = [
        *((f"{name} (contaminated)" if name in contaminated else name, "text") for name in matrix.corpora),
        ("Questions", "number"),
        *((name, "number") for name in matrix.systems),
    ]
    rows: list[list[Child]] = []
    cells: list[list[Cell]] = []
    for profile in matrix.profiles:
        scores = [
            numbers.NONE
            if score is None
            else score_and_interval(numbers.percent(score.score), numbers.interval(score.low, score.high))
            for score in profile.scores
        ]
        answered = [el("span", "● answers" if yes else "○ fails") for yes in profile.answered]
        rows.append([*answered, numbers.count(profile.n), *scores])
        flat = [x for s in profile.scores for x in ((s.score, s.low, s.high) if s else (None, None, None))]
        cells.append([*profile.answered, profile.n, *flat])
    heading = [*matrix.corpora, "n"]
    heading += [f"{name} {part}" for name in matrix.systems for part in ("score", "low", "high")]
    warned = [note(f"{name} is contaminated: {why}.") for name, why in contaminated.items()]
    return join(
        lead("A question is Challenge for all corpora only if every one of them fails it."),
        table(
            "Questions by the corpora that answer them, with scores",
            columns,
            rows,
            download=csv_link("corpora", "corpus matrix", heading, cells),
        ),
        *warned,
    )
