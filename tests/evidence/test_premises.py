"""Premises against plain Python; the pool, the presets, and why a sentence is none."""

import random
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.corpus.model import Corpus, corpus_in_memory
from assay.errors import AssayError
from assay.evidence.engine import Hits, Query
from assay.evidence.premises import (
    NOT_BEST,
    PREMISE_PRESETS,
    Coverage,
    Premises,
    PremiseSettings,
    coverage,
    pooled,
)
from assay.evidence.premises_dropped import LACKS, dropped_sentences
from assay.questions.model import Answer, Choice, Question
from assay.settings import read_settings
from assay.text.analysis import Analyser
from tests.evidence.bm25_reference import Reference

PLAIN = Analyser(language="none")


def asked(stem: str, *choices: str, key: str | None = None) -> Question:
    return Question("q", stem, tuple(Choice(chr(65 + n), text) for n, text in enumerate(choices)), key)


def premises(corpus: Corpus, **given: object) -> Premises:
    return Premises(corpus, read_settings(PremiseSettings, given, "test"))


def found(corpus: Corpus, question: Question, **given: object) -> list[list[int | None]]:
    (answer,) = premises(corpus, **given).answer([question])
    assert answer.status == "unanswered"
    assert answer.evidence is not None
    assert all(piece.role == "premise" for pieces in answer.evidence for piece in pieces)
    return [[piece.sentence_id for piece in pieces] for pieces in answer.evidence]


def reasons(corpus: Corpus, question: Question, **given: object) -> dict[tuple[str, int], str]:
    (rows,) = dropped_sentences(premises(corpus, **given), [question])
    return {(row.choice, row.sentence_id): row.reason for row in rows}


ROCKS = corpus_in_memory(
    [
        "Granite is an igneous rock",
        "Igneous rock is not soft",
        "igneous rock, igneous rock!",
        "Rock salt is soft",
        "An igneous rock forms from lava",
        "An igneous rock, forms from lava.",
        "Birds fly",
        "A rock (any rock)" + " rock" * 70,
    ]
)


def test_a_premise_holds_the_whole_choice_or_a_term_of_it() -> None:
    question = asked("What forms from lava?", "igneous rock", "salt")
    assert found(ROCKS, question) == [[4, 0], [3]]
    assert found(ROCKS, question, contains="any") == [[4, 0, 3], [3]]
    assert found(ROCKS, question, negation=False, duplicates=False) == [[4, 5, 0, 1], [3]]


def test_why_each_other_sentence_is_none() -> None:
    question = asked("What forms from lava?", "igneous rock", "salt")
    assert reasons(ROCKS, question, k=2)["A", 0] == "not among the best 2"
    told = reasons(ROCKS, question)
    assert told["A", 5] == "copy of sentence 4"
    assert told["A", 1] == "negation: 'not'"
    assert told["A", 2] == "holds '!'"
    assert told["A", 3] == "lacks the choice: no 'igneous'"
    assert told["A", 7] == "lacks the choice: no 'igneous'"
    assert told["B", 4] == "lacks the choice: no 'salt'"
    assert ("A", 6) not in told
    assert reasons(ROCKS, question, contains="any")["A", 7] == "367 characters, over 300"


def test_without_content_stems_a_choice_is_its_words() -> None:
    corpus = corpus_in_memory(["To be or to see", "He will see", "Seen at sea"])
    question = asked("What did he see?", "to be", "+", "see it")
    assert found(corpus, question) == [[0], [], [1, 0]]
    assert reasons(corpus, question)["B", 1] == "lacks the choice, which has no word"
    assert reasons(corpus, question)["A", 1] == "lacks the choice: no 'to', 'be'"


def test_no_premise_for_any_choice_and_an_empty_corpus() -> None:
    for corpus in (corpus_in_memory(["Birds fly"]), corpus_in_memory([])):
        made = premises(corpus)
        answers = list(made.answer([asked("Which rock?", "ore", "mud", key="A")]))
        assert answers == [Answer("q", "unanswered", evidence=((), ()))]
        assert coverage([asked("x", "a", "b", key="A")], answers) == Coverage(0, {0: 1}, 0, 1, 0)


def test_the_pool_is_of_all_choices() -> None:
    def hits(*pairs: tuple[int, float]) -> Hits:
        return Hits(np.array([i for i, _ in pairs], np.int64), np.array([s for _, s in pairs]))

    lists = [hits((7, 3.0), (2, 2.0)), hits((1, 5.0), (9, 2.0)), hits((2, 2.0)), hits()]
    assert [h.ids.tolist() for h in pooled(lists, 2)] == [[7], [1], [], []]
    # Of equal scores the lower id, then the earlier choice.
    assert [h.ids.tolist() for h in pooled(lists, 3)] == [[7, 2], [1], [], []]
    assert [h.ids.tolist() for h in pooled(lists, 4)] == [[7, 2], [1], [2], []]
    assert [h.ids.tolist() for h in pooled(lists, 3, ties=True)] == [[7, 2], [1, 9], [2], []]
    assert [h.ids.tolist() for h in pooled(lists, 5)] == [[7, 2], [1, 9], [2], []]
    assert pooled([], 3) == []


def test_what_fetched_caps_is_counted() -> None:
    corpus = corpus_in_memory([*(f"not iron {n}" for n in range(30)), "iron of more words than those"])
    question = asked("Which metal?", "iron", "gold")
    made = premises(corpus, fetched=10)
    (answer,) = made.answer([question])
    assert answer.evidence == ((), ())
    assert made.capped == 1
    assert made.dropped["negation"] == 10
    made = premises(corpus)
    list(made.answer([question]))
    assert (made.capped, made.dropped["negation"]) == (0, 30)


def test_presets_are_settings() -> None:
    for preset in PREMISE_PRESETS.values():
        read_settings(PremiseSettings, preset, "test")
    assert premises(ROCKS).settings["negation"] is True
    with pytest.raises(AssayError, match="'contains' must be one of 'all', 'any'"):
        premises(ROCKS, contains="some")


class Plain:
    """The procedure as the paper tells it, over every sentence of the corpus."""

    def __init__(self, corpus: Corpus, asked: PremiseSettings) -> None:
        self.corpus, self.asked = corpus, asked
        self.reference = Reference(corpus)

    def verdict(self, sentence: int, kept: dict[str, int]) -> str | None:
        text, asked = self.corpus.texts[sentence], self.asked
        key = re.sub("[ !]", "", text)
        if asked.max_characters is not None and len(text) > asked.max_characters:
            return "long"
        if asked.negation and "not" in text.split():
            return "negation"
        if asked.duplicates and key in kept:
            return "duplicate"
        if asked.clean and not re.fullmatch("[a-z][a-z ]*", text):
            return "unclean"
        kept[key] = sentence
        return None

    def find(self, question: Question) -> tuple[list[list[int]], Counter[tuple[str, int, str]]]:
        """For each choice its premises; and what isn't one, by choice, sentence and rule."""
        asked, analyser = self.asked, self.corpus.analyser
        stem = analyser.content(
            question.stem[-asked.stem_characters :] if asked.stem_characters else question.stem
        )
        pool: list[tuple[float, int, int]] = []
        dropped: Counter[tuple[str, int, str]] = Counter()
        for place, choice in enumerate(question.choices):
            terms = analyser.query_terms(choice.text)
            scores = self.reference.scores(Query((tuple(stem), tuple(terms))))
            ordered = sorted((-round(score, 8), number) for number, score in scores.items())
            holds = [
                pair
                for pair in ordered
                if terms
                and (all if asked.contains == "all" else any)(
                    term in self.reference.sentences[pair[1]] for term in terms
                )
            ]
            for _, number in ordered[:20]:
                if number not in {one for _, one in holds}:
                    dropped[choice.label, number, LACKS] += 1
            kept: dict[str, int] = {}
            own = 0
            for negated, number in holds[: asked.fetched]:
                if own < asked.k:
                    why = self.verdict(number, kept)
                    if why:
                        dropped[choice.label, number, why] += 1
                    else:
                        own += 1
                        pool.append((negated, number, place))
        pool.sort()
        limit = pool[asked.k - 1][0] if len(pool) > asked.k else 0.0
        best = pool[: asked.k] + [one for one in pool[asked.k :] if asked.ties and one[0] == limit]
        for one in pool:
            if one not in best:
                dropped[question.choices[one[2]].label, one[1], NOT_BEST] += 1
        chosen = [[number for _, number, at in best if at == place] for place in range(len(question.choices))]
        return chosen, dropped


WORDS = "ore mud iron bat root the of not x! y".split()


@settings(max_examples=150)
@given(
    st.integers(0, 10**6),
    st.builds(
        PremiseSettings,
        k=st.integers(1, 6),
        contains=st.sampled_from(["all", "any"]),
        ties=st.booleans(),
        stem_characters=st.sampled_from([None, 9]),
        fetched=st.sampled_from([None, 1, 7]),
        max_characters=st.sampled_from([None, 15]),
        negation=st.booleans(),
        duplicates=st.booleans(),
        clean=st.booleans(),
    ),
)
def test_as_plain_python(seed: int, given: PremiseSettings) -> None:
    draw = random.Random(seed)

    def text(most: int) -> str:
        return " ".join(draw.choices(WORDS, k=draw.randint(1, most)))

    corpus = corpus_in_memory([text(6) for _ in range(draw.randint(1, 40))], analyser=PLAIN)
    questions = [
        Question(str(n), text(4), tuple(Choice("ABCDE"[m], text(2)) for m in range(draw.randint(1, 5))))
        for n in range(3)
    ]
    made = Premises(corpus, given)
    right = [Plain(corpus, given).find(question) for question in questions]
    answers = list(made.answer(questions))
    chosen = [
        [[piece.sentence_id for piece in pieces] for pieces in answer.evidence or ()] for answer in answers
    ]
    assert chosen == [one for one, _ in right]
    listed = list(dropped_sentences(Premises(corpus, given), questions))
    told = [Counter((row.choice, row.sentence_id, row.rule) for row in rows) for rows in listed]
    assert told == [dropped for _, dropped in right]
    counts = Counter(rule for _, dropped in right for (_, _, rule) in dropped.elements())
    assert made.dropped == {rule: counts[rule] for rule in made.dropped}


def test_any_engine() -> None:
    question = asked("What forms from lava?", "igneous rock", "salt")
    assert found(ROCKS, question, engine="tantivy") == found(ROCKS, question)
