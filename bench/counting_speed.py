"""Counting co-occurrences for all ARC questions over the science corpus: Assay, plain Python, Polars.

Rates are tokens by CPU seconds of all threads, so that a busy machine disturbs them least.
All three start from the stored token ids and the wanted n-grams and pairs, count by `windows` of 10 tokens,
and must agree on every count. Assay's time holds everything from there on, its tables of n-grams included.
Plain Python counts the first --sample sentences and is scaled by their tokens. Polars finds the hits by
joins, takes off repeats, joins the hits of each sentence with themselves, in batches that fit memory, and
keeps the wanted pairs: the fastest of the ways tried. Needs the real data and `pip install polars`.

    python bench/counting_speed.py
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
import time
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import numba
import numpy as np
import polars as pl

from assay.corpus.build import import_corpus
from assay.corpus.model import Corpus
from assay.corpus.store import open_corpus
from assay.evidence.cooccurrence import WINDOW, Blocks, Counts, count_blocks
from assay.evidence.ngrams import ANY_TERM, FIRST_TERM, TERM_BITS
from assay.questions import read_questions
from assay.solvers.pmi import question_blocks

DATA = Path(os.environ.get("ASSAY_DATA", Path(__file__).parent / "../../shared/data")).resolve()
MASK = (1 << TERM_BITS) - 1


def all_questions():
    names = [(part, split) for part in ("Easy", "Challenge") for split in ("Train", "Dev", "Test")]
    files = [DATA / "arc" / f"ARC-{part}" / f"ARC-{part}-{split}.jsonl" for part, split in names]
    return [question for file in files for question in read_questions(file).questions]


def wanted_pairs(blocks: Blocks) -> tuple[np.ndarray, np.ndarray]:
    """Distinct unordered pairs as x << 32 | y with x <= y, and for each a cell that holds its count."""
    starts, cell_starts = blocks.groups.starts, blocks.cell_starts
    keys = np.empty(cell_starts[-1], np.int64)
    for block, (left, (first, end)) in enumerate(zip(blocks.left, blocks.right, strict=True)):
        x = blocks.groups.members[starts[left] : starts[left + 1], None].astype(np.int64)
        y = blocks.groups.members[None, starts[first] : starts[end]].astype(np.int64)
        keys[cell_starts[block] : cell_starts[block + 1]] = (
            np.minimum(x, y) << 32 | np.maximum(x, y)
        ).ravel()
    return np.unique(keys, return_index=True)


def shapes(corpus: Corpus, blocks: Blocks) -> np.ndarray:
    """n-grams as three corpus term ids: -1 none, -2 any token, -3 a term that the corpus lacks."""
    ids = corpus.vocabulary.ids
    known = np.array([-1, -2, *(ids.get(term, -3) for term in blocks.groups.ngrams.terms)], np.int64)
    assert (FIRST_TERM, ANY_TERM) == (2, 1)
    codes = blocks.groups.ngrams.codes
    return np.stack(
        [
            known[(codes >> np.uint64(TERM_BITS * place) & np.uint64(MASK)).astype(np.int64)]
            for place in (2, 1, 0)
        ],
        1,
    )


def plain_python(
    ids: list[int], starts: list[int], ngrams: np.ndarray, wanted: set[int]
) -> tuple[Counter, Counter]:
    """Counts by n-gram and by pair, with dictionaries."""
    number = {tuple(shape): ngram for ngram, shape in enumerate(ngrams.tolist())}
    single: Counter = Counter()
    joint: defaultdict = defaultdict(int)
    for begin, end in pairwise(starts):
        last, first_point = end - 1, min(begin + WINDOW, end) - 1
        covered: dict[int, int] = {}
        alive: list[tuple[int, int, int]] = []
        for i in range(begin, end):
            found = [(number.get((ids[i], -1, -1)), i)]
            if i - begin >= 1:
                found.append((number.get((ids[i - 1], ids[i], -1)), i - 1))
            if i - begin >= 2:
                found.append((number.get((ids[i - 2], -2, ids[i])), i - 2))
                found.append((number.get((ids[i - 2], ids[i - 1], ids[i])), i - 2))
            alive = [hit for hit in alive if hit[2] >= i]
            for ngram, start in found:
                if ngram is None:
                    continue
                low = max(i, first_point, covered.get(ngram, -1) + 1)
                high = min(start + WINDOW - 1, last)
                if low > high:
                    continue
                covered[ngram] = high
                single[ngram] += high - low + 1
                for other, other_low, other_high in alive:
                    pair = ngram << 32 | other if ngram <= other else other << 32 | ngram
                    if pair in wanted:
                        common = min(high, other_high) - max(low, other_low) + 1
                        if common > 0:
                            joint[pair] += common
                alive.append((ngram, low, high))
    return single, Counter(joint)


def polars_hits(tokens: pl.DataFrame, tables: list[tuple[pl.DataFrame, list[pl.Expr], int]]) -> pl.DataFrame:
    """Intervals of windows that hold each n-gram, disjoint for one n-gram of one sentence."""
    parts = [
        tokens.with_columns(*terms)
        .filter(pl.col("i") - pl.col("begin") >= length - 1)
        .join(table, on=table.columns[:-1], how="inner")
        .select(
            "sentence",
            "ngram",
            pl.max_horizontal("i", pl.min_horizontal(pl.col("begin") + WINDOW, "end") - 1).alias("low"),
            (pl.min_horizontal(pl.col("i") - (length - 1) + WINDOW, "end") - 1).alias("high"),
        )
        for table, terms, length in tables
    ]
    return (
        pl.concat(parts)
        .sort("sentence", "ngram", "high", "low")
        .with_columns(
            pl.max_horizontal(
                "low",
                pl.when(
                    (pl.col("ngram") == pl.col("ngram").shift())
                    & (pl.col("sentence") == pl.col("sentence").shift())
                )
                .then(pl.col("high").shift() + 1)
                .otherwise(pl.col("low")),
            ).alias("low")
        )
        .filter(pl.col("low") <= pl.col("high"))
    )


def in_polars(
    corpus: Corpus, ngrams: np.ndarray, wanted: pl.DataFrame, batch: int
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Counts by n-gram and by wanted pair."""
    starts = np.asarray(corpus.tokens.starts)
    ids = np.asarray(corpus.tokens.ids)
    numbered = np.arange(len(ngrams), dtype=np.int64)
    ngrams_of = lambda rows, places, names: pl.DataFrame(  # noqa: E731
        {
            **{name: ngrams[rows, place] for place, name in zip(places, names, strict=True)},
            "ngram": numbered[rows],
        }
    ).cast(dict.fromkeys(names, pl.Int32))
    one = ngrams[:, 1] == -1
    two = ~one & (ngrams[:, 2] == -1)
    skip = ngrams[:, 1] == -2
    before = pl.col("t").shift(1).alias("t1")
    before2 = pl.col("t").shift(2).alias("t2")
    tables = [
        (ngrams_of(one, [0], ["t"]), [], 1),
        (ngrams_of(two, [0, 1], ["t1", "t"]), [before], 2),
        (ngrams_of(skip, [0, 2], ["t2", "t"]), [before2], 3),
        (ngrams_of(~one & ~two & ~skip, [0, 1, 2], ["t2", "t1", "t"]), [before, before2], 3),
    ]
    singles, joints = [], []
    for first in range(0, len(starts) - 1, batch):
        own = starts[first : first + batch + 1]
        lengths = np.diff(own)
        tokens = pl.DataFrame(
            {
                "t": ids[own[0] : own[-1]].astype(np.int32),
                "i": np.arange(own[-1] - own[0], dtype=np.int32),
                "sentence": np.repeat(np.arange(len(lengths), dtype=np.int32), lengths),
                "begin": np.repeat((own[:-1] - own[0]).astype(np.int32), lengths),
                "end": np.repeat((own[1:] - own[0]).astype(np.int32), lengths),
            }
        )
        hits = polars_hits(tokens, tables)
        singles.append(hits.group_by("ngram").agg((pl.col("high") - pl.col("low") + 1).sum().cast(pl.Int64)))
        joints.append(
            hits.lazy()
            .join(hits.lazy(), on="sentence", suffix="_y")
            .filter(
                (pl.col("ngram") < pl.col("ngram_y"))
                & (pl.col("low") <= pl.col("high_y"))
                & (pl.col("low_y") <= pl.col("high"))
            )
            .select(
                (pl.col("ngram") * (1 << 32) + pl.col("ngram_y")).alias("pair"),
                (pl.min_horizontal("high", "high_y") - pl.max_horizontal("low", "low_y") + 1).alias("common"),
            )
            .group_by("pair")
            .agg(pl.col("common").sum().cast(pl.Int64))
            .join(wanted.lazy(), on="pair", how="semi")
            .collect()
        )
    total = lambda parts, key, value: pl.concat(parts).group_by(key).agg(pl.col(value).sum())  # noqa: E731
    return total(singles, "ngram", "high"), total(joints, "pair", "common")


def check(name: str, counts: Counts, single: dict, joint: dict, keys: np.ndarray, cells: np.ndarray) -> None:
    """That the peer has the same counts."""
    found = np.zeros(len(counts.single), np.int64)
    found[list(single)] = list(single.values())
    assert (found == counts.single).all(), name
    theirs = np.array([joint.get(key, 0) for key in keys.tolist()])
    same = keys >> 32 == keys & 0xFFFFFFFF
    assert (theirs[~same] == counts.joint[cells][~same]).all(), name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--corpus", type=Path, help="an imported corpus; by default science.tsv.gz is imported"
    )
    parser.add_argument("--sample", type=int, default=20_000, help="sentences that plain Python counts")
    parser.add_argument("--batch", type=int, default=20_000, help="sentences that Polars joins at a time")
    parser.add_argument("--repeats", type=int, default=7)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        corpus = (
            open_corpus(arguments.corpus)
            if arguments.corpus
            else import_corpus(DATA / "corpus" / "science.tsv.gz", Path(folder) / "science")
        )
        measure(corpus, arguments)


def measure(corpus: Corpus, arguments: argparse.Namespace) -> None:
    tokens = len(corpus.tokens.ids)
    cores = len(os.sched_getaffinity(0))
    blocks = question_blocks(all_questions(), corpus.analyser)
    _ = corpus.vocabulary.ids
    print(
        f"Python {platform.python_version()}, numba {numba.__version__}, Polars {pl.__version__}, "
        f"{cores} cores; {len(corpus):,} sentences, {tokens:,} tokens, "
        f"{len(blocks.groups.ngrams):,} n-grams, {blocks.cell_starts[-1]:,} pairs"
    )
    print("\nhow\tcores\tseconds\tCPU seconds\tmillion tokens a CPU second")

    def say(name: str, used: int, seconds: float, cpu: float) -> None:
        print(f"{name}\t{used}\t{seconds:.2f}\t{cpu:.2f}\t{tokens / cpu / 1e6:.2f}", flush=True)

    count_blocks(corpus.tokens, corpus.vocabulary, blocks)
    best = {}
    for used in sorted({1, cores}):
        runs = []
        for _ in range(arguments.repeats):
            clock, cpu = time.perf_counter(), time.process_time()
            counts = count_blocks(corpus.tokens, corpus.vocabulary, blocks, threads=used)
            runs.append((time.process_time() - cpu, time.perf_counter() - clock))
        best[used] = min(runs)[0]
        say("assay", used, min(runs)[1], best[used])

    ngrams = shapes(corpus, blocks)
    keys, cells = wanted_pairs(blocks)
    wanted = set(keys.tolist())
    starts = corpus.tokens.starts[: arguments.sample + 1].tolist()
    ids = corpus.tokens.ids[: starts[-1]].tolist()
    clock, cpu = time.perf_counter(), time.process_time()
    single, joint = plain_python(ids, starts, ngrams, wanted)
    scale = tokens / len(ids)
    seconds, plain = (time.perf_counter() - clock) * scale, (time.process_time() - cpu) * scale
    say(f"plain Python (scaled from {len(ids):,} tokens)", 1, seconds, plain)
    part = type(corpus.tokens)(corpus.tokens.ids[: starts[-1]], corpus.tokens.starts[: arguments.sample + 1])
    check("plain Python", count_blocks(part, corpus.vocabulary, blocks), single, joint, keys, cells)

    table = pl.DataFrame({"pair": keys})
    clock, cpu = time.perf_counter(), time.process_time()
    singles, joints = in_polars(corpus, ngrams, table, arguments.batch)
    seconds, polars = time.perf_counter() - clock, time.process_time() - cpu
    say("Polars", cores, seconds, polars)
    check("Polars", counts, dict(singles.iter_rows()), dict(joints.iter_rows()), keys, cells)
    print(f"\nassay against plain Python, CPU seconds on one core: {plain / best[1]:.0f} times")
    print(f"assay against Polars, CPU seconds on {cores} cores: {polars / best[cores]:.0f} times")
    print("all counts agree")


if __name__ == "__main__":
    main()
