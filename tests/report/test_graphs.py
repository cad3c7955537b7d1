"""Support graphs in the question browser, drawn by a real browser."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import pytest

from assay.questions.model import Answer, GraphEdge, GraphEvidence, GraphFact, GraphNode
from assay.report.data import ReportData
from assay.report.page import write_report
from tests.report.chromium import Tab
from tests.report.made_up import made_up

pytestmark = pytest.mark.browser

FACTS = (
    GraphFact("a heron eats newts", "eats.tsv", 2),
    GraphFact("the newt lives in <ponds> & ditches", "where.tsv", 3),
)
NODES = (
    GraphNode("term", "heron"),
    GraphNode("term", "lives"),
    GraphNode("fact", "heron", "EATER", 0),
    GraphNode("fact", "newts", "FOOD", 0),
    GraphNode("fact", "newt", "THING", 1),
    GraphNode("fact", "<ponds> & ditches", "PLACE", 1),
    GraphNode("fact", "lives in", "VERB", 1),
    GraphNode("choice", "wet </svg><script>window.broken=1</script>"),
)
EDGES = (
    GraphEdge(0, 2, 1.0, "term"),
    GraphEdge(3, 4, 0.9, "between tables"),
    GraphEdge(1, 6, 1.0, "term"),
    GraphEdge(5, 7, 0.75, "choice"),
)
GRAPH = GraphEvidence(NODES, EDGES, FACTS, 1.25, "feasible, limit hit")
NONE = GraphEvidence((), (), (), 0.0, "no solution found: limit hit")


def with_graphs() -> ReportData:
    data = made_up(20)
    first = data.questions[0]
    place = next(n for n, system in enumerate(data.systems) if system.name == "TableILP")
    labels = first.question.labels
    evidence = ((GRAPH,), (NONE,), *((),) * (len(labels) - 2))
    scores = (1.25, *(0.0,) * (len(labels) - 1))
    answer = Answer(first.question.id, "answered", (labels[0],), scores, evidence)
    answers = (*first.answers[:place], answer, *first.answers[place + 1 :])
    return dataclasses.replace(
        data, questions=(dataclasses.replace(first, answers=answers), *data.questions[1:])
    )


@pytest.fixture(scope="module")
def tab(tmp_path_factory) -> Iterator[Tab]:
    folder = tmp_path_factory.mktemp("graphs")
    write_report(with_graphs(), folder / "report.html")
    browser = Tab(folder / "profile")
    browser.open((folder / "report.html").as_uri())
    yield browser
    browser.close()


def test_nodes_and_links_are_drawn_as_text(tab: Tab) -> None:
    assert tab.get("document.querySelectorAll('svg.graph').length") == 1
    assert tab.get("document.querySelectorAll('svg.graph path.edge').length") == 4
    assert tab.get("document.querySelectorAll('svg.graph path.across').length") == 1
    assert tab.get("document.querySelectorAll('svg.graph rect.fact').length") == 2
    said = tab.get("document.querySelector('svg.graph').textContent")
    for node in NODES[:7]:
        assert node.text in said
        assert node.part in said
    assert "heron – heron: 1.00 (term)" in said
    assert "eats.tsv" in said
    assert tab.get("window.broken") is None
    assert not tab.errors


def test_facts_and_the_status_stand_below(tab: Tab) -> None:
    caption = tab.get("document.querySelector('figure.support figcaption').textContent")
    assert "the newt lives in <ponds> & ditches" in caption
    assert "where.tsv · line 3 · feasible, limit hit" in caption
    assert "no solution found: limit hit" in tab.get("document.getElementById('detail').textContent")


def test_everything_lies_within_the_picture(tab: Tab) -> None:
    outside = tab.get(
        "(() => { const svg = document.querySelector('svg.graph'), box = svg.viewBox.baseVal;"
        " return [...svg.querySelectorAll('text, rect, path')].filter((one) => { const b = one.getBBox();"
        " return b.x < -1 || b.y < -1 || b.x + b.width > box.width + 1 || b.y + b.height > box.height + 1; })"
        ".map((one) => one.textContent); })()"
    )
    assert outside == []
