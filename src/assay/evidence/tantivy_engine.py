"""Tantivy behind the engine protocol: an index on disk beside the corpus, lengths held in one byte.

Terms are indexed by their ids, so no word is too long for it and no text can be taken for query syntax.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import tantivy

from assay.corpus.columns import quick_checksum
from assay.corpus.model import Corpus
from assay.errors import AssayError
from assay.evidence.engine import K1, B, Hits, Query, check_hits
from assay.storage import only_writer, write_json

CONTENT, STOP = "content", "stop"
TOKENIZER = "spaces"
MADE = "made.json"
"""Written last: an index without it is none."""
HEAP = (50_000_000, 3_000_000_000)
"""Bytes the writer may hold, least and most: 20 a token keep all in one segment, in corpus order."""
BATCH = 4096
SCORE_BITS = 20
"""Tantivy adds float32 in no fixed order: scores are rounded to so many bits, so that equal sentences tie."""
REBUILD = "remove that folder, and the index is built again"


class TantivyEngine:
    """BM25 by tantivy, k1 1.2 and b 0.75 (it has no others).

    A sentence's length is stored in one byte: exact to 40 stems, above that rounded down to one of few values
    (as in Lucene). Stop words, which only a choice without any content stem asks for, are a field with
    lengths of its own.
    """

    name = "tantivy"

    def __init__(self, corpus: Corpus, *, threads: int | None = None) -> None:
        """Opens the corpus's index, or builds it, in memory for a corpus in memory.

        Raises AssayError when another process is building it, it can't be written, or it is of another
        version.
        """
        self._corpus = corpus
        self._ids = corpus.vocabulary.ids
        self._stop = corpus.vocabulary.stop
        self._threads = threads or len(os.sched_getaffinity(0))
        self._schema = _schema()
        self._searcher = _open(corpus, self._schema).searcher()

    @property
    def settings(self) -> Mapping[str, Any]:
        """Engine and version, constants, how lengths are held, and the corpus's fingerprint."""
        return {
            "engine": self.name,
            "version": version("tantivy"),
            "k1": K1,
            "b": B,
            "lengths": "one byte: exact to 40 stems, rounded down above",
            "stop_words": "a field with lengths of its own",
            "score_bits": SCORE_BITS,
            "corpus": self._corpus.fingerprint,
        }

    def search(self, queries: Iterable[Query], k: int) -> Iterator[Hits]:
        """The best k sentences of each query, in the order of the queries (see `SearchEngine`)."""
        check_hits(k)
        remaining = iter(queries)
        with ThreadPoolExecutor(self._threads) as pool:
            while batch := list(islice(remaining, BATCH)):
                size = -(-len(batch) // (4 * self._threads))
                pieces = [batch[start : start + size] for start in range(0, len(batch), size)]
                for hits in pool.map(lambda piece: [self._search(query, k) for query in piece], pieces):
                    yield from hits

    def _search(self, query: Query, k: int) -> Hits:
        asked = self._asked(query)
        if asked is None:
            return Hits(np.empty(0, np.int64), np.empty(0, np.float64))
        found = self._searcher.search(asked, k, count=False).hits
        scores = _rounded(np.array([score for score, _ in found], dtype=np.float64))
        if self._searcher.num_segments == 1:
            # Written by one thread: the place in the segment is the sentence's id.
            ids = np.array([address.doc for _, address in found], dtype=np.int64)
        else:
            addresses = [address for _, address in found]
            ids = np.array(self._searcher.fast_field_values("id", addresses), dtype=np.int64)
        order = np.lexsort((ids, -scores))
        return Hits(ids[order], scores[order])

    def _asked(self, query: Query) -> tantivy.Query | None:
        groups, required = self._known(query.groups), self._known(query.required)
        if not all(required) or (query.every_group and not all(groups)):
            return None
        terms = [term for group in groups for term in group]
        if not terms:
            return None
        scored = groups if query.every_group else [terms]
        if len(scored) == 1 and not required:
            return self._any(terms)
        asked = [self._any(group) for group in scored]
        asked += [tantivy.Query.const_score_query(self._any(group), 0.0) for group in required]
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, clause) for clause in asked])

    def _known(self, groups: Sequence[Sequence[str]]) -> list[list[int]]:
        return [[self._ids[term] for term in group if term in self._ids] for group in groups]

    def _any(self, terms: Sequence[int]) -> tantivy.Query:
        return tantivy.Query.boolean_query(
            [
                (
                    tantivy.Occur.Should,
                    tantivy.Query.term_query(
                        self._schema, STOP if self._stop[term] else CONTENT, str(term), "freq"
                    ),
                )
                for term in terms
            ]
        )


def _rounded(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    mantissas, exponents = np.frexp(scores)
    kept = np.rint(np.ldexp(mantissas, SCORE_BITS))
    rounded: npt.NDArray[np.float64] = np.ldexp(kept, exponents - SCORE_BITS)
    return rounded


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for field in (CONTENT, STOP):
        builder.add_text_field(field, tokenizer_name=TOKENIZER, index_option="freq")
    builder.add_unsigned_field("id", fast=True)
    return builder.build()


def _open(corpus: Corpus, schema: tantivy.Schema) -> tantivy.Index:
    if corpus.folder is None:
        return _filled(tantivy.Index(schema), corpus)
    folder = index_folder(corpus)
    if not (folder / MADE).exists():
        _build(corpus, schema, folder)
    try:
        made = json.loads((folder / MADE).read_bytes())["files"]
        if {name: entry["bytes"] for name, entry in made.items()} != _sizes(folder):
            raise AssayError("the search index is damaged", file=folder, hint=REBUILD)
        index = tantivy.Index.open(str(folder))
        # Other versions are told first: theirs is no damage.
        if any(quick_checksum(folder / name) != entry["crc32"] for name, entry in made.items()):
            raise AssayError("the search index is damaged", file=folder, hint=REBUILD)
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise AssayError(_said(str(error)), file=folder, hint=REBUILD) from None
    return _tokenized(index)


def _sizes(folder: Path) -> dict[str, int]:
    """Bytes of each of the index's files; tantivy's locks come and go."""
    return {
        path.name: path.stat().st_size
        for path in sorted(folder.iterdir())
        if path.name != MADE and not path.name.endswith(".lock")
    }


def index_folder(corpus: Corpus) -> Path:
    """Where the index of a corpus on disk stands; another corpus or another tantivy has another."""
    if corpus.folder is None:
        raise AssayError(f"corpus {corpus.name!r} is in memory and has no folder")
    return corpus.folder / f"tantivy-{version('tantivy')}-{corpus.fingerprint[:16]}"


def _build(corpus: Corpus, schema: tantivy.Schema, folder: Path) -> None:
    """Build apart, under a lock, and move into place: a half-built index is never seen."""
    assert corpus.folder is not None
    with only_writer(corpus.folder / "tantivy-building"):
        if (folder / MADE).exists():
            return
        part = corpus.folder / "tantivy-building" / "index"
        try:
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir()
            index = _filled(tantivy.Index(schema, str(part)), corpus)
            del index
            files = {
                name: {"bytes": size, "crc32": quick_checksum(part / name)}
                for name, size in _sizes(part).items()
            }
            write_json(part / MADE, {"corpus": corpus.fingerprint, "files": files})
            shutil.rmtree(folder, ignore_errors=True)
            part.rename(folder)
            for stale in corpus.folder.glob("tantivy-*-*"):
                if stale != folder:
                    shutil.rmtree(stale, ignore_errors=True)
        except (ValueError, OSError) as error:
            raise AssayError(f"the search index can't be built: {error}", file=folder) from None


def _tokenized(index: tantivy.Index) -> tantivy.Index:
    spaces = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer(TOKENIZER, spaces)
    return index


def _filled(index: tantivy.Index, corpus: Corpus) -> tantivy.Index:
    _tokenized(index)
    heap = min(max(HEAP[0], 20 * len(corpus.tokens.ids)), HEAP[1])
    writer = index.writer(heap, 1)
    names = np.arange(len(corpus.vocabulary)).astype(str).tolist()
    stop = corpus.vocabulary.stop
    starts, ids = corpus.tokens.starts, corpus.tokens.ids
    for sentence in range(len(corpus)):
        document = tantivy.Document()
        document.add_unsigned("id", sentence)
        terms = ids[starts[sentence] : starts[sentence + 1]]
        marked = stop[terms]
        for field, chosen in ((CONTENT, terms[~marked]), (STOP, terms[marked])):
            if len(chosen):
                document.add_text(field, " ".join([names[term] for term in chosen.tolist()]))
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index


def _said(error: str) -> str:
    found = re.search(r"Library version: (\d+), index version: (\d+)", error)
    if found is None:
        return f"the search index can't be read: {error}"
    return f"the search index is of format {found[2]}, tantivy {version('tantivy')} reads {found[1]}"
