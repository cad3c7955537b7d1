"""TableILP: the choice that the best support graph over tables speaks for.

Khashabi et al. 2016, "Question Answering via Integer Programming over Semi-Structured Knowledge". A support
graph ties terms of the question to cells of table rows, cells of different tables to each other, and one
choice to cells; an integer programme finds the one that gains most.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from assay.corpus.model import Corpus
from assay.questions.model import Answer, Question, QuestionSet
from assay.questions.ties import choose
from assay.solvers.settings import read_settings
from assay.solvers.support_graphs import links
from assay.solvers.support_graphs.evidence import graph_evidence
from assay.solvers.support_graphs.facts import Facts
from assay.solvers.support_graphs.problem import UNIT, Problem
from assay.solvers.support_graphs.search import best_graph
from assay.solvers.support_graphs.settings import TableILPSettings
from assay.solvers.support_graphs.terms import terms_of, words_of
from assay.tables.alignments import with_alignments
from assay.tables.reading import read_tables
from assay.text.analysis import Analyser
from assay.text.phrases import Best, Related, Stems, Vectors, WordScores
from assay.text.wordnet import WordNet
from assay.text_files import read_text


class TableILP:
    """The best support graph over a folder of tables, for each choice, by integer programming.

    A choice's score is what its best graph gains; without a graph it is minus infinity, and a question
    without any graph is a tie of all its choices.
    """

    declared = TableILPSettings

    def __init__(self, name: str, settings: TableILPSettings) -> None:
        """Raises AssayError when tables, alignments, WordNet, vectors or science terms can't be read."""
        self.name = name
        self._set = settings
        tables = read_tables(settings.tables, deprecated=settings.deprecated)
        if settings.alignments is not None:
            tables = with_alignments(tables, settings.alignments)
        self._tables = tables
        self._analyser = Analyser("english", settings.stop_words)
        self._scores = word_scores(settings, self._analyser)
        self._facts = Facts(tables, self._analyser)
        self._science = self._science_terms()
        self._linker = links.Linker(self._facts, self._scores, settings)

    @classmethod
    def build(cls, name: str, settings: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> TableILP:
        """Raises AssayError for a setting that is unknown or wrong, or files that can't be read."""
        return cls(name, read_settings(cls.declared, settings, f"solver {name!r}"))

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every constant; the content of tables, alignments and science terms; how words are matched."""
        plain = asdict(self._set)
        for path in (
            "tables",
            "alignments",
            "vectors",
            "vectors_least",
            "wordnet",
            "stop_words",
            "similarity",
        ):
            del plain[path]
        science = "\n".join(sorted(self._science)).encode("utf-8", "backslashreplace")
        return {
            "solver": "tableilp",
            **plain,
            "tables": self._tables.fingerprint,
            "similarity": dict(self._scores.settings),
            "analyser": dict(self._analyser.settings),
            "science_terms": hashlib.sha256(science).hexdigest(),
        }

    def check(self, known: QuestionSet, asked: Sequence[Question] | None = None) -> tuple[str, ...]:
        """What of the tables is read, and what is left out."""
        return tuple(f"tables: {note}" for note in self._tables.notes)

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """One answer a question, in order."""
        for question in questions:
            yield self._answer(question)

    def problems(self, question: Question) -> tuple[links.Question, list[int], list[Problem]]:
        """What is asked, the places of the candidate rows, and one problem a choice."""
        asked = links.Question(
            terms_of(question.stem, self._analyser, self._science, self._set.which_span),
            tuple(words_of(choice.text, self._analyser) for choice in question.choices),
        )
        words = [word for term in asked.terms for word in term.phrase.words]
        words += [word for whole, _ in asked.choices for word in whole.words]
        near = self._facts.nearest(words, self._set.tables_considered, self._set.rows_considered)
        return asked, near, self._linker.problems(asked, near)

    def _answer(self, question: Question) -> Answer:
        asked, near, problems = self.problems(question)
        found = [best_graph(problem, self._set.effort, self._set.nodes) for problem in problems]
        facts = [self._facts.facts[place] for place in near]
        evidence = tuple(
            graph_evidence(one, asked, number, question.choices[number].text, facts, problems[number].rows)
            for number, one in enumerate(found)
        )
        scores = tuple(-math.inf if one.gain is None else one.gain / UNIT for one in found)
        return Answer(question.id, "answered", choose(question, scores), scores, evidence)

    def _science_terms(self) -> Collection[str]:
        if self._set.science_terms == "none":
            return frozenset()
        if self._set.science_terms == "tables":
            return self._facts.whole_cells
        lines = read_text(self._set.science_terms).splitlines()
        return frozenset(term for line in lines for term in self._analyser.content(line))


def word_scores(settings: TableILPSettings, analyser: Analyser) -> WordScores:
    """How words are matched. Raises AssayError when WordNet or the vectors aren't there."""
    scores: list[WordScores] = [Stems(analyser)]
    if "wordnet" in settings.similarity:
        scores.append(Related(WordNet(settings.wordnet)))
    if "vectors" in settings.similarity:
        scores.append(Vectors(settings.vectors, settings.vectors_least))
    return scores[0] if len(scores) == 1 else Best(*scores)
