"""DGEM's settings on a dev set, and what training pairs of the same kind would give: no test set is read.

python bench/dgem_settings.py TRAIN DEV [--rows NAME ...] [--seeds 3] [--cross-fit]

TRAIN and DEV are files of pairs. Every row is trained with each seed by one schedule to its end (no look at
dev chooses weights) and judged on DEV: accuracy, accuracy at the best threshold, area under the ROC curve,
loss; beside it, of pairs whose tuples hold less than half of the hypothesis's words. With --cross-fit the
hypotheses of DEV are dealt into five parts; each part is judged by a network that was trained on TRAIN and
ten copies of the other four, and by word overlap with the threshold of those four.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
import torch
from scipy.stats import rankdata

from assay.entailment.overlap import OverlapBaseline
from assay.entailment.reading import read_pairs
from assay.scoring.judged_pairs import judge_pairs
from assay.settings import read_settings
from assay.solvers.neural.dgem import DGEMReader, DGEMSettings
from assay.solvers.neural.evaluation import in_batches
from assay.solvers.neural.training import train
from assay.solvers.neural.training_settings import TrainingSettings

SCHEDULE = TrainingSettings(
    learning_rate=1e-3, max_steps=1100, batch=32, at_once=32, weight_decay=1e-4, warm_up=0.02
)
ALL = {"match": True, "words": True, "align_stems": True, "dropout": 0.4}
ROWS = {
    "match": {"match": True},
    "match, dropout": {"match": True, "dropout": 0.4},
    "match, words": {"match": True, "words": True},
    "match, words, stems": {**ALL, "dropout": 0.2},
    "all": ALL,
    "all, hidden 200": {**ALL, "hidden": 200},
    "all, rest": {**ALL, "rest": True},
    "openie: match": {"structure": "openie", "match": True},
    "openie: all": {"structure": "openie", **ALL},
    "openie: all, rest": {"structure": "openie", **ALL, "rest": True},
}
COPIES, PARTS = 10, 5


class Known(DGEMReader):
    """Takes graphs that were made once: they don't depend on what a row changes in the network."""

    graphs: dict

    def prepare_block(self, examples):
        key = self.settings.structure, self.settings.rest
        made = self.graphs.setdefault(key, {})
        new = [pair for pair in examples if (pair.premise, pair.hypothesis) not in made]
        for pair, graph in zip(new, super().prepare_block(new), strict=True):
            made[pair.premise, pair.hypothesis] = graph
        return [made[pair.premise, pair.hypothesis] for pair in examples]


def trained(graphs, settings, pairs, seed):
    reader = Known.new(read_settings(DGEMSettings, settings, "bench"), seed)
    reader.graphs = graphs
    with tempfile.TemporaryDirectory() as work:
        train(reader, pairs, [], SCHEDULE, seed=seed, work=Path(work), key="bench")
    return reader


def probabilities(reader, pairs):
    def read(batch, places):
        return [float(scores.softmax(0)[1]) for scores in reader.scores(batch)]

    found = dict(in_batches(reader, reader.prepare_block(pairs), read, at_once=64))
    return np.array([found[place] for place in range(len(pairs))])


def measures(said, keys):
    """Accuracy at 0.5 and at the best threshold, area under the ROC curve, loss."""
    ranks, entailed = rankdata(said), int(keys.sum())
    area = (ranks[keys].sum() - entailed * (entailed + 1) / 2) / (entailed * (len(keys) - entailed))
    best = max(float(((said >= cut) == keys).mean()) for cut in [*np.unique(said), 2.0])
    of_key = np.clip(np.where(keys, said, 1 - said), 1e-4, 1)
    accuracy = float(((said > 0.5) == keys).mean())
    return np.array([100 * accuracy, 100 * best, 100 * area, -float(np.log(of_key).mean())])


def cross_fit(graphs, settings, pairs, dev, seeds):
    names = list(dict.fromkeys(pair.hypothesis for pair in dev))
    order = np.random.default_rng(7).permutation(len(names)) % PARTS
    part = np.array([order[names.index(pair.hypothesis)] for pair in dev])
    systems = {f"seed {seed}": np.zeros(len(dev), bool) for seed in seeds}
    systems["overlap"] = np.zeros(len(dev), bool)
    for held in range(PARTS):
        inside = [pair for pair, own in zip(dev, part, strict=True) if own != held]
        places = np.flatnonzero(part == held)
        baseline = OverlapBaseline(inside)
        systems["overlap"][places] = [baseline.entails(dev[place]) for place in places]
        for seed in seeds:
            reader = trained(graphs, settings, [*pairs, *(inside * COPIES)], seed)
            said = probabilities(reader, [dev[place] for place in places])
            systems[f"seed {seed}"][places] = said > 0.5
            print(f"part {held}, seed {seed}: done", flush=True)
    judged = judge_pairs(dev, systems)
    for name, score in judged.accuracy.items():
        print(f"{name}: {100 * score.mean:.1f} [{100 * score.low:.1f}, {100 * score.high:.1f}]")
    for one in judged.comparisons:
        low, high = 100 * one.difference.low, 100 * one.difference.high
        print(
            f"{one.first} - {one.second}: {100 * one.difference.mean:+.1f} [{low:+.1f}, {high:+.1f}]", end=" "
        )
        print(f"p {one.sign_flip.p:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("train")
    parser.add_argument("dev")
    parser.add_argument("--rows", nargs="+", choices=list(ROWS), default=list(ROWS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--cross-fit", action="store_true")
    args = parser.parse_args()
    torch.set_num_threads(1)
    pairs, dev = list(read_pairs([args.train]).pairs), list(read_pairs([args.dev]).pairs)
    keys = np.array([pair.key == 1 for pair in dev])
    graphs: dict = {}
    tuples = Known.new(DGEMSettings(structure="openie", match=True), 0)
    tuples.graphs = graphs
    held = [
        len(set(graph.members[1].tolist())) / max(1, len(graph.hypothesis))
        for graph in tuples.prepare_block(dev)
    ]
    thin = np.array(held) < 0.5
    seeds = range(1, args.seeds + 1)
    for name in args.rows:
        if args.cross_fit:
            print(f"== {name}, cross-fitted", flush=True)
            cross_fit(graphs, ROWS[name], pairs, dev, seeds)
            continue
        found = []
        for seed in seeds:
            said = probabilities(trained(graphs, ROWS[name], pairs, seed), dev)
            found.append([*measures(said, keys), *measures(said[thin], keys[thin])[:1]])
        mean, apart = np.mean(found, 0), np.ptp(found, 0)
        shown = ", ".join(f"{one:.3g} ({two:.2g})" for one, two in zip(mean, apart, strict=True))
        print(f"{name}: {shown} on {thin.sum()} thin pairs, mean (range) of {len(found)} seeds", flush=True)


if __name__ == "__main__":
    main()
