"""Exact and approximate search among a corpus's vectors: build, size, speed, and recall against exact.

python bench/vector_search.py VECTORS CORPUS QUESTIONS [--queries 500] [--engines ...]

VECTORS is what `assay corpus encode` wrote. Engines: exact, faiss-ivf, usearch, hnswlib. The queries are
stem + choice of the first questions. Times are seconds of the processor's time (all threads), so that other
work on the machine counts little.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

from assay.cli.encoders import open_vectors_with_encoder
from assay.corpus import open_corpus
from assay.evidence.dense import DenseIndex
from assay.questions import read_questions

K = 100


def hnswlib_index(rows, folder, threads):
    import hnswlib

    index = hnswlib.Index("ip", rows.shape[1])
    index.init_index(len(rows), ef_construction=200, M=16)
    index.add_items(rows, num_threads=threads)
    index.save_index(str(folder / "index"))

    def search(queries, effort):
        index.set_ef(effort)
        return index.knn_query(queries, K, num_threads=threads)[0]

    return search, (100, 200, 400)


def usearch_index(rows, folder, threads):
    from usearch.index import Index

    index = Index(ndim=rows.shape[1], metric="ip", dtype="f16", connectivity=16, expansion_add=128)
    index.add(np.arange(len(rows)), rows, threads=threads)
    index.save(str(folder / "index"))

    def search(queries, effort):
        index.expansion_search = effort
        return index.search(queries, K, threads=threads).keys

    return search, (100, 200, 400)


def faiss_index(rows, folder, threads):
    import faiss

    faiss.omp_set_num_threads(threads)
    lists = 1024
    index = faiss.index_factory(rows.shape[1], f"IVF{lists},SQfp16", faiss.METRIC_INNER_PRODUCT)
    index.train(rows[:: max(1, len(rows) // (40 * lists))])
    index.add(rows)
    faiss.write_index(index, str(folder / "index"))

    def search(queries, effort):
        index.nprobe = effort
        return index.search(queries, K)[1]

    return search, (8, 16, 32, 64)


ENGINES = {"hnswlib": hnswlib_index, "usearch": usearch_index, "faiss-ivf": faiss_index}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("vectors", type=Path)
    parser.add_argument("corpus")
    parser.add_argument("questions")
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--engines", default="exact,faiss-ivf")
    parser.add_argument("--threads", type=int, default=1)
    asked = parser.parse_args()
    given = open_vectors_with_encoder(open_corpus(asked.corpus), asked.vectors, None)
    texts = [
        f"{question.stem} {choice.text}"
        for question in read_questions([asked.questions]).questions[: asked.queries // 8 + 1]
        for choice in question.choices
    ][: asked.queries]
    queries = given["encoder"].encode(texts)
    started = time.process_time()
    right = [
        hits.ids for hits in DenseIndex(given["vectors"], threads=asked.threads).search(list(queries), K)
    ]
    spent = time.process_time() - started
    print(f"exact: {len(queries) / spent:,.0f} queries a second", flush=True)
    rows = np.concatenate([block.astype(np.float32) for _, block in given["vectors"].blocks()])
    for name in asked.engines.split(","):
        if name == "exact":
            continue
        with tempfile.TemporaryDirectory() as folder:
            started = time.process_time()
            search, efforts = ENGINES[name](rows, Path(folder), asked.threads)
            built = time.process_time() - started
            size = (Path(folder) / "index").stat().st_size
        print(f"{name}: {len(rows):,} rows built in {built:,.0f} s, {size / 1e6:,.0f} MB", flush=True)
        for effort in efforts:
            started = time.process_time()
            found = search(queries, effort)
            spent = time.process_time() - started
            shared = np.mean([len(np.intersect1d(a, b)) / K for a, b in zip(found, right, strict=True)])
            print(f"  effort {effort}: {len(queries) / spent:,.0f} a second, recall {shared:.4f}", flush=True)


if __name__ == "__main__":
    main()
