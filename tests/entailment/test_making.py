"""Pairs made of questions: what is entailed by what, and what never is."""

from dataclasses import replace

import pytest

from assay.entailment.held_out import HeldOut
from assay.entailment.making import Kind, Maker, PairSettings
from assay.questions.explanations import Explanation, Fact, Step
from assay.questions.model import Answer, Choice, Facts, Question, SentenceEvidence
from assay.solvers.neural.trained_on import digests
from assay.text.shares import Shares
from assay.text.statements import statement

ASKED = Question(
    "q1",
    "Which part of a plant takes in water?",
    (Choice("A", "flower"), Choice("B", "root"), Choice("C", "leaf")),
    "B",
)
RIGHT, FLOWER, LEAF = (statement(ASKED.stem, part).text for part in ("root", "flower", "leaf"))
Said = set[tuple[str, str, str | None, Kind]]


def said(
    question: Question = ASKED, *explanations: Explanation, evidence: Answer | None = None, **settings: float
) -> Said:
    made = Maker(PairSettings(**settings)).pairs(question, explanations, evidence)  # type: ignore[arg-type]
    return {(pair.premise, pair.hypothesis, pair.label, kind) for pair, kind in made}


def explained(*facts: Fact, **more: object) -> Explanation:
    return Explanation("q1", ASKED.stem, "root", facts, **more)  # type: ignore[arg-type]


def test_a_fact_entails_the_right_statement_and_no_wrong_one() -> None:
    found = said(ASKED, explained(Fact("a root takes in water")), wrong=2)
    premise = "A root takes in water."
    assert found == {
        (premise, RIGHT, "entails", "fact"),
        (premise, FLOWER, "neutral", "wrong"),
        (premise, LEAF, "neutral", "wrong"),
    }


def test_a_fact_that_says_little_entails_nothing_alone_but_joined() -> None:
    facts = (Fact("a root takes in water"), Fact("soil holds minerals"))
    found = said(ASKED, explained(*facts), wrong=0)
    joined = "A root takes in water. Soil holds minerals."
    assert found == {
        ("A root takes in water.", RIGHT, "entails", "fact"),
        (joined, RIGHT, "entails", "facts"),
    }
    # Water and plant alone: the choice isn't named.
    assert not said(ASKED, explained(Fact("a plant takes in water")))


def test_only_central_facts_of_worldtree_count() -> None:
    roles = ("CENTRAL", "LEXGLUE", "GROUNDING", None, "fact1")
    facts = [Fact(f"a root takes in water {n}", role) for n, role in enumerate(roles)]
    found = said(ASKED, explained(*facts), wrong=0)
    singles = {premise for premise, _, _, kind in found if kind == "fact"}
    assert singles == {f"A root takes in water {n}." for n in (0, 3, 4)}


def test_the_steps_and_the_hypothesis_of_an_explanation() -> None:
    explanation = explained(
        Fact("a root is part of a plant"),
        Fact("roots take in water"),
        near=(Fact("a leaf takes in light"), Fact("a root of a plant is heavy"), Fact("sand is dry")),
        hypothesis="a root of a plant takes in water",
        steps=(
            Step(("a root is part of a plant", "roots take in water"), "a plant takes in water by its root"),
        ),
    )
    found = said(ASKED, explanation, wrong=0, near_facts=2, fact_share=1.1)
    both = "A root is part of a plant. Roots take in water."
    assert found == {
        (both, explanation.hypothesis, "entails", "facts"),
        (both, "A plant takes in water by its root.", "entails", "step"),
        ("A root of a plant is heavy.", explanation.hypothesis, "neutral", "near fact"),
        ("A leaf takes in light.", explanation.hypothesis, "neutral", "near fact"),
    }


def test_near_sentences() -> None:
    def of(*texts: str) -> tuple[SentenceEvidence, ...]:
        return tuple(SentenceEvidence(text, 1.0) for text in texts)

    evidence = Answer("q1", "unanswered", evidence=(
        of("A flower is red.", "A flower of a plant is red."),
        of("The root of a plant takes in water.", "A root is brown."),
        (),
    ))  # fmt: skip
    assert said(ASKED, evidence=evidence, near_wrong=1) == {
        ("A flower of a plant is red.", FLOWER, "neutral", "near wrong"),
        ("A root is brown.", RIGHT, "neutral", "near right"),
    }
    # What shares enough with the right statement may say it.
    assert not said(ASKED, evidence=evidence, near_wrong=0, near_share=0.1)


def test_what_a_fact_entails_is_neutral_by_no_other_rule() -> None:
    evidence = Answer("q1", "unanswered", evidence=((), (SentenceEvidence("A root is brown.", 1.0),), ()))
    found = said(ASKED, explained(Fact("a root is brown")), evidence=evidence, wrong=0, fact_share=0)
    assert found == {("A root is brown.", RIGHT, "entails", "fact")}


def test_qascs_composed_fact_and_sciqs_support() -> None:
    composed = replace(ASKED, facts=Facts(composed="roots take water out of the soil"))
    assert ("Roots take water out of the soil.", RIGHT, "entails", "fact") in said(composed)
    support = "Water is wet. A root takes in water from soil. A root is brown."
    supported = replace(ASKED, metadata={"support": support})
    assert said(supported, wrong=0) == {("A root takes in water from soil.", RIGHT, "entails", "support")}
    assert not said(replace(ASKED, metadata={"support": 5}))


def test_each_pair_once_with_an_id_and_its_questions_digest() -> None:
    twice = explained(Fact("a root takes in water"), Fact("A root takes in water."))
    made = [pair for pair, _ in Maker().pairs(ASKED, [twice, twice])]
    assert len({(pair.premise, pair.hypothesis) for pair in made}) == len(made)
    assert len({pair.id for pair in made}) == len(made)
    assert {pair.question for pair in made} == digests([ASKED])


def test_shares() -> None:
    shares = Shares()
    assert shares.share("Roots take in the water.", "a root takes water") == 1.0
    assert shares.share("Roots are brown.", "a root takes water") == pytest.approx(1 / 3)
    assert shares.share("Roots.", "") == 0.0
    assert shares.any("the root", "stem and roots")
    assert not shares.any("the root", "")
    assert shares.all("a red flower", "Flowers")
    assert not shares.all("a red flower", "")


def test_a_statement_that_a_hypothesis_says_is_held_out() -> None:
    held = HeldOut(["Small streams are called tributaries.", "Ice melts."])
    assert held.holds("Tributaries are small streams.")
    assert not held.holds("Small streams are cold.")
    assert not held.holds("")
    assert not HeldOut([]).holds("Ice melts.")
