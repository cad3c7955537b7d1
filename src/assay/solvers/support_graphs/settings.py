"""Every constant of TableILP, declared.

Where a meaning says "published", the number is that of Khashabi et al. 2016 as their published configuration
has it; the others are ours.
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.solvers.settings import REQUIRED, setting
from assay.text.vectors import DEFAULT, PACKAGED

SIMILARITIES = ("stems", "wordnet", "vectors", "wordnet+vectors")
SCIENCE = ("tables", "none")


@dataclass(frozen=True)
class TableILPSettings:
    """What decides a support graph."""

    tables: str = setting(REQUIRED, "folder of tables (.tsv, .csv)")
    alignments: str | None = setting(
        None, "file of column pairs that may be tied across tables; any may, unless set"
    )
    deprecated: bool = setting(False, "use rows that carry a deprecation note")
    similarity: str = setting("stems", "how words are matched", one_of=SIMILARITIES)
    vectors: str = setting(DEFAULT, f"static vectors, if asked for: {', '.join(PACKAGED)}, or a file")
    vectors_least: float = setting(0.6, "least cosine that counts", minimum=0, maximum=1)
    wordnet: str = setting("/usr/share/wordnet", "folder of WordNet's database files, if asked for")
    stop_words: str = setting("questions", "stop list of terms, cells and choices, by name or path")
    science_terms: str = setting(
        "tables", "science terms: tables (words that fill a cell), none, or a file of them, one a line"
    )
    tables_considered: int = setting(7, "tables most like the question (published)", minimum=1)
    rows_considered: int = setting(20, "rows of each that are most like it (published)", minimum=1)
    tables_used: int = setting(4, "tables in a graph, at most (published)", minimum=1)
    rows_used: int = setting(4, "rows of a table in it, at most (published)", minimum=1)
    links_per_term: int = setting(2, "links of a question term, at most (published)", minimum=1)
    links_per_cell: int = setting(2, "links of a cell, at most (published)", minimum=1)
    chain: bool = setting(
        True, "fewer links between tables than tables in a graph; false: any number, as published"
    )
    cell_cell: float = setting(0.6, "least similarity of two tied cells (published)", minimum=0, maximum=1)
    term_cell: float = setting(0.1, "least of a term and a cell (published)", minimum=0, maximum=1)
    term_header: float = setting(0.1, "least of a term and a header (published)", minimum=0, maximum=1)
    choice_cell: float = setting(0.2, "least of a choice and a cell (published)", minimum=0, maximum=1)
    choice_word_cell: float = setting(
        0.4, "least of a choice's word and a cell (published)", minimum=0, maximum=1
    )
    table_penalty: float = setting(3.0, "cost of a table (published)", minimum=0, maximum=1000)
    row_penalty: float = setting(1.0, "cost of a row (published)", minimum=0, maximum=1000)
    link_penalty: float = setting(0.1, "cost of a link between tables (published)", minimum=0, maximum=1)
    column_weight: float = setting(
        1.0,
        "gain of all columns of a table; one with a cell in the graph gains its share (published)",
        minimum=0,
        maximum=1000,
    )
    header_weight: float = setting(
        0.3, "gain of a header tied to a term (published)", minimum=0, maximum=1000
    )
    term_weight: float = setting(0.3, "gain of a tied term (published)", minimum=0, maximum=1000)
    science_factor: float = setting(
        2.0, "what a science term's gain is multiplied by (published)", minimum=0, maximum=1000
    )
    which_bonus: float = setting(
        1.5, 'gain besides of a tied term after "which" (published)', minimum=0, maximum=1000
    )
    which_alike: float = setting(
        0.6, "least similarity of that term and a cell (published)", minimum=0, maximum=1
    )
    which_span: int = setting(
        1, 'content words after "which" that count as asked for (published: 2)', minimum=0
    )
    effort: int = setting(
        1000, "sets of rows looked at for a choice, at most; a programme counts as 20", minimum=1
    )
    nodes: int = setting(1000, "nodes of branch and bound in a programme, at most", minimum=1)
