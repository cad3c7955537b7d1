"""Every constant of TupleInference, declared.

Where a meaning says "published", it is that of Khot, Sabharwal and Clark 2017; the others are ours, and the
defaults of those were chosen on ARC's dev questions (see docs/tuple-inference.md).
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.evidence.engines import ENGINES
from assay.evidence.sentence_filter import FilterRules
from assay.settings import setting
from assay.solvers.tuples.problem import Limits
from assay.text.parsing import DEFAULT

POOLS = ("question", "choice")
TUPLES = ("corpus", "stored", "parsed")
"""Words for where tuples are from; any other is a folder."""
RANKINGS = ("tf-idf", "jaccard")


@dataclass(frozen=True)
class TupleInferenceSettings:
    """Where tuples are from, which are read, and what decides a support graph."""

    corpus: str | None = setting(None, "name of the corpus to retrieve from; the only one, unless set")
    evidence: str | None = setting(
        None, "tuples of this evidence file's sentences, as assay retrieve writes it, instead of a corpus's"
    )
    tuples: str = setting(
        "corpus",
        "corpus: its stored tuples where it has them, else parsed; stored: these or an error; parsed: on the "
        "fly; or a folder that assay corpus tuples wrote",
    )
    parser: str = setting(DEFAULT, "parser of the sentences: a spaCy model's name, or the folder of one")
    hits: int = setting(30, "sentences retrieved a choice (published: 200)", minimum=1)
    max_characters: int | None = setting(300, "longer sentences are dropped (published)", minimum=1)
    negation: bool = setting(True, "drop sentences with not, n't or except, and tuples denied (published)")
    clean: bool = setting(False, "drop sentences that aren't clean")
    engine: str = setting("exact", "search engine", one_of=ENGINES)
    stop_words: str = setting("questions", "stop list of terms, fields and choices, by name or path")
    pool: str = setting(
        "question",
        "tuples are chosen for the whole question (published) or each choice's own",
        one_of=POOLS,
    )
    ranking: str = setting(
        "jaccard",
        "tf-idf: of the terms shared with the stem, by the lengths of both (published, stored tuples); "
        "jaccard: share of idf of tuple, stem and choice that is common (published without idf, on the fly)",
        one_of=RANKINGS,
    )
    candidates: int = setting(50, "tuples so chosen (published)", minimum=1)
    tuples_used: int = setting(4, "tuples in a graph, at most (published)", minimum=1)
    links_per_term: int = setting(4, "links of a question term, at most (published)", minimum=1)
    links_per_choice: int = setting(4, "links of the choice, at most (published)", minimum=1)
    links_per_field: int = setting(4, "links of a field, at most", minimum=1)
    fields_used: int = setting(2, "fields of a tuple in a graph, at least (published)", minimum=1)
    term_weight: float = setting(1.0, "what all of the stem's terms gain together", minimum=0, maximum=1000)
    choice_weight: float = setting(0.25, "what a link of the whole choice gains", minimum=0, maximum=1000)
    position: float = setting(
        0.5, "what the stem's first term gains less than its last, as a share", minimum=0, maximum=1
    )
    rarity: float = setting(2.0, "power of its idf that a term's gain goes with", minimum=0, maximum=4)
    field_length: float = setting(
        0.0, "power of a field's number of terms that its links' gains are divided by", minimum=0, maximum=1
    )
    nodes: int = setting(1000, "nodes of branch and bound for a choice, at most", minimum=1)

    @property
    def rules(self) -> FilterRules:
        """The sentence filter's rules."""
        return FilterRules(self.max_characters, self.negation, True, self.clean)

    @property
    def limits(self) -> Limits:
        """How large a graph may be."""
        return Limits(
            self.tuples_used,
            self.links_per_term,
            self.links_per_choice,
            self.links_per_field,
            self.fields_used,
        )
