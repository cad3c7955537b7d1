"""From a question and candidate rows to the problem of a support graph: every link above its threshold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.solvers.support_graphs.facts import Fact, Facts
from assay.solvers.support_graphs.problem import (
    UNIT,
    Cell,
    CellLink,
    ChoiceLink,
    HeaderLink,
    Limits,
    Problem,
    TermLink,
)
from assay.solvers.support_graphs.settings import TableILPSettings
from assay.solvers.support_graphs.terms import Term
from assay.text.phrases import Matrix, Phrase, WordScores, similarities


@dataclass(frozen=True)
class Question:
    """What is asked: terms, and each choice whole and word by word."""

    terms: tuple[Term, ...]
    choices: tuple[tuple[Phrase, tuple[Phrase, ...]], ...]


def thousandths(weight: float) -> int:
    """The weight in whole units; what floats leave open at a half is always rounded up."""
    return math.floor(weight * UNIT + 0.5 + 1e-6)


class Linker:
    """Makes problems of questions."""

    def __init__(self, facts: Facts, scores: WordScores, settings: TableILPSettings) -> None:
        self._facts = facts
        self._scores = scores
        self._set = settings
        self._limits = Limits(
            settings.tables_used,
            settings.rows_used,
            settings.links_per_term,
            settings.links_per_cell,
            settings.chain,
            thousandths(settings.table_penalty),
            thousandths(settings.row_penalty),
            thousandths(settings.header_weight),
        )

    def problems(self, question: Question, places: Sequence[int]) -> list[Problem]:
        """One problem a choice, over the rows at these places of the facts."""
        facts = [self._facts.facts[place] for place in places]
        names = {name: number for number, name in enumerate(dict.fromkeys(fact.table.name for fact in facts))}
        terms = self._terms(question, facts)
        with_term = {link.cell.row for link in terms}
        across = tuple(self._across(facts, sorted(with_term)))
        headers = tuple(self._headers(question, facts, names))
        weights = [
            self._set.term_weight * (self._set.science_factor if t.science else 1) for t in question.terms
        ]
        rows = tuple(names[fact.table.name] for fact in facts)
        gains = tuple(map(thousandths, weights))
        tables = {fact.table.name: fact.table for fact in facts}
        columns = tuple(thousandths(self._set.column_weight / len(tables[name].knowledge)) for name in names)
        which = tuple(thousandths(self._set.which_bonus) if term.asked else 0 for term in question.terms)
        by_choice = self._choices(question, facts, sorted(with_term))
        return [
            Problem(rows, columns, gains, which, tuple(terms), headers, tuple(links), across, self._limits)
            for links in by_choice
        ]

    def _terms(self, question: Question, facts: Sequence[Fact]) -> list[TermLink]:
        found = self._to_cells([term.phrase for term in question.terms], facts, range(len(facts)))
        return [
            TermLink(term, cell, thousandths(alike), bool(alike >= self._set.which_alike))
            for term, cell, alike in found
            if alike >= self._set.term_cell
        ]

    def _headers(self, question: Question, facts: Sequence[Fact], names: dict[str, int]) -> list[HeaderLink]:
        tables = {fact.table.name: fact.table for fact in facts}
        columns = [
            (names[name], place, one)
            for name, table in tables.items()
            for place in table.knowledge
            for one in self._facts.header(table.columns[place])
        ]
        alike = similarities([t.phrase for t in question.terms], [one for *_, one in columns], self._scores)
        best: dict[tuple[int, int, int], float] = {}
        for term, column in zip(*np.nonzero(alike >= max(self._set.term_header, 1e-9)), strict=True):
            table, place, _ = columns[column]
            key = int(term), table, place
            best[key] = max(best.get(key, 0.0), float(alike[term, column]))
        return [HeaderLink(*key, thousandths(weight)) for key, weight in sorted(best.items())]

    def _choices(
        self, question: Question, facts: Sequence[Fact], rows: Sequence[int]
    ) -> list[list[ChoiceLink]]:
        links: list[list[ChoiceLink]] = []
        wholes = [whole for whole, _ in question.choices]
        links = [[] for _ in wholes]
        for choice, cell, alike in self._to_cells(wholes, facts, rows):
            if alike >= self._set.choice_cell:
                links[choice].append(ChoiceLink(None, cell, thousandths(alike)))
        parts = [
            (choice, number)
            for choice, (_, words) in enumerate(question.choices)
            for number in range(len(words))
        ]
        words = [question.choices[choice][1][number] for choice, number in parts]
        for place, cell, alike in self._to_cells(words, facts, rows):
            choice, number = parts[place]
            if alike >= self._set.choice_word_cell:
                share = alike / len(question.choices[choice][1])
                links[choice].append(ChoiceLink(number, cell, thousandths(share)))
        return links

    def _to_cells(
        self, phrases: Sequence[Phrase], facts: Sequence[Fact], rows: Sequence[int]
    ) -> list[tuple[int, Cell, float]]:
        """(phrase, cell, similarity) of all that are alike at all; of alternatives the most alike."""
        cells = [
            (Cell(row, column), one) for row in rows for column, some in facts[row].cells for one in some
        ]
        alike = self._alike(phrases, [one for _, one in cells])
        best: dict[tuple[int, Cell], float] = {}
        for number, place in zip(*np.nonzero(alike), strict=True):
            key = int(number), cells[place][0]
            best[key] = max(best.get(key, 0.0), float(alike[number, place]))
        return [(number, cell, weight) for (number, cell), weight in best.items()]

    def _alike(self, phrases: Sequence[Phrase], others: Sequence[Phrase]) -> Matrix:
        """Similarities, each distinct phrase compared once."""
        distinct = {one: number for number, one in enumerate(dict.fromkeys(others))}
        found = similarities(phrases, list(distinct), self._scores)
        return found[:, [distinct[one] for one in others]]

    def _across(self, facts: Sequence[Fact], rows: Sequence[int]) -> list[CellLink]:
        cells = [
            (Cell(row, column), one)
            for row in rows
            for column, some in facts[row].cells
            for one in some
            if not self._facts.only_stop_words(one)
        ]
        if not cells:
            return []
        distinct = {one: number for number, one in enumerate(dict.fromkeys(one for _, one in cells))}
        alike = similarities(list(distinct), list(distinct), self._scores)
        which = np.array([distinct[one] for _, one in cells])
        names = [facts[cell.row].table.name for cell, _ in cells]
        order = {name: number for number, name in enumerate(dict.fromkeys(names))}
        tables = np.array([order[name] for name in names])
        near = (alike >= self._set.cell_cell - 1e-9)[np.ix_(which, which)] & (
            tables[:, None] < tables[None, :]
        )
        best: dict[tuple[Cell, Cell], float] = {}
        for one, other in zip(*np.nonzero(near), strict=True):
            pair = cells[one][0], cells[other][0]
            if self._may_be_tied(names[one], pair[0], names[other], pair[1]):
                best[pair] = max(best.get(pair, 0.0), float(alike[which[one], which[other]]))
        cost = self._set.link_penalty
        return [CellLink(*pair, thousandths(weight - cost)) for pair, weight in best.items()]

    def _may_be_tied(self, table: str, one: Cell, other_table: str, other: Cell) -> bool:
        allowed = self._facts.tables.alignments
        return allowed is None or ((table, one.column), (other_table, other.column)) in allowed
