"""What a reader must know to trust or repeat the page: what was left out, settings, corpora, the command."""

from __future__ import annotations

from assay.report import numbers
from assay.report.data import ReportData
from assay.report.download import csv_link
from assay.report.frame import Kind, Section, folded, note, table
from assay.report.markup import Child, Html, el, join

SHOWN = 8
"""So many remarks stand open; the rest are folded under them."""


def sections(data: ReportData) -> list[Section]:
    """What was left out, and how the page was made."""
    shown, more = data.left_out[:SHOWN], data.left_out[SHOWN:]
    left = join(
        el("ul", *(el("li", sentence) for sentence in shown)) if shown else el("p", "Nothing was left out."),
        folded(f"{len(more)} more", el("ul", *(el("li", sentence) for sentence in more))) if more else None,
    )
    return [
        Section("left-out", "What was left out", "Left out", left),
        Section("made", "How this was made", "How made", _made(data)),
    ]


def _made(data: ReportData) -> Html:
    settings = el(
        "dl",
        *(join(el("dt", name), el("dd", value)) for name, value in data.settings.items()),
        class_="settings",
    )
    return join(
        settings if data.settings else None,
        _corpora(data) if data.corpora else None,
        folded("The whole configuration", el("pre", data.configuration)) if data.configuration else None,
        el("p", "The command that made this page:"),
        el("pre", el("code", data.command), class_="command"),
    )


def _corpora(data: ReportData) -> Html:
    columns: list[tuple[str, Kind]] = [("Corpus", "text"), ("Sentences", "number"), ("Fingerprint", "text")]
    rows: list[list[Child]] = [
        [
            join(corpus.name, el("small", "contaminated", class_="warn") if corpus.contaminated else None),
            numbers.count(corpus.sentences),
            el("code", corpus.fingerprint[:16], title=corpus.fingerprint),
        ]
        for corpus in data.corpora
    ]
    cells = [[c.name, c.sentences, c.fingerprint, c.contaminated] for c in data.corpora]
    heading = ["corpus", "sentences", "fingerprint", "contaminated"]
    warned = [note(f"{c.name} is contaminated: {c.contaminated}.") for c in data.corpora if c.contaminated]
    return join(
        table("Corpora", columns, rows, download=csv_link("corpora-used", "corpora", heading, cells)), *warned
    )
