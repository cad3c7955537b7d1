"""Premises: the best few sentences over all choices of a question, each holding the choice it speaks for.

Clark et al. 2018 (ARC), section 5.1: the query is stem + choice, a sentence must contain the choice, the
sentence filter drops what is long, negated, a copy or not clean, and the best 8 by the engine's score, over
all choices of the question together, are its premises. What entailment solvers and BiDAF read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from assay.corpus.model import Corpus
from assay.evidence.engine import Hits, Query
from assay.evidence.engines import ENGINES, open_engine
from assay.evidence.query_words import QueryWords
from assay.evidence.retrieval import Fetcher, Judged
from assay.evidence.sentence_filter import RULES, FilterRules, SentenceFilter
from assay.questions.model import Answer, Question, SentenceEvidence
from assay.settings import setting

BATCH = 128
"""Questions searched together. Changes no result."""
ROLE = "premise"
NOT_BEST = "not among the best"
"""What becomes of a sentence that the filter keeps and the question has 8 better ones than."""


@dataclass(frozen=True)
class PremiseSettings:
    """Every constant of premises (ARC, section 5.1; what the paper leaves open from its baselines' code)."""

    k: int = setting(8, "sentences a question, over all its choices", minimum=1)
    contains: str = setting(
        "all",
        "what a premise must hold of its choice: all content stems, or any one (the lineage); of a choice "
        "without content stems its stop words",
        one_of=("all", "any"),
    )
    ties: bool = setting(
        False, "keep also what ties with the k-th score (the lineage), of each choice's best k"
    )
    stem_characters: int | None = setting(
        None, "use only the last so many characters of the stem (the lineage: 1000)", minimum=1
    )
    fetched: int | None = setting(
        None, "hits of a choice that the filter may look at (the lineage: 100); none: all", minimum=1
    )
    query_stop_words: str = setting(
        "none", "more stop words, for questions and choices: a list's name or file"
    )
    max_characters: int | None = setting(300, "longer sentences are dropped", minimum=1)
    negation: bool = setting(True, "drop sentences with not, n't or except (the lineage doesn't)")
    duplicates: bool = setting(True, "drop sentences that differ from a better one in marks alone")
    clean: bool = setting(True, "drop sentences that aren't clean")
    engine: str = setting("exact", "search engine", one_of=ENGINES)
    k1: float = setting(1.2, "BM25's k1", minimum=0)
    b: float = setting(0.75, "BM25's b", minimum=0, maximum=1)

    @property
    def rules(self) -> FilterRules:
        """The sentence filter's rules."""
        return FilterRules(self.max_characters, self.negation, self.duplicates, self.clean)

    @property
    def sentences(self) -> int:
        """Sentences a choice, at most."""
        return self.k


PREMISE_PRESETS: Mapping[str, Mapping[str, Any]] = {
    "paper": {},
    "lineage": {
        "contains": "any",
        "ties": True,
        "stem_characters": 1000,
        "fetched": 100,
        "negation": False,
    },
}
"""Settings by name: the paper's reading (the defaults); that of the code its figures were made with."""


class Found(NamedTuple):
    """What was found for one choice: its hits with the filter's verdicts, and which of the kept are premises.

    `hits` are those kept and those dropped before the last one kept; `premises`: best first.
    """

    query: Query
    hits: Judged
    premises: Hits


class Premises:
    """Questions in, each choice's premises out: answers that choose nothing ("unanswered")."""

    name = "premises"

    def __init__(self, corpus: Corpus, settings: PremiseSettings | None = None) -> None:
        """Raises AssayError when the engine can't be opened or a stop list isn't known."""
        self.corpus = corpus
        self.asked = asked = settings or PremiseSettings()
        self.words = QueryWords(corpus, asked.query_stop_words)
        self.engine = open_engine(asked.engine, corpus, k1=asked.k1, b=asked.b)
        self.filter = SentenceFilter(corpus, asked.rules)
        self._fetcher = Fetcher(self.engine, self.filter)
        self.capped = 0
        """Choices with fewer than k sentences left by the filter where only `fetched` hits were looked at."""
        self._not_best = 0

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every constant; what engine (with the corpus's fingerprint) and analyser are."""
        return {
            "retrieval": self.name,
            **{name: value for name, value in vars(self.asked).items() if name not in ("engine", "k1", "b")},
            **self.words.settings,
            "engine": dict(self.engine.settings),
            "analyser": dict(self.corpus.analyser.settings),
        }

    @property
    def queries(self) -> int:
        """Queries searched so far."""
        return self._fetcher.queries

    @property
    def dropped(self) -> dict[str, int]:
        """Hits so far that hold their choice and are no premises, by rule; each choice's to its k-th kept."""
        return {**{rule: self._fetcher.dropped[rule] for rule in RULES}, NOT_BEST: self._not_best}

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """The premises of each question, in order; a choice may have none."""
        for question, found in self.find(questions):
            evidence = tuple(self._evidence(one.premises) for one in found)
            yield Answer(question.id, "unanswered", evidence=evidence)

    def find(self, questions: Iterable[Question]) -> Iterator[tuple[Question, list[Found]]]:
        """Each question, in order, with what was found for each of its choices."""
        for batch in self.find_batches(questions):
            yield from batch

    def find_batches(self, questions: Iterable[Question]) -> Iterator[list[tuple[Question, list[Found]]]]:
        """As `find`, by the questions that were searched together."""
        most = self.asked.fetched or max(1, len(self.corpus))
        remaining = iter(questions)
        while batch := list(islice(remaining, BATCH)):
            queries = [query for question in batch for query in self.queries_of(question)]
            judged = self._fetcher.judged(queries, self.asked.k, most)
            pairs = zip(queries, judged, strict=True)
            yield [(q, self._found(list(islice(pairs, len(q.choices))))) for q in batch]

    def _found(self, judged: Sequence[tuple[Query, Judged]]) -> list[Found]:
        k = self.asked.k
        premises = pooled([hits.kept for _, hits in judged], k, ties=self.asked.ties)
        for (_, hits), best in zip(judged, premises, strict=True):
            kept = len(hits.kept.ids)
            self._not_best += kept - len(best.ids)
            self.capped += kept < k and hits.more and self.asked.fetched is not None
        return [Found(*pair, best) for pair, best in zip(judged, premises, strict=True)]

    def queries_of(self, question: Question) -> list[Query]:
        """For each choice the query: scored by stem and choice, with what of the choice a hit must hold."""
        stem = question.stem
        if self.asked.stem_characters is not None:
            stem = stem[-self.asked.stem_characters :]
        scored = tuple(self.words.content(stem))
        queries = []
        for choice in question.choices:
            terms = tuple(self.words.choice(choice.text))
            each = self.asked.contains == "all" and terms
            required = tuple((term,) for term in dict.fromkeys(terms)) if each else (terms,)
            queries.append(Query((scored, terms), required=required))
        return queries

    def _evidence(self, hits: Hits) -> tuple[SentenceEvidence, ...]:
        texts, sources = self.corpus.texts, self.corpus.sources
        return tuple(
            SentenceEvidence(texts[sentence], score, sentence, sources[sentence], ROLE)
            for sentence, score in zip(hits.ids.tolist(), hits.scores.tolist(), strict=True)
        )


def pooled(lists: Sequence[Hits], k: int, *, ties: bool = False) -> list[Hits]:
    """Of each list what is among the best k of all of them, best first.

    A sentence found for two choices is two hits, each with its own score. Equal scores: the lower sentence id
    first, then the earlier list; with `ties`, all that tie with the k-th are kept.
    """
    scores = np.concatenate([hits.scores for hits in lists]) if lists else np.empty(0)
    if len(scores) <= k:
        return list(lists)
    ids = np.concatenate([hits.ids for hits in lists])
    order = np.lexsort((ids, -scores))
    kept = np.zeros(len(scores), np.bool_)
    kept[order[:k]] = True
    if ties:
        kept |= scores == scores[order[k - 1]]
    ends = np.cumsum([len(hits.ids) for hits in lists])[:-1]
    return [Hits(h.ids[mask], h.scores[mask]) for h, mask in zip(lists, np.split(kept, ends), strict=True)]


@dataclass(frozen=True, slots=True)
class Coverage:
    """Who has premises.

    `by_choices[n]`: questions with premises for n choices, rising; `all_choices`: those where all have one.
    `keyed`: questions with a key; `key`: those whose key has one.
    """

    sentences: int
    by_choices: Mapping[int, int]
    all_choices: int
    keyed: int
    key: int


def coverage(questions: Iterable[Question], answers: Iterable[Answer]) -> Coverage:
    """Counts over questions and their evidence, in the same order."""
    counts: Counter[int] = Counter()
    sentences = every = keyed = key = 0
    for question, answer in zip(questions, answers, strict=True):
        held = [len(pieces) for pieces in answer.evidence or ()]
        sentences += sum(held)
        counts[sum(map(bool, held))] += 1
        every += bool(held) and all(held)
        if question.answer is not None:
            keyed += 1
            key += bool(held) and held[question.labels.index(question.answer)] > 0
    return Coverage(sentences, dict(sorted(counts.items())), every, keyed, key)
