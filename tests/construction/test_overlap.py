"""Overlap of questions with their facts: against a plain reference, and the figures of QASC dev."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from Stemmer import Stemmer

from assay.construction.composition import compositions
from assay.construction.overlap import OverlapSettings, overlap, stems_by
from assay.errors import AssayError
from assay.questions.composition import composition, read_labels, with_labels
from assay.questions.model import Choice, Facts, Question
from assay.text.stopwords import LUCENE_ENGLISH, NLTK_ENGLISH
from tests.scoring.scoring_cases import arc

WORDS = ["iron", "rusts", "rust", "the", "rain's", "don't", "water", "is", "wet", "s", "cats", "cat", "of"]
TEXT = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)


def made(number, stem, answer, first, second=None, **more):
    choices = (Choice("A", "nothing"), Choice("B", answer))
    return Question(f"q{number}", stem, choices, more.pop("key", "B"), Facts(first, second), **more)


@given(st.lists(st.tuples(TEXT, TEXT, TEXT, TEXT), min_size=1, max_size=6), st.booleans())
def test_as_a_plain_count(texts, nltk):
    stop, stemmer = (NLTK_ENGLISH if nltk else LUCENE_ENGLISH), Stemmer("english")

    def stems(text):
        tokens = [
            word for token in text.split() if token not in stop for word in re.findall("[a-z0-9]+", token)
        ]
        return {stemmer.stemWord(word) for word in tokens if word not in stop}

    questions = [made(n, *of) for n, of in enumerate(texts)]
    settings = OverlapSettings(stop_words="nltk-english" if nltk else "lucene-english")
    got = {row.fact: row for row in overlap(questions, settings, cluster=None).rows}
    counts = np.array(
        [[len(stems(fact) & (stems(q) | stems(a))) for fact in facts] for q, a, *facts in texts]
    )
    for name, of in zip(
        ("fact1", "fact2", "at least one", "both"), (*counts.T, counts.min(1), counts.max(1)), strict=True
    ):
        assert {most: share.mean for most, share in got[name].fewer.items()} == pytest.approx(
            {most: np.mean(of < most) for most in (3, 2, 1)}
        )
        assert got[name].average.mean == pytest.approx(of.mean())


@pytest.mark.real_data
@pytest.mark.parametrize(("name", "listed"), [("lucene-english", "Lucene33"), ("nltk-english", "NLTK179")])
def test_qasc_dev(shared_data, shared_cases, name, listed):
    right = json.loads((shared_cases / "figures.json").read_text("utf-8"))["qasc_overlap"][listed]
    questions = arc(shared_data / "qasc/dev.jsonl")
    got = {
        row.fact.replace(" ", "_"): row
        for row in overlap(questions, OverlapSettings(stop_words=name), fewer_than=(4, 3, 2, 1)).rows
    }
    for most in (1, 2, 3, 4):
        for fact, (count, percent) in right[f"fewer_than_{most}"].items():
            assert round(got[fact].n * got[fact].fewer[most].mean) == count
            assert 100 * got[fact].fewer[most].mean == pytest.approx(percent)
            assert got[fact].fewer[most].clusters == 103
    for fact, average in (("fact1", "avg_fact1"), ("fact2", "avg_fact2"), ("at_least_one", "avg_min")):
        assert got[fact].average.mean == pytest.approx(right[average])


def test_an_apostrophe_ends_a_word_or_not():
    one = [made(1, "What is Moh's scale?", "hardness", "Moh's scale tells hardness")]
    split, inside = (
        overlap(one, OverlapSettings(apostrophes=rule), cluster=None).questions[0].shared["fact1"]
        for rule in ("split", "inside")
    )
    assert split == ("hard", "moh", "s", "scale")
    assert inside == ("hard", "moh", "scale")


def test_what_lacks_facts_or_keys_is_counted():
    whole = made(1, "Why wet?", "rain", "rain is wet", "wet is cold")
    half = made(2, "Why wet?", "rain", "rain is wet")
    none, hidden = made(3, "Why?", "rain", None, " "), made(4, "Why?", "rain", "x", "y", key=None)
    got = overlap([whole, half, none, hidden])
    assert [(row.fact, row.n) for row in got.rows] == [
        ("fact1", 2), ("fact2", 1), ("at least one", 1), ("both", 1)
    ]  # fmt: skip
    assert (got.without_facts, got.without_key) == (1, 1)
    with pytest.raises(AssayError, match="no facts in any of the 1 questions"):
        overlap([none])
    with pytest.raises(AssayError, match="no answer key"):
        overlap([hidden])


def labelled(number, **labels):
    return made(number, "What rusts?", "iron", "water rusts iron", "rain is water", metadata=labels)


def test_compositions_are_tabulated():
    causes = {"rQ": "causes", "rS": "located", "rL": "causes"}
    questions = [
        labelled(1, **causes, bridge="water", names_both=False),
        labelled(2, **causes, bridge="iron", names_both=True),
        labelled(3, **{**causes, "rS": "causes"}, names_both="no"),
        labelled(4, rQ="is"),
        labelled(5),
    ]
    got = compositions(questions, stems_by(OverlapSettings()))
    assert [(rule.rS, rule.rL, rule.rQ, rule.count) for rule in got.rules] == [
        ("located", "causes", "causes", 2),
        ("causes", "causes", "causes", 1),
    ]
    assert got.rules[0].share.mean == pytest.approx(2 / 3)
    assert (got.n, got.labelled, got.with_rule, got.named_both, got.names_both.n) == (5, 4, 3, 1, 3)
    assert got.relations["rQ"] == {"causes": 3, "is": 1}
    assert got.decompositions == {"causes": 2}
    assert (got.bridges.n, got.bridges.in_both_facts, got.bridges.in_question) == (2, 1, 1)
    assert compositions([labelled(1)], stems_by(OverlapSettings())) is None


def test_labels_from_a_file(tmp_path):
    file = tmp_path / "labels.tsv"
    file.write_text("id\trQ\trS\trL\tnames_both\nq1\tis\tis\thas\t1\nq2\t\t\t\t\nq9\tis\tis\tis\tno\n")
    questions, notes = with_labels([labelled(1, rQ="old"), labelled(2), labelled(3)], read_labels(file))
    assert composition(questions[0]).rule == "is + has => is"
    assert composition(questions[0]).names_both is True
    assert composition(questions[1]) is None
    assert notes[0].endswith("labels of 1 of 3 questions")
    file.write_text("id\trQ\trX\nq1\tis\tis\n")
    with pytest.raises(AssayError, match="no label is called rX"):
        read_labels(file)
    file.write_text("id\tnames_both\nq1\tyes\nq2\tperhaps\n")
    with pytest.raises(AssayError, match="must be yes or no") as caught:
        read_labels(file)
    assert caught.value.faults[0].line == 3


@pytest.mark.parametrize("labels", [{"names_both": "so so"}, {"rQ": ["is", "has"]}])
def test_labels_that_cant_be_meant(labels):
    with pytest.raises(AssayError) as caught:
        composition(labelled(7, **labels))
    assert caught.value.faults[0].question_id == "q7"
