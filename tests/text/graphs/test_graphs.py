"""Statement graphs: what stands in them for known sentences, and what holds for any tree at all."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.text.graphs import LABELS, OPENIE, PARSE, STRUCTURES, statement_graph
from assay.text.graphs.drawing import as_svg, as_text
from assay.text.graphs.labels import OTHER, label_number, preposition_label
from assay.text.openie import Argument, Extraction, Phrase, extract
from assay.text.parsing import Parse, Parser, Token, open_parser


@pytest.fixture(scope="module")
def parser() -> Parser:
    pytest.importorskip("spacy", reason="needs the extra 'parse'")
    return open_parser()


def lines(parser: Parser, text: str, structure: str) -> list[str]:
    """Nodes alone, and edges as "source --label--> target"."""
    (parse,) = parser.parse([text])
    graph = statement_graph(parse, extract(parse), structure)
    names = [node.text(parse) for node in graph.nodes]
    return [*names, *(f"{names[e.source]} --{e.label}--> {names[e.target]}" for e in graph.edges)]


@pytest.mark.parametrize("structure", STRUCTURES)
def test_a_verb_its_subject_object_and_means(parser: Parser, structure: str) -> None:
    found = lines(parser, "Fungi obtain nutrients by absorption.", structure)
    assert found[:4] == ["Fungi", "obtain", "nutrients", "absorption"]
    assert set(found[4:]) == {
        "Fungi --subj-obj--> nutrients",
        "obtain --by--> absorption",
        "obtain --obj--> nutrients",
        "obtain --subj--> Fungi",
    }


def test_negation_and_condition_are_edges(parser: Parser) -> None:
    found = lines(parser, "If ice is heated, it does not stay solid.", OPENIE)
    assert "does stay --neg--> not" in found
    assert "does stay --condition--> If ice is heated" in found


def test_the_parse_adds_what_open_ie_leaves_out(parser: Parser) -> None:
    text = "The dark soil of a field stores the heat of the sun."
    by_tuples, by_parse = (set(lines(parser, text, structure)) for structure in (OPENIE, PARSE))
    assert "dark soil --attribute--> dark" in by_parse - by_tuples
    assert "dark soil --of--> field" in by_tuples & by_parse
    assert by_tuples - by_parse == set()


def test_the_rest_is_what_the_structure_leaves_out(parser: Parser) -> None:
    def nodes(text: str, structure: str) -> list[str]:
        (parse,) = parser.parse([text])
        graph = statement_graph(parse, extract(parse), structure, rest=True)
        bare = statement_graph(parse, extract(parse), structure)
        assert set(bare.nodes) <= set(graph.nodes)
        assert len(bare.edges) == len(graph.edges)
        return [node.text(parse) for node in graph.nodes if node not in bare.nodes]

    assert nodes("Luster.", OPENIE) == ["Luster"]
    assert nodes("The dull luster of a mineral.", OPENIE) == ["dull luster", "mineral"]
    assert nodes("Fungi obtain nutrients by absorption.", OPENIE) == []
    assert nodes("Of the.", OPENIE) == []


def test_what_has_no_tuple_has_no_graph_by_open_ie_alone(parser: Parser) -> None:
    assert lines(parser, "Luster.", OPENIE) == []
    assert lines(parser, "Luster.", PARSE) == ["Luster"]
    assert lines(parser, "", PARSE) == []
    assert lines(parser, "... ?", PARSE) == []


def test_prepositions_have_labels_however_they_are_written() -> None:
    assert preposition_label("Into") == "into"
    assert preposition_label("out of") == "of"
    assert preposition_label("upon") == "on"
    assert preposition_label("notwithstanding") == OTHER
    assert preposition_label("") == OTHER
    assert [label_number(label) for label in LABELS] == list(range(len(LABELS)))


WORDS = ("the", "root", "takes", "in", "not", "water", "of", ".", "soil", "if")
DEPS = (
    "nsubj", "dobj", "prep", "pobj", "amod", "det", "neg", "conj", "cc", "advcl", "mark", "punct", "compound",
    "relcl", "agent", "attr", "poss", "aux", "odd", "nummod", "appos", "npadvmod", "xcomp", "pcomp", "case",
)  # fmt: skip


@st.composite
def parses(draw: st.DrawFn) -> Parse:
    """Any tree, or several, labelled at random: what a parser in error might give, and worse."""
    size = draw(st.integers(0, 12))
    order = draw(st.permutations(range(size)))
    heads = list(range(size))
    for at in range(1, size):
        heads[order[at]] = draw(st.sampled_from([*order[:at], order[at]]))
    return Parse(
        tuple(
            Token(draw(st.sampled_from(WORDS)), "w", "NN", draw(st.sampled_from(("NOUN", "VERB", "PUNCT"))),
                  heads[at], "ROOT" if heads[at] == at else draw(st.sampled_from(DEPS)))
            for at in range(size)
        )
    )  # fmt: skip


@st.composite
def extractions(draw: st.DrawFn, size: int) -> list[Extraction]:
    def phrase() -> Phrase:
        tokens = draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=5))
        return Phrase(tuple(sorted(tokens)))

    return [
        Extraction(
            phrase() if draw(st.booleans()) else None,
            phrase(),
            tuple(
                Argument(phrase(), draw(st.sampled_from((None, "in", "out of", "zwixt"))))
                for _ in range(draw(st.integers(0, 2)))
            ),
            draw(st.booleans()),
            phrase() if draw(st.booleans()) else None,
        )
        for _ in range(draw(st.integers(0, 2)))
    ]


@given(data=st.data())
def test_any_graph_is_one_of_its_sentence(data: st.DataObject) -> None:
    parse = data.draw(parses())
    found = data.draw(extractions(len(parse.tokens))) if parse.tokens else []
    for structure in STRUCTURES:
        graph = statement_graph(parse, found, structure)
        assert graph == statement_graph(parse, found[::-1], structure)
        assert len(set(graph.nodes)) == len(graph.nodes)
        assert list(graph.edges) == sorted(set(graph.edges), key=lambda e: (e.source, e.label, e.target))
        for node in graph.nodes:
            assert list(node.tokens) == sorted(set(node.tokens))
            assert 0 <= node.tokens[0] <= node.tokens[-1] < len(parse.tokens)
        for edge in graph.edges:
            assert edge.source != edge.target
            assert {edge.source, edge.target} <= set(range(len(graph.nodes)))
            assert edge.label in LABELS
        if structure == OPENIE and not found:
            assert not graph.nodes
        ElementTree.fromstring(as_svg(parse, graph))
        assert as_text(parse, graph).count("--> ") == len(graph.edges)
    whole = statement_graph(parse, found, PARSE)
    if found:
        assert set(statement_graph(parse, found, OPENIE).nodes) <= set(whole.nodes)
