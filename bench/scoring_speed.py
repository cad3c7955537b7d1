"""Scoring 1,000,000 predictions in 100,000 clusters with 10,000 bootstrap draws, against plain numpy.

Two inputs: points of 0 and 1 with ten questions a cluster (few distinct clusters) and 1/k ties with clusters
of many sizes (many distinct clusters, the slow way). Assay's time starts from Question and Answer objects and
ends with the interval; the peer starts from ready arrays of points and cluster numbers, draws the clusters
with numpy's generator, sums by fancy indexing, and is timed on a share of the draws. Run: python
bench/scoring_speed.py
"""

from __future__ import annotations

import argparse
import os
import time

import numpy as np

from assay.questions.model import Answer, Choice, Question
from assay.scoring import bootstrap
from assay.scoring.columns import cluster_numbers
from assay.scoring.interval import estimate
from assay.scoring.points import mark

LABELS = ("A", "B", "C", "D", "E")
CHOICES = tuple(Choice(label, f"choice {label}") for label in LABELS)


def material(n: int, groups: int, ties: bool, seed: int = 1):
    """Questions with key A, their answers and the passage each belongs to."""
    generator = np.random.default_rng(seed)
    if ties:
        passages = np.concatenate([np.arange(groups), generator.integers(0, groups, n - groups)])
        sizes = generator.choice(6, size=n, p=[0.55, 0.2, 0.1, 0.07, 0.05, 0.03])
    else:
        passages = np.arange(n) % groups
        sizes = (generator.random(n) < 0.3).astype(int)
    sets = [("B",), *(LABELS[:k] for k in range(1, 6))]
    questions = [
        Question(f"q{i}", "Which?", CHOICES, "A", metadata={"passage": f"p{passage}"})
        for i, passage in enumerate(passages.tolist())
    ]
    answers = [Answer(f"q{i}", "answered", sets[size]) for i, size in enumerate(sizes.tolist())]
    return questions, answers


def peer(points: np.ndarray, clusters: np.ndarray, draws: int, seed: int = 0) -> tuple[float, np.ndarray]:
    """Seconds and draws of a cluster bootstrap in plain numpy."""
    generator = np.random.default_rng(seed)
    started = time.perf_counter()
    sums, sizes = np.bincount(clusters, weights=points), np.bincount(clusters)
    means = np.empty(draws)
    for draw in range(draws):
        rows = generator.integers(0, len(sums), len(sums))
        means[draw] = sums[rows].sum() / sizes[rows].sum()
    return time.perf_counter() - started, means


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--questions", type=int, default=1_000_000)
    parser.add_argument("--clusters", type=int, default=100_000)
    parser.add_argument("--draws", type=int, default=10_000)
    parser.add_argument("--peer-draws", type=int, default=500)
    options = parser.parse_args()
    print(f"numpy {np.__version__}, {len(os.sched_getaffinity(0))} cores")
    for name, ties in (("0 or 1, ten a cluster", False), ("1/k ties, clusters of many sizes", True)):
        questions, answers = material(options.questions, options.clusters, ties)
        for method in ("percentile", "bca"):
            started, used = time.perf_counter(), time.process_time()
            marks = mark(questions, answers)
            marked = time.perf_counter()
            clusters = cluster_numbers(questions, "passage")
            numbered = time.perf_counter()
            points = marks.points
            got = estimate(points, clusters, method=method, draws=options.draws)
            done = time.perf_counter()
            print(
                f"{name}, {method}: {done - started:.2f} s = points {marked - started:.2f} + clusters "
                f"{numbered - marked:.2f} + bootstrap {done - numbered:.2f} "
                f"({time.process_time() - used:.2f} s of processor); "
                f"{100 * got.mean:.3f} [{100 * got.low:.3f}, {100 * got.high:.3f}]"
            )
        table = bootstrap.cluster_table(points[:, None], clusters)
        distinct = len(np.unique(np.round(table, 9), axis=0))
        seconds, means = peer(points, clusters, options.peer_draws)
        scaled = seconds * options.draws / options.peer_draws
        low, high = 100 * np.quantile(means, [0.025, 0.975])
        print(
            f"  {distinct:,} distinct clusters; numpy peer {scaled:.1f} s for {options.draws:,} draws "
            f"(timed on {options.peer_draws}), {scaled / (done - numbered):.0f} times the bootstrap; "
            f"[{low:.3f}, {high:.3f}]"
        )


if __name__ == "__main__":
    main()
