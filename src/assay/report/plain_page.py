"""A page of sections without scripts: one file, light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

from assay.report.frame import Section, render
from assay.report.markup import el, join, trusted

STYLES = ("base.css", "describe.css")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def plain_page(
    title: str, sentence: str, sections: Sequence[Section], command: str, styles: Sequence[str] = STYLES
) -> str:
    """The whole page. `sentence` sums it up, `command` made it, `styles` name files of report/style."""
    files = resources.files("assay.report") / "style"
    style = "".join((files / name).read_text(encoding="utf-8") for name in styles)
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", title),
        el("style", trusted(style)),
    )
    made = el("section", el("p", "Made by ", el("code", command), class_="note"))
    body = el(
        "body",
        el("header", el("h1", title), el("p", sentence, class_="sentence")),
        el("main", *map(render, sections), made),
    )
    return join(trusted("<!DOCTYPE html>\n"), el("html", head, "\n", body, lang="en"), trusted("\n"))
