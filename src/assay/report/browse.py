"""The question browser's frame (the script fills it), and the list of suspect keys that leads into it."""

from __future__ import annotations

from assay.report import links, numbers
from assay.report.data import ReportData
from assay.report.download import csv_link
from assay.report.frame import Kind, Section, lead, note, table
from assay.report.markup import Child, Html, el, join

SUSPECTS_SHOWN = 20
"""The table shows so many, those that most systems agree on first; the browser and the CSV have all."""
OUTCOMES = [
    ("", "any outcome"), ("r", "✓ right"), ("t", "½ tied"), ("w", "✗ wrong"),
    ("uepf", "– no usable answer"), ("-", "· not asked"),
]  # fmt: skip
SORTS = [
    ("", "file order"), ("hard", "hardest first"), ("easy", "easiest first"),
    ("split", "most disputed first"), ("id", "id"), ("long", "longest first"),
]  # fmt: skip


def sections(data: ReportData) -> list[Section]:
    """Suspect keys and the browser, as far as there are questions."""
    found = []
    if data.suspects:
        found.append(Section("suspects", "Keys to look at again", "Suspect keys", _suspects(data)))
    if data.questions:
        found.append(Section("questions", "The questions", "Questions", _browser(data)))
    return found


def _suspects(data: ReportData) -> Html:
    columns: list[tuple[str, Kind]] = [
        ("Question", "text"), ("Stem", "text"), ("Key", "text"), ("They say", "text"), ("Systems", "text"),
    ]  # fmt: skip
    by_id = {one.question.id: one.question for one in data.questions}
    rows: list[list[Child]] = []
    for suspect in data.suspects[:SUSPECTS_SHOWN]:
        question = by_id.get(suspect.question_id)
        texts = {} if question is None else {choice.label: choice.text for choice in question.choices}
        key = None if question is None else question.answer
        rows.append(
            [
                links.question(suspect.question_id) if question else suspect.question_id,
                question.stem if question else numbers.NONE,
                f"{key}: {texts.get(key, '')}" if key is not None else numbers.NONE,
                f"{suspect.label}: {texts.get(suspect.label, '')}",
                ", ".join(suspect.systems),
            ]
        )
    cells = [[s.question_id, s.label, "; ".join(s.systems)] for s in data.suspects]
    return join(
        lead(
            "Strong systems give the same answer to these questions, and it is not the key. "
            "Some of the keys will be wrong; others are traps that work."
        ),
        table(
            f"{numbers.questions(len(data.suspects))} answered alike and against the key",
            columns,
            rows,
            class_="prose",
            stacked=True,
            download=csv_link("suspect-keys", "suspect keys", ["id", "label", "systems"], cells),
        ),
        note(links.suspects(f"All {len(data.suspects):,} in the browser"), ".")
        if len(data.suspects) > SUSPECTS_SHOWN
        else None,
    )


def _select(name: str, label: str, options: list[tuple[str, str]]) -> Html:
    return el(
        "label",
        el("span", label),
        el("select", *(el("option", words, value=value) for value, words in options), id=f"by-{name}"),
    )


def _browser(data: ReportData) -> Html:
    published = any(one.published for one in data.questions)
    made = any(one.made for one in data.questions)
    sets = [("", "every set")]
    for basis, there in (("published", published), ("made", made)):
        if there:
            sets += [(f"{basis}:{name[0]}", f"{name} ({basis})") for name in ("Easy", "Challenge")]
    if published and made:
        sets.append(("moved", "published and made differ"))
    if data.suspects:
        sets.append(("suspect", "suspect keys"))
    systems = [("", "any system"), *((str(n), system.name) for n, system in enumerate(data.systems))]
    search = el(
        "label", el("span", "Search"),
        el("input", type="search", id="by-words", placeholder="words, or an id", autocomplete="off",
           spellcheck="false", aria_keyshortcuts="/"),
        class_="search",
    )  # fmt: skip
    controls = el(
        "form", search,
        _select("set", "Set", sets), _select("system", "System", systems),
        _select("outcome", "Outcome", OUTCOMES), el("span", id="by-columns", class_="columns"),
        _select("sort", "Sort", SORTS),
        el("button", "Clear", type="reset", id="clear"),
        id="controls", role="search", aria_label="Questions", hidden=True,
    )  # fmt: skip
    found = el(
        "div",
        el("p", "Unpacking the questions …", id="found", role="status", aria_live="polite"),
        el(
            "ul", id="list", role="listbox", tabindex="0", aria_label="Questions found",
            aria_keyshortcuts="ArrowUp ArrowDown PageUp PageDown",
        ),
        el(
            "div",
            el("button", "‹ Earlier", type="button", id="earlier"),
            el("span", id="page-number"),
            el("button", "Later ›", type="button", id="later"),
            el("button", "CSV", type="button", id="save", class_="download",
               aria_label="Download the questions found as CSV"),
            class_="pages",
        ),
        class_="found",
    )  # fmt: skip
    detail = el("article", id="detail", tabindex="-1", aria_label="The question", aria_live="off")
    return join(
        lead(
            "Press / to search, arrow keys to walk through the list; 3/4 beside a question: three of four "
            "systems answer it. Every question has its own address."
        ),
        el("noscript", el("p", "The list of questions needs JavaScript. All else on this page does not.")),
        controls,
        el("div", found, detail, class_="browser", id="browser", hidden=True),
    )
