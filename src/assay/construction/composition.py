"""Which compositions a question set has: relations, rules, bridges (Khot et al. 2020, section 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.construction.overlap import Stems
from assay.questions.composition import RELATIONS, Composition, composition
from assay.questions.model import Question
from assay.scoring.columns import cluster_numbers
from assay.scoring.interval import CONFIDENCE, Estimate, estimate


@dataclass(frozen=True, slots=True)
class CompositionRule:
    """How often rS + rL => rQ stands, and its share of the questions with all three relations."""

    rS: str
    rL: str
    rQ: str
    count: int
    share: Estimate


@dataclass(frozen=True, slots=True)
class Bridges:
    """Bridge concepts, by their stems: of `n` with both facts, how many stand in both; of `asked_n` with a
    key, how many stand in question or answer, where a bridge should not be seen."""

    n: int
    in_both_facts: int
    asked_n: int
    in_question: int


@dataclass(frozen=True, slots=True)
class Compositions:
    """The labels of a set, tabulated.

    `labelled` of `n` questions have any label, `with_rule` all three relations. `relations`: by column, how
    often each; `decompositions`: by rQ, how many pairs of rS and rL lead to it. `names_both`: share of the
    questions so labelled that name both relations; None: none is.
    """

    n: int
    labelled: int
    with_rule: int
    rules: tuple[CompositionRule, ...]
    relations: Mapping[str, Mapping[str, int]]
    decompositions: Mapping[str, int]
    names_both: Estimate | None
    named_both: int
    bridges: Bridges


def compositions(
    questions: Sequence[Question],
    stems: Stems,
    *,
    cluster: str | None = None,
    confidence: float = CONFIDENCE,
) -> Compositions | None:
    """Tabulate the composition labels of questions; None where no question has one.

    Shares carry intervals, clustered by `cluster`. `stems` gives a text's distinct stems (`stems_by`).
    Raises FaultyInput for labels that can't be meant (see `composition`).
    """
    found = [(question, one) for question in questions if (one := composition(question)) is not None]
    if not found:
        return None
    ruled = [(question, one) for question, one in found if one.rule is not None]
    told = [(question, one.names_both) for question, one in found if one.names_both is not None]
    counts = {
        column: dict(_often(getattr(one, column) for _, one in found if getattr(one, column)))
        for column in RELATIONS
    }
    pairs: dict[str, set[tuple[str, str]]] = {}
    for _, one in ruled:
        pairs.setdefault(str(one.rQ), set()).add((str(one.rS), str(one.rL)))
    named = [bool(both) for _, both in told]
    return Compositions(
        len(questions),
        len(found),
        len(ruled),
        _rules(ruled, cluster, confidence),
        counts,
        {name: len(pairs[name]) for name in counts["rQ"] if name in pairs},
        _share([question for question, _ in told], named, cluster, confidence) if told else None,
        sum(named),
        _bridges(found, stems),
    )


def _often(values: Iterable[str]) -> list[tuple[str, int]]:
    """Values by how often they stand, the commonest first, else by name."""
    return sorted(Counter(values).items(), key=lambda item: (-item[1], item[0]))


def _share(
    questions: Sequence[Question], true: Sequence[bool], cluster: str | None, confidence: float
) -> Estimate:
    clusters = None if cluster is None else cluster_numbers(questions, cluster)
    return estimate(np.array(true, dtype=np.float64), clusters, confidence=confidence)


def _rules(
    ruled: Sequence[tuple[Question, Composition]], cluster: str | None, confidence: float
) -> tuple[CompositionRule, ...]:
    inside = [question for question, _ in ruled]
    of = [(str(one.rS), str(one.rL), str(one.rQ)) for _, one in ruled]
    often = sorted(Counter(of).items(), key=lambda item: (-item[1], item[0]))
    return tuple(
        CompositionRule(*rule, count, _share(inside, [own == rule for own in of], cluster, confidence))
        for rule, count in often
    )


def _bridges(found: Sequence[tuple[Question, Composition]], stems: Stems) -> Bridges:
    n = both = asked = seen = 0
    for question, one in found:
        bridge = stems(one.bridge) if one.bridge else set()
        if not bridge:
            continue
        facts = question.facts
        if facts is not None and facts.seed and facts.second:
            n += 1
            both += bridge <= stems(facts.seed) and bridge <= stems(facts.second)
        key = [choice.text for choice in question.choices if choice.label == question.answer]
        if key:
            asked += 1
            seen += bridge <= stems(question.stem) | stems(key[0])
    return Bridges(n, both, asked, seen)
