"""Is the best support graph the best? The table against HiGHS; on reduced problems, against every graph.

PYTHONPATH=src:. python bench/tuple_inference.py QUESTIONS CORPUS --questions 200
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from assay.corpus import open_corpus
from assay.questions import read_questions
from assay.solvers.tuple_inference import TupleInference
from assay.solvers.tuples.problem import Limits, Link, Problem, faults, pruned
from assay.solvers.tuples.relaxed import proven_best
from assay.solvers.tuples.search import best_graph, solved_graph
from assay.solvers.tuples.settings import TupleInferenceSettings

MOST_LINKS = 9
NODES = 1000


def every_graph(problem: Problem) -> int:
    """The most that any support graph gains."""
    sets = chain.from_iterable(combinations(problem.links, size) for size in range(len(problem.links) + 1))
    return max(sum(link.gain for link in graph) for graph in sets if not faults(graph, problem.limits))


def reduced(problem: Problem) -> Iterator[Problem]:
    """The problem's tuples with most links as far as they have 9 together, under wide and narrow limits."""
    by_tuple: dict[int, list[Link]] = {}
    for link in pruned(problem).links:
        by_tuple.setdefault(link.tuple, []).append(link)
    kept: list[Link] = []
    for own in sorted(by_tuple.values(), key=len, reverse=True):
        if len(kept) + len(own) <= MOST_LINKS:
            kept += own
    if kept:
        yield Problem(tuple(kept), problem.limits)
        yield Problem(tuple(kept), Limits(tuples=2, per_term=1, per_choice=2, per_field=2))


def main(given: Sequence[str] | None = None) -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("questions")
    asked.add_argument("corpus")
    asked.add_argument("--questions", dest="count", type=int, default=200)
    read = asked.parse_args(given)
    questions = read_questions([read.questions]).questions[: read.count]
    solver = TupleInference("t", TupleInferenceSettings(), open_corpus(read.corpus))
    counts: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    for question in questions:
        small = [
            one for problem in solver.problems(question)[1] for one in _compared(problem, counts, seconds)
        ]
        counts["questions with a reduced problem"] += bool(small)
        for one in small:
            counts["reduced problems"] += 1
            counts["reduced: not the best of every graph"] += best_graph(one, NODES).gain != every_graph(one)
    print(f"{len(questions)} questions")
    for what, count in counts.items():
        print(f"{what}: {count:,}")
    for what, spent in seconds.items():
        print(
            f"{what}: {1000 * spent / max(counts['problems with a link'], 1):.2f} ms of processor a problem"
        )


def _compared(problem: Problem, counts: Counter[str], seconds: Counter[str]) -> Iterator[Problem]:
    """Count one real problem solved in both ways; its reduced ones."""
    problem = pruned(problem)
    counts["problems"] += 1
    if not problem.links:
        return
    counts["problems with a link"] += 1
    started = time.process_time()
    proven = proven_best(problem)
    between = time.process_time()
    solved = solved_graph(problem, NODES)
    seconds["the table"] += between - started
    seconds["HiGHS"] += time.process_time() - between
    counts[f"HiGHS: {solved.status}"] += 1
    counts["the table proves its graph"] += proven is not None
    counts["and HiGHS has another optimum"] += proven is not None and proven[0] != solved.gain
    yield from reduced(problem)


if __name__ == "__main__":
    main()
