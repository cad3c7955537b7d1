"""The report page: one HTML file that opens from disk, asks the network for nothing, same bytes again."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path

from assay.report import breakdown, browse, calibration, compare, experiments, foot, gap, parts, scores
from assay.report.data import ReportData
from assay.report.embed import embedded
from assay.report.frame import Section, render
from assay.report.markup import Html, el, join, trusted
from assay.storage import write_text

ROOMS: Sequence[Callable[[ReportData], list[Section]]] = (
    scores.sections,
    gap.sections,
    compare.sections,
    breakdown.sections,
    parts.sections,
    calibration.sections,
    experiments.sections,
    browse.sections,
    foot.sections,
)
STYLES = ("base.css", "charts.css", "browser.css")
SCRIPTS = ("inflate.js", "questions.js", "filter.js", "graph.js", "detail.js", "list.js", "start.js")


def write_report(data: ReportData, path: str | Path) -> None:
    """Write the page to `path`, whole or not at all. Raises AssayError when the place can't be written."""
    write_text(path, page(data))


def page(data: ReportData) -> str:
    """The page as text; the same data gives the same text."""
    style = _package_text("style", STYLES)
    script = f'(function () {{\n"use strict";\n{_package_text("script", SCRIPTS)}}})();\n'
    found = [section for room in ROOMS for section in room(data)]
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", name="referrer", content="no-referrer"),
        el("title", f"{data.title} · Assay"),
        el("style", trusted(style)),
    )
    body = el(
        "body",
        el("a", "Skip to the scores", href=f"#{found[0].id}", class_="skip"),
        el("header", el("h1", data.title), el("p", data.sentence, class_="sentence")),
        el("nav", el("ul", *map(_link, found)), aria_label="Parts of the report"),
        el("main", *map(render, found)),
        embedded(data) if data.questions else None,
        el("script", trusted(script)),
    )
    return join(trusted("<!DOCTYPE html>\n"), el("html", head, "\n", body, lang="en"), trusted("\n"))


def _link(section: Section) -> Html:
    return el("li", el("a", section.short, href=f"#{section.id}"))


def _package_text(folder: str, names: Sequence[str]) -> str:
    files = resources.files("assay.report") / folder
    return "".join((files / name).read_text(encoding="utf-8") for name in names)


def _policy(style: str, script: str) -> str:
    """Nothing but our own style and script, by their hashes: no question can run code or call out."""
    return (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(code: str) -> str:
    digest = base64.b64encode(hashlib.sha256(code.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"
