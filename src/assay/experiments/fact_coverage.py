"""Gold facts in a corpus: to the letter, nearly, and as near as random words would be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.evidence.held import Holding
from assay.experiments.experiment import Figure, Measure, Row, Table
from assay.experiments.grouped import Bools, Floats, within
from assay.experiments.scored import share
from assay.questions.explanations import Fact
from assay.scoring.interval import Codes
from assay.scoring.recall import fact_key
from assay.text.analysis import Analyser

Ints = npt.NDArray[np.int64]
NEAR = 0.8
"""Share of a fact's content stems from which on a sentence is near it."""
BOUNDS = (1.0, 0.8, 0.6, 0.4, 0.0)
NO_ROLE = "no role"


@dataclass(frozen=True, eq=False)
class FactCoverage:
    """The facts of questions, those of one after another; arrays have shape (facts,).

    `owners`: each fact's question by place, rising. `exact`: a sentence has its letters and digits;
    `dropped`: and the sentence filter drops it. `shares`: share of its distinct content stems that its
    nearest sentence holds, 0..1; `random`: the same for as many stems drawn at random from all facts.
    `known`: share of its stems that some sentence holds. `nearest`: the nearest sentence's id, -1 without.
    """

    owners: Ints
    facts: tuple[Fact, ...]
    exact: Bools
    dropped: Bools
    shares: Floats
    random: Floats
    known: Floats
    nearest: Ints

    def near(self, least: float) -> Bools:
        """Which facts some sentence nearly is, or is to the letter."""
        return np.asarray((self.shares >= least) | self.exact)

    def sayable(self, least: float) -> Bools:
        """Which facts some sentence could be near, by the words that the corpus has."""
        return np.asarray((self.known >= least) | self.near(least))


def fact_coverage(
    facts: Sequence[Sequence[Fact]],
    holding: Holding,
    analyser: Analyser,
    found: Mapping[str, tuple[int, str | None]],
    seed: int,
) -> FactCoverage:
    """`facts`: of each question. `found`: `scoring.gold.find_facts` of them. `seed`: of the random stems."""
    owners = np.repeat(np.arange(len(facts)), [len(own) for own in facts])
    every = tuple(fact for own in facts for fact in own)
    terms = [list(dict.fromkeys(analyser.query_terms(fact.text))) for fact in every]
    nearest = holding.most(terms)
    known = np.zeros(len(every))
    np.divide(nearest.known, nearest.wanted, out=known, where=nearest.wanted > 0)
    exact = [found.get(fact_key(fact.text)) for fact in every]
    return FactCoverage(
        owners,
        every,
        np.array([one is not None for one in exact], np.bool_),
        np.array([one is not None and one[1] is not None for one in exact], np.bool_),
        nearest.shares,
        holding.most(_drawn(terms, seed)).shares,
        known,
        nearest.sentences,
    )


def _drawn(terms: Sequence[Sequence[str]], seed: int) -> list[list[str]]:
    """As many distinct terms as each fact has, drawn from all facts' terms as often as they stand there."""
    pool = [term for own in terms for term in own]
    draw = np.random.default_rng(seed)
    made = []
    for own in terms:
        places = draw.integers(len(pool), size=8 * len(own) + 8) if pool else np.zeros(0, np.int64)
        made.append(list(dict.fromkeys(pool[place] for place in places.tolist()))[: len(own)])
    return made


def facts_rows(found: FactCoverage, corpus: str, least: float, clusters: Codes | None = None) -> list[Row]:
    """Rows of `facts_table`: by role, where facts have roles, and all.

    Facts of a question stand or fall together, or of one of the `clusters` of questions, int64 (questions,).
    """
    roles = sorted({fact.role or NO_ROLE for fact in found.facts})
    of_role = {
        role: np.array([(fact.role or NO_ROLE) == role for fact in found.facts], np.bool_) for role in roles
    }
    parts = of_role if len(roles) > 1 else {}
    rows = []
    for role, chosen in {**parts, "all": np.ones(len(found.facts), np.bool_)}.items():
        own = _clusters(found.owners[chosen], clusters)
        exact = chosen & found.exact
        random = float((found.random[chosen] >= least).mean()) if chosen.any() else None
        figures = (
            Figure(int(chosen.sum())),
            within(share(found.exact[chosen], own)),
            Figure(int((exact & found.dropped).sum())),
            within(share(found.near(least)[chosen], own)),
            Figure(None if random is None else 100 * random),
        )
        rows.append(Row((corpus, role), figures))
    return rows


def _clusters(owners: Ints, clusters: Codes | None) -> Codes:
    """Of each fact the number of its question's cluster, from 0 without gaps."""
    known = owners if clusters is None else clusters[owners]
    return np.unique(known, return_inverse=True)[1].astype(np.int64)


def facts_table(rows: Sequence[Row], least: float) -> Table:
    """Facts that the corpora hold."""
    measures = (
        Measure("facts", "count"),
        Measure("to the letter", "percent", drawn=True),
        Measure("of these dropped by the filter", "count"),
        Measure(f"near ({100 * least:.0f} percent of its words)", "percent", drawn=True),
        Measure("as many random words", "percent"),
    )
    return Table("Gold facts that the corpus has", ("corpus", "role"), measures, tuple(rows))


def nearest_rows(found: FactCoverage, corpus: str, clusters: Codes | None = None) -> list[Row]:
    """Rows of `nearest_table`: how much of a fact its nearest sentence holds. `clusters` as above."""
    own = _clusters(found.owners, clusters)
    rows = []
    above = np.inf
    for low in BOUNDS:
        inside = (found.shares >= low) & (found.shares < above)
        random = (found.random >= low) & (found.random < above)
        name = "all" if low == 1.0 else f"{100 * low:.0f} to {100 * above:.0f}"
        figures = (
            Figure(int(inside.sum())),
            within(share(inside, own)),
            Figure(100 * float(random.mean()) if len(random) else None),
        )
        rows.append(Row((corpus, name), figures))
        above = low
    return rows


def nearest_table(rows: Sequence[Row]) -> Table:
    """How much of each fact the sentence nearest to it holds."""
    measures = (
        Measure("facts", "count"),
        Measure("share", "percent", drawn=True),
        Measure("as many random words", "percent"),
    )
    caption = "Percent of a gold fact's words that the nearest sentence has"
    return Table(caption, ("corpus", "words"), measures, tuple(rows))
