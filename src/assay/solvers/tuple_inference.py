"""TupleInference: the choice that tuples of Open IE tie best to the question (Khot et al. 2017).

Khot, Sabharwal and Clark, "Answering Complex Questions Using Open Information Extraction" (ACL 2017): a
support graph ties terms of the question over fields of tuples to one choice; an integer programme finds the
one that gains most.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any

import numpy as np

from assay.corpus.model import Corpus
from assay.errors import AssayError
from assay.questions.model import Answer, GraphEvidence, Question, QuestionSet
from assay.questions.ties import choose
from assay.solvers.evidence_file import EvidenceFile
from assay.solvers.settings import read_settings, searched_corpus
from assay.solvers.tuples.evidence import graph_evidence
from assay.solvers.tuples.fields import Candidate, Rarity, candidate, distinct, nearest
from assay.solvers.tuples.links import problem_of, term_gains, terms_of
from assay.solvers.tuples.problem import UNIT, Problem
from assay.solvers.tuples.search import best_graph
from assay.solvers.tuples.settings import TupleInferenceSettings
from assay.solvers.tuples.sources import CorpusSource, EvidenceSource, Sentences, Source
from assay.text.analysis import Analyser

BATCH = 64
"""Questions whose sentences are fetched together. Changes no answer."""


class TupleInference:
    """The best support graph over retrieved tuples, for each choice, by integer programming.

    A choice's score is what its best graph gains, 0 without one: a question none of whose choices has a
    graph is a tie of all.
    """

    declared = TupleInferenceSettings

    def __init__(self, name: str, settings: TupleInferenceSettings, corpus: Corpus | None = None) -> None:
        """`corpus`: to retrieve from, where there is no evidence file.

        Raises AssayError when the evidence file, the tuples, the engine, the stop list or the parser can't
        be had, or there is neither file nor corpus.
        """
        self.name = name
        self._asked = settings
        self._corpus = corpus
        self._file = None if settings.evidence is None else EvidenceFile(settings.evidence)
        self._source: Source
        if self._file is not None:
            self._source = EvidenceSource(self._file, settings)
        elif corpus is not None:
            self._source = CorpusSource(corpus, settings)
        else:
            raise AssayError(
                f"solver {name!r} needs sentences",
                hint="corpus = NAME; or evidence = FILE, as assay retrieve writes it",
            )
        language = "english" if corpus is None else corpus.analyser.language
        self._analyser = Analyser(language, settings.stop_words)

    @classmethod
    def build(cls, name: str, settings: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> TupleInference:
        """Raises AssayError for a setting that is unknown or wrong, and as `__init__`."""
        owner = f"solver {name!r}"
        read = read_settings(cls.declared, settings, owner)
        return cls(name, read, searched_corpus(corpora, read.corpus, read.evidence, owner))

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every constant; where tuples are from, the parser and the rules that made them."""
        plain = asdict(self._asked)
        for name in ("corpus", "evidence", "tuples", "parser", "stop_words"):
            del plain[name]
        return {
            "solver": "tuple-inference",
            **plain,
            "source": dict(self._source.settings),
            "analyser": dict(self._analyser.settings),
        }

    def check(self, known: QuestionSet, asked: Sequence[Question] | None = None) -> tuple[str, ...]:
        """How many questions the evidence file lacks."""
        if self._file is None:
            return ()
        lacking = self._file.lacking(known if asked is None else asked, allowed=True)
        said = f"{len(lacking):,} questions have no evidence: all their choices tie"
        return (said,) if lacking else ()

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """One answer a question, in order."""
        remaining = iter(questions)
        while batch := list(islice(remaining, BATCH)):
            for question, sentences in zip(batch, self._source.sentences(batch), strict=True):
                yield self._answer(question, sentences)

    def problems(self, question: Question) -> tuple[list[Candidate], list[Problem]]:
        """The candidate tuples, and one problem a choice."""
        return self._problems(question, next(self._source.sentences([question])))

    def _answer(self, question: Question, sentences: Sentences) -> Answer:
        found, problems = self._problems(question, sentences)
        graphs = [best_graph(problem, self._asked.nodes) for problem in problems]
        terms = terms_of(question.stem, self._analyser)
        evidence: tuple[tuple[GraphEvidence, ...], ...] = tuple(
            graph_evidence(graph, terms, choice.text, found)
            for graph, choice in zip(graphs, question.choices, strict=True)
        )
        scores = tuple(graph.gain / UNIT for graph in graphs)
        return Answer(question.id, "answered", choose(question, scores), scores, evidence)

    def _problems(self, question: Question, sentences: Sentences) -> tuple[list[Candidate], list[Problem]]:
        asked = self._asked
        terms = terms_of(question.stem, self._analyser)
        choices = [frozenset(self._analyser.query_terms(choice.text)) for choice in question.choices]
        pool = list({one: None for own in sentences for one in own})
        pool.sort(key=lambda one: (one.text, one.sentence_id or 0))
        found = distinct(
            candidate(read, origin, self._analyser)
            for origin, own in zip(pool, self._source.tuples(pool), strict=True)
            for read in own
            if not (asked.negation and read.negated)
        )
        rarity = self._rarity(found)
        stem = frozenset(term.term for term in terms)
        groups = [choices] if asked.pool == "question" else [[choice] for choice in choices]
        near = [
            nearest(found, stem, group, rarity, ranking=asked.ranking, most=asked.candidates)
            for group in groups
        ]
        used = sorted({place for places in near for place in places})
        number = {place: at for at, place in enumerate(used)}
        kept = [found[place] for place in used]
        own = near * len(choices) if asked.pool == "question" else near
        gains = term_gains(terms, rarity, asked)
        return kept, [
            problem_of(terms, gains, choice, kept, {number[place] for place in places}, rarity, asked)
            for choice, places in zip(choices, own, strict=True)
        ]

    def _rarity(self, found: Sequence[Candidate]) -> Rarity:
        """Idf over the corpus's sentences; without a corpus, over the question's tuples."""
        if self._corpus is not None:
            return _Idf(len(self._corpus), _CorpusCounts(self._corpus))
        return _Idf(len(found), Counter(term for one in found for term in one.terms))


class _CorpusCounts(dict[str, int]):
    """In how many sentences a term stands, looked up once."""

    def __init__(self, corpus: Corpus) -> None:
        super().__init__()
        self._ids, self._starts = corpus.vocabulary.ids, corpus.postings.starts

    def __missing__(self, term: str) -> int:
        place = self._ids.get(term)
        count = 0 if place is None else int(np.diff(self._starts[place : place + 2])[0])
        self[term] = count
        return count


class _Idf:
    """ln(1 + N / n) of a term that n of N hold; of one that none holds, as if one did (published)."""

    def __init__(self, total: int, counts: Mapping[str, int]) -> None:
        self._total, self._counts = total, counts

    def __call__(self, term: str) -> float:
        return math.log1p(max(self._total, 1) / max(self._counts[term], 1))
