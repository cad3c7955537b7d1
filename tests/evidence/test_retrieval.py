"""Single and two-step retrieval against plain Python, whatever the batch, the engine or the cores."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.corpus.model import Corpus, corpus_in_memory
from assay.errors import AssayError
from assay.evidence import retriever
from assay.evidence.engine import Query
from assay.evidence.retrieval import PRESETS, RetrievalSettings
from assay.evidence.retriever import Retriever
from assay.questions.model import Choice, Question, SentenceEvidence
from assay.settings import read_settings
from assay.text.analysis import Analyser
from tests.evidence.bm25_reference import Reference

PLAIN = Analyser(language="none")
WORDS = "ore mud iron bat root sand silt clay the of not x! y".split()
FURTHER = {"bat", "silt"}
STOPS = str(Path(__file__).with_name("further_stop_words.txt"))


def asked(stem: str, *choices: str) -> Question:
    return Question("q", stem, tuple(Choice(chr(65 + n), text) for n, text in enumerate(choices)))


def evidence(
    method: str, corpus: Corpus, question: Question, **given: object
) -> list[list[SentenceEvidence]]:
    (answer,) = Retriever(method, corpus, read_settings(RetrievalSettings, given, "test")).answer([question])
    assert answer.status == "unanswered"
    assert answer.evidence is not None
    return [[piece for piece in found if isinstance(piece, SentenceEvidence)] for found in answer.evidence]


class Plain:
    """The procedure as the paper tells it, one query after another."""

    def __init__(self, corpus: Corpus, constants: RetrievalSettings) -> None:
        self.corpus, self.constants = corpus, constants
        self.reference = Reference(corpus)

    def best(
        self, query: Query, required: list[set[str]], wanted: int, fetched: int
    ) -> list[tuple[int, float]]:
        right = {
            number: score
            for number, score in self.reference.scores(query).items()
            if all(terms & set(self.reference.sentences[number]) for terms in required)
        }
        # Contributions are multiples of 2**-36 in the engine: equal sums are equal here after rounding.
        ordered = sorted(right.items(), key=lambda hit: (-round(hit[1], 8), hit[0]))[:fetched]
        return list(self.filtered(ordered))[:wanted]

    def filtered(self, hits: list[tuple[int, float]]) -> Iterator[tuple[int, float]]:
        seen = set()
        for number, score in hits:
            text = self.corpus.texts[number]
            if len(text) > (self.constants.max_characters or 10**9):
                continue
            if self.constants.negation and "not" in text.split():
                continue
            if self.constants.duplicates and self.key(number) in seen:
                continue
            if not self.constants.clean or re.fullmatch(r"[a-z0-9][a-z0-9 ]*", text):
                seen.add(self.key(number))
                yield number, score

    def key(self, number: int) -> object:
        text = self.corpus.texts[number]
        return text.replace(" ", "").replace("!", "") if self.constants.duplicates else number

    def terms(self, text: str) -> list[str]:
        further = FURTHER if self.constants.query_stop_words != "none" else set()
        return [term for term in self.corpus.analyser.content(text) if term not in further]

    def content(self, text: str) -> set[str]:
        return set(self.terms(text))

    def mass(self, terms: set[str]) -> float:
        return sum(self.reference.idf(term) for term in terms)

    def first(self, stem: str, choice: str, wanted: int) -> list[tuple[int, float]]:
        constants = self.constants
        chosen = self.terms(choice) or self.corpus.analyser.query_terms(choice)
        query = Query((tuple(self.terms(stem)), tuple(chosen)))
        must = [set(chosen)] if constants.choice_term_first else []
        if not constants.unexplained_first:
            return self.best(query, must, wanted, constants.fetched)
        pool = self.best(query, must, max(wanted, constants.pool), constants.fetched)
        asked = {*self.terms(stem), *chosen}
        lost = [self.mass(self.content(self.corpus.texts[fact]) - asked) for fact, _ in pool]
        ordered = [
            (fact, score - constants.unexplained_first * loss)
            for (fact, score), loss in zip(pool, lost, strict=True)
        ]
        return sorted(ordered, key=lambda hit: -round(hit[1], 8))[:wanted]

    def two_step(self, stem: str, choice: str) -> list[tuple[int, float, str, int | None]]:
        constants, content = self.constants, self.content
        firsts = self.first(stem, choice, constants.facts)
        partners = constants.partners
        if constants.partners_by_walk:
            partners = max(partners, -(-constants.k * constants.walk // constants.facts))
        pairs = []
        for rank, (fact, score) in enumerate(firsts):
            held, wanted = content(self.corpus.texts[fact]), content(stem) | content(choice)
            if not held - wanted or not wanted - held:
                continue
            required = [held - wanted, wanted - held]
            if constants.question_term_second and content(stem) and not held & content(stem):
                required.append(content(stem))
            if constants.choice_term_second and content(choice) and not held & content(choice):
                required.append(content(choice))
            second = Query((tuple(held - wanted | wanted - held),))
            found = self.best(second, required, partners, constants.fetched_partners)
            for place, (partner, partner_score) in enumerate(found):
                assert partner != fact
                other = content(self.corpus.texts[partner])
                added = self.reference.scores(Query((tuple(held - wanted),))).get(partner, 0.0)
                left = self.mass((held ^ other) - wanted)
                total = score + partner_score - (1 - constants.added_weight) * added
                total -= constants.unexplained * left
                pairs.append((-round(total, 8), rank, place, fact, partner))
        line: list[tuple[int, float, str, int | None]] = []
        alone = [(fact, score, "first", None) for fact, score in firsts]
        line += alone[: constants.keep_first]
        for negated, _, _, fact, partner in sorted(pairs):
            line += [(fact, -negated, "first", partner), (partner, -negated, "second", fact)]
        line += alone if constants.fill else []
        taken: dict[object, tuple[int, float, str, int | None]] = {}
        for entry in line:
            if len(taken) < constants.k * constants.walk:
                taken.setdefault(self.key(entry[0]), entry)
        return list(taken.values())


sentences = st.lists(st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join), min_size=1, max_size=25)
text = st.lists(st.sampled_from([*WORDS, "zyx"]), max_size=4).map(" ".join)
constants = st.builds(
    RetrievalSettings,
    k=st.integers(1, 6),
    facts=st.integers(1, 6),
    partners=st.integers(1, 3),
    fetched=st.sampled_from([1, 5, 500]),
    fetched_partners=st.sampled_from([2, 500]),
    walk=st.integers(1, 2),
    partners_by_walk=st.booleans(),
    fill=st.booleans(),
    keep_first=st.integers(0, 2),
    added_weight=st.sampled_from([0.0, 0.5, 1.0]),
    unexplained=st.sampled_from([0.0, 0.25, 3.0]),
    unexplained_first=st.sampled_from([0.0, 0.125]),
    pool=st.sampled_from([1, 4, 100]),
    query_stop_words=st.sampled_from(["none", STOPS]),
    choice_term_first=st.booleans(),
    question_term_second=st.booleans(),
    choice_term_second=st.booleans(),
    max_characters=st.sampled_from([None, 14, 300]),
    negation=st.booleans(),
    duplicates=st.booleans(),
    clean=st.booleans(),
)


@settings(max_examples=150)
@given(sentences, text, text, text, constants)
def test_two_step_as_plain_python(
    texts: list[str], stem: str, one: str, other: str, chosen: RetrievalSettings
) -> None:
    corpus = corpus_in_memory(texts, PLAIN)
    plain = Plain(corpus, chosen)
    found = evidence("two-step", corpus, asked(stem, one, other), **vars(chosen))
    for choice, pieces in zip((one, other), found, strict=True):
        right = plain.two_step(stem, choice)
        assert [(p.sentence_id, p.role, p.partner) for p in pieces] == [
            (number, role, partner) for number, _, role, partner in right
        ]
        assert [p.score for p in pieces] == pytest.approx([score for _, score, _, _ in right], abs=1e-7)
        assert [p.text for p in pieces] == [texts[number] for number, _, _, _ in right]


@settings(max_examples=60)
@given(sentences, text, text, constants)
def test_single_as_plain_python(texts: list[str], stem: str, choice: str, chosen: RetrievalSettings) -> None:
    corpus = corpus_in_memory(texts, PLAIN)
    plain = Plain(corpus, chosen)
    right = plain.first(stem, choice, chosen.k)
    (pieces,) = evidence("single", corpus, asked(stem, choice), **vars(chosen))
    assert [p.sentence_id for p in pieces] == [number for number, _ in right]
    assert all(p.role == "single" for p in pieces)


CLIMATE = [
    "climate is described in terms of temperature and moisture",
    "fire behavior is driven by local weather such as winds and moisture",
    "sand is dry",
    "moisture makes mold grow",
]


def test_the_paper_s_example() -> None:
    question = asked("climate is described in what terms", "local weather", "sand")
    corpus = corpus_in_memory(CLIMATE)
    first, second = evidence("two-step", corpus, question, k=2)[0]
    assert {first.text, second.text} == set(CLIMATE[:2])
    assert (first.role, second.role) == ("first", "second")
    assert first.score == second.score
    # What shares moisture with the climate's fact alone must speak of the choice, unless that is waived.
    texts = [piece.text for piece in evidence("two-step", corpus, question)[0]]
    assert CLIMATE[3] not in texts
    waived = evidence("two-step", corpus, question, choice_term_second=False, question_term_second=False)
    assert len(waived[0]) >= len(texts)


def test_lineage_walks_twice_as_far() -> None:
    rng = random.Random(1)
    words = [f"w{n}" for n in range(40)]
    corpus = corpus_in_memory([" ".join(rng.choices(words, k=6)) for _ in range(300)], PLAIN)
    question = asked("w1 w2 w3 w4", "w5 w6")
    assert len(evidence("two-step", corpus, question)[0]) == 10
    assert len(evidence("two-step", corpus, question, **PRESETS["lineage"])[0]) == 20


@pytest.mark.parametrize("engine", ["exact", "tantivy"])
def test_batches_and_company_change_nothing(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(2)
    words = [f"w{n}" for n in range(30)] + ["not", "x!"]
    corpus = corpus_in_memory([" ".join(rng.choices(words, k=7)) for _ in range(200)], PLAIN)
    questions = [
        Question(str(n), " ".join(rng.choices(words, k=5)), asked("", *rng.choices(words, k=3)).choices)
        for n in range(12)
    ]
    chosen = RetrievalSettings(k=5, facts=4, engine=engine)
    for method in ("single", "two-step"):
        whole = list(Retriever(method, corpus, chosen).answer(questions))
        assert any(found for answer in whole for found in answer.evidence or ())
        monkeypatch.setattr(retriever, "BATCH", 5)
        parts = Retriever(method, corpus, chosen)
        assert list(parts.answer(questions)) == whole
        monkeypatch.undo()
        alone = Retriever(method, corpus, chosen)
        assert [next(iter(alone.answer([question]))) for question in questions] == whole
        assert alone.fetcher.dropped == parts.fetcher.dropped
        assert parts.fetcher.dropped["unclean"] > 0


def test_nothing_to_find() -> None:
    for texts in ([], [""], ["sand"]):
        corpus = corpus_in_memory(texts)
        for method in ("single", "two-step"):
            assert evidence(method, corpus, asked("what is it", "zyx", "the", "")) == [[], [], []]


def test_unknown_method() -> None:
    with pytest.raises(AssayError, match="no retrieval method 'guess'"):
        Retriever("guess", corpus_in_memory(["ore"]))
