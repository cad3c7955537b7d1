"""The question browser in a real browser: search, filters, addresses, keys, phones, 10,000 questions."""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from assay.report.embed import outcome
from assay.report.page import write_report
from tests.report.chromium import Tab
from tests.report.hostile import hostile
from tests.report.made_up import made_up

pytestmark = pytest.mark.browser

DATA = made_up(600)
FOUND = "document.getElementById('found').textContent"
OPENED = "document.querySelector('#detail h3')?.textContent"


@pytest.fixture(scope="module")
def tab(tmp_path_factory) -> Iterator[Tab]:
    browser = Tab(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> str:
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(DATA, path)
    return path.as_uri()


@pytest.fixture(autouse=True)
def silent(tab: Tab) -> Iterator[None]:
    tab.errors.clear()
    tab.requests.clear()
    tab.size(1280)
    yield
    assert not tab.errors
    assert all(request.startswith(("file:", "about:", "data:")) for request in tab.requests), tab.requests


def test_a_complaint_of_the_browser_would_be_seen(tab: Tab) -> None:
    tab.get("console.error('seen')")
    tab.get("new Promise(done => { setTimeout(done, 20); setTimeout(() => { throw Error('thrown') }) })")
    said = " ".join(tab.errors)
    tab.errors.clear()
    assert "seen" in said
    assert "thrown" in said


def listed(tab: Tab) -> list[str]:
    return tab.get("[...document.querySelectorAll('#list li small')].map(s => s.textContent.split(' · ')[0])")


def count(some: list) -> str:
    return f"{len(some):,} of {len(DATA.questions):,} questions"


def test_lists_all_and_opens_the_first(tab: Tab, address: str) -> None:
    tab.open(address)
    assert tab.get(FOUND) == "600 questions"
    first = DATA.questions[0].question
    assert tab.get(OPENED) == first.id
    text = tab.get("document.getElementById('detail').innerText")
    assert first.stem in text
    for choice in first.choices:
        assert choice.text in text
    for system in DATA.systems:
        assert system.name in text
    sentence = next(a for a in DATA.questions[0].answers if a and a.evidence).evidence[0][0].text
    assert sentence in text


def test_search_finds_stems_choices_and_ids(tab: Tab, address: str) -> None:
    tab.open(address)
    tab.get("document.getElementById('by-words').focus()")
    tab.type("Basalt plate")
    found = [
        one.question.id
        for one in DATA.questions
        if all(
            word in " ".join([one.question.stem, *(c.text for c in one.question.choices)]).lower()
            for word in ("basalt", "plate")
        )
    ]
    assert 0 < len(found) < 300
    tab.until(f"{FOUND} === '{count(found)}'")
    assert listed(tab) == found[:50]
    tab.open(f"{address}#words={DATA.questions[7].question.id}")
    assert listed(tab) == [DATA.questions[7].question.id]
    tab.open(f"{address}#words=zzz-nowhere")
    assert tab.get(FOUND) == "0 of 600 questions"
    assert "No question fits" in tab.get("document.getElementById('detail').textContent")


def test_filters_by_set_system_outcome_and_metadata(tab: Tab, address: str) -> None:
    tab.open(address)
    tab.pick("#by-set", "published:C")
    tab.pick("#by-system", "1")
    tab.pick("#by-outcome", "w")
    tab.pick("select[data-key='metadata:grade']", "5")
    right = [
        one.question.id
        for one in DATA.questions
        if one.published == "Challenge"
        and outcome(one.answers[1], one.points[1]) == "w"
        and one.question.metadata["grade"] == "5"
    ]
    assert right
    tab.until(f"{FOUND} === '{count(right)}'")
    assert listed(tab) == right[:50]
    # What is picked stands in the address, and comes back from it.
    kept = tab.get("location.hash")
    tab.open(address + kept)
    assert listed(tab) == right[:50]
    tab.get("document.getElementById('clear').click()")
    tab.until(f"{FOUND} === '600 questions'")


@pytest.mark.parametrize("letter", ["r", "t", "w", "uepf", "-"])
def test_every_outcome_can_be_listed(tab: Tab, address: str, letter: str) -> None:
    number = 3
    tab.open(f"{address}#system={quote(DATA.systems[number].name)}&outcome={letter}")
    right = [
        one.question.id
        for one in DATA.questions
        if outcome(one.answers[number], one.points[number]) in letter
    ]
    assert right
    assert tab.get(FOUND) == count(right)
    assert listed(tab) == right[:50]


def test_sorts_hardest_first(tab: Tab, address: str) -> None:
    tab.open(f"{address}#sort=hard")
    known = {one.question.id: [p for p in one.points if p is not None] for one in DATA.questions}
    means = [sum(known[name]) / len(known[name]) for name in listed(tab)]
    assert means == sorted(means)


def test_every_question_has_an_address(tab: Tab, address: str) -> None:
    wanted = DATA.questions[577].question
    tab.open(f"{address}#q={wanted.id}")
    tab.until(f"{OPENED} === '{wanted.id}'")
    assert tab.get("document.querySelector('#list li[aria-selected=true] small').textContent").startswith(
        wanted.id
    )
    assert tab.get(
        "(() => { const box = one => one.getBoundingClientRect();"
        "const all = box(document.getElementById('list'));"
        "const one = box(document.querySelector('#list li[aria-selected=true]'));"
        "return one.top >= all.top - 2 && one.bottom <= all.bottom + 2 })()"
    )
    assert tab.get("document.getElementById('questions').getBoundingClientRect().top") < 800
    tab.get("location.hash = '#q=made_00003'")
    tab.until(f"{OPENED} === 'made_00003'")
    tab.open(f"{address}#q=nobody")
    assert "no question nobody" in tab.get("document.getElementById('detail').textContent")


def test_works_with_a_keyboard_alone(tab: Tab, address: str) -> None:
    tab.open(address)
    tab.key("Tab")
    assert tab.get("document.activeElement.className") == "skip"
    assert tab.get("document.activeElement.getBoundingClientRect().left") > 0
    tab.key("/", "/")
    assert tab.get("document.activeElement.id") == "by-words"
    assert tab.get("document.activeElement.value") == ""
    tab.key("ArrowDown")
    assert tab.get("document.activeElement.id") == "list"
    assert tab.get("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    for key, place in (("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("PageDown", 51), ("End", 599)):
        tab.key(key)
        tab.until(f"{OPENED} === '{DATA.questions[place].question.id}'")
    active = tab.get("document.getElementById('list').getAttribute('aria-activedescendant')")
    assert active == "row-599"
    tab.key("Enter")
    assert tab.get("document.activeElement.id") == "detail"
    tab.key("Escape")
    assert tab.get("document.activeElement.id") == "list"
    assert tab.get("location.hash") == f"#q={DATA.questions[599].question.id}"


def test_nothing_sticks_out_sideways(tab: Tab, address: str) -> None:
    tab.open(address)
    tab.get("document.querySelectorAll('details').forEach(one => { one.open = true })")
    for width in (320, 360, 400, 600, 768, 1024, 1280):
        tab.size(width)
        assert tab.get("document.documentElement.scrollWidth") <= width


def test_dark_where_the_reader_wants_it(tab: Tab, address: str) -> None:
    tab.open(address)
    papers = {}
    for scheme in ("light", "dark"):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        tab.call("Emulation.setEmulatedMedia", features=features)
        papers[scheme] = tab.get("getComputedStyle(document.body).backgroundColor")
    assert papers == {"light": "rgb(252, 251, 248)", "dark": "rgb(20, 23, 27)"}


def test_says_so_where_there_is_no_script(tab: Tab, address: str) -> None:
    tab.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        tab.call("Page.navigate", url=address)
        tab.until("document.readyState === 'complete' && !!document.querySelector('.forest')")
        seen = tab.get("document.body.innerText")
        assert "needs JavaScript" in seen
        assert "Unpacking" not in seen
        assert DATA.sentence in seen
        assert tab.get("document.getElementById('controls').offsetHeight") == 0
    finally:
        tab.call("Emulation.setScriptExecutionDisabled", value=False)


def test_prints_with_everything_unfolded(tab: Tab, address: str) -> None:
    tab.open(address)
    tab.call("Page.printToPDF")
    assert tab.get("[...document.querySelectorAll('main details')].every(one => one.open)")


def test_reads_without_a_decompressing_browser(tab: Tab, address: str) -> None:
    added = tab.call("Page.addScriptToEvaluateOnNewDocument", source="delete window.DecompressionStream")
    try:
        tab.open(f"{address}#q=made_00599")
        assert tab.get("typeof DecompressionStream") == "undefined"
        assert tab.get(FOUND) == "600 questions"
        assert DATA.questions[599].question.stem in tab.get("document.getElementById('detail').innerText")
    finally:
        tab.call("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])


def test_questions_that_try_to_break_out_stand_there_as_text(tab: Tab, tmp_path: Path) -> None:
    data = hostile()
    for repeat in (1, 200):
        questions = tuple(
            dataclasses.replace(
                one, question=dataclasses.replace(one.question, id=f"{one.question.id}{i or ''}")
            )
            for i in range(repeat)
            for one in data.questions
        )
        write_report(dataclasses.replace(data, questions=questions), tmp_path / "hostile.html")
        tab.open((tmp_path / "hostile.html").as_uri())
        for one in questions[: len(data.questions)]:
            tab.get(f"location.hash = {json.dumps('#q=' + quote(one.question.id, safe=''))}")
            tab.until(f"{OPENED} === {json.dumps(one.question.id)}")
            shown = tab.get("document.getElementById('detail').innerText")
            assert one.question.stem in shown
            assert "<!-- <script>" in shown
        assert tab.get("window.broken") is None
        assert tab.get("document.querySelectorAll('#detail b.from-data, #detail img').length") == 0
        assert tab.get("document.querySelectorAll('.forest tbody tr').length") == len(data.systems)


def test_ten_thousand_questions_open_quickly(tab: Tab, tmp_path: Path) -> None:
    questions = tuple(
        dataclasses.replace(one, question=dataclasses.replace(one.question, id=f"made_{number:05d}"))
        for number, one in enumerate(itertools.islice(itertools.cycle(DATA.questions), 10_000))
    )
    write_report(dataclasses.replace(DATA, questions=questions), tmp_path / "big.html")
    address = (tmp_path / "big.html").as_uri()
    seconds = tab.open(f"{address}#q=made_09999")
    tab.until(f"{OPENED} === 'made_09999'")
    assert tab.get("document.querySelectorAll('#list li').length") == 50
    # Measured 1 to 2 s here; the bound only catches a page that freezes.
    assert seconds < 20
    spent = tab.get(
        "(() => { const input = document.getElementById('by-words'); input.value = 'magnet glass';"
        " const started = performance.now(); input.dispatchEvent(new Event('input', { bubbles: true }));"
        " return new Promise(done => { const look = () => document.getElementById('found').textContent"
        ".includes(' of ') ? done(performance.now() - started) : setTimeout(look, 5); look(); }); })()"
    )
    assert spent < 3000
