"""Tables made ready for many questions: cells as phrases, and the rows that speak of a question."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from assay.tables.model import Column, Row, Table, Tables
from assay.text.analysis import Analyser, is_stop
from assay.text.phrases import Phrase, phrase

BRACKETS = re.compile(r"[\[\](){}?]")
KEY = re.compile(r"\bKEY\b")


@dataclass(frozen=True, slots=True)
class Fact:
    """A row with its table; `cells`: by column, what may stand in the cell ("viruses; bacteria": two)."""

    table: Table
    row: Row
    cells: tuple[tuple[int, tuple[Phrase, ...]], ...]
    terms: frozenset[str]


class Facts:
    """All rows of all tables, in an order of their own that the files' order of rows doesn't change."""

    def __init__(self, tables: Tables, analyser: Analyser) -> None:
        self.tables = tables
        self._analyser = analyser
        self._phrases: dict[str, tuple[Phrase, ...]] = {}
        self.facts: list[Fact] = []
        for table in tables.tables:
            for row in sorted(table.rows, key=lambda row: (row.cells, row.line)):
                self.facts.append(self._fact(table, row))
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, fact in enumerate(self.facts):
            for term in fact.terms:
                self._places[term].append(place)
        self._idf = {term: math.log(1 + len(self.facts) / len(at)) for term, at in self._places.items()}
        self._lengths = [
            math.sqrt(math.fsum(self._idf[term] ** 2 for term in sorted(fact.terms))) for fact in self.facts
        ]
        self._of_table: dict[str, list[int]] = defaultdict(list)
        for place, fact in enumerate(self.facts):
            self._of_table[fact.table.name].append(place)

    def _fact(self, table: Table, row: Row) -> Fact:
        cells = tuple(
            (place, alternatives)
            for place in table.knowledge
            if row.cells[place] and (alternatives := self.alternatives(row.cells[place]))
        )
        words = {word for _, some in cells for one in some for word in one.words}
        terms = {self._analyser.term(word) for word in words}
        return Fact(table, row, cells, frozenset(term for term in terms if not is_stop(term)))

    def alternatives(self, cell: str) -> tuple[Phrase, ...]:
        """The phrases between a cell's semicolons; none where it has no word."""
        if cell not in self._phrases:
            found = (phrase(" ".join(one.split()), self._analyser) for one in cell.split(";"))
            self._phrases[cell] = tuple(dict.fromkeys(one for one in found if one.words))
        return self._phrases[cell]

    def only_stop_words(self, one: Phrase) -> bool:
        """Whether the phrase says nothing by itself ("can", "some")."""
        return all(is_stop(self._analyser.term(word)) for word in one.words)

    def header(self, column: Column) -> tuple[Phrase, ...]:
        """What a column's header calls its cells, the marks of the originals left out."""
        plain = BRACKETS.sub(" ; ", KEY.sub(" ; ", column.header)).replace("/", ";")
        return self.alternatives(plain)

    @cached_property
    def whole_cells(self) -> frozenset[str]:
        """Analysed terms that are all a cell says, somewhere: the words that the tables are about."""
        return frozenset(
            self._analyser.term(one.words[0])
            for fact in self.facts
            for _, some in fact.cells
            for one in some
            if len(one.words) == 1
        )

    def nearest(self, words: Iterable[str], tables: int, rows: int) -> list[int]:
        """Places of the rows most like a question: at most `rows` of each of the `tables` most like it.

        TF-IDF over rows: the cosine of the question's and the row's content terms, each weighted by the
        logarithm of how rare it is among the rows. A table is as like the question as its best row. Of
        equals the first in order. `words` may repeat; rows without a shared term are never among them.
        """
        terms = sorted({self._analyser.term(word) for word in words})
        sums: dict[int, float] = defaultdict(float)
        for term in terms:
            for place in self._places.get(term, ()):
                sums[place] += self._idf[term] ** 2
        by_table: dict[str, list[tuple[float, int]]] = defaultdict(list)
        for place, total in sums.items():
            by_table[self.facts[place].table.name].append((-total / self._lengths[place], place))
        ranked = sorted((min(found), name) for name, found in by_table.items())
        return sorted(place for _, name in ranked[:tables] for _, place in sorted(by_table[name])[:rows])
