"""Writing the columns of a corpus: pieces in, in order; then one sort into vocabulary and postings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.corpus.analysis import FIRST_TERM, LONG_TOKENS, SOURCES, Piece, Settings
from assay.corpus.columns import ColumnWriter, copy_into, mapped, starts_of, write_strings
from assay.corpus.kernels import PIECE_TOKENS, KeySet, count_sentences, fill_postings, ranges
from assay.corpus.manifest import Manifest, describe_files, fingerprint
from assay.corpus.records import MAX_FAULTS
from assay.corpus.rules import DUPLICATES
from assay.corpus.store import strings
from assay.errors import AssayError, FaultyInput
from assay.progress import Progress
from assay.text.analysis import is_stop

MAX_SENTENCES = 2**32 - 1


class _Lexicon:
    """From a worker's term ids to the store's."""

    def __init__(self) -> None:
        self.name = (-1, -1)
        self._ids = np.zeros(1 << 12, np.uint32)
        self._count = FIRST_TERM

    def translate(self, piece: Piece, terms: dict[str, int]) -> npt.NDArray[np.uint32]:
        """The piece's term ids as the store's; new terms are added to `terms`."""
        if piece.lexicon != self.name:
            self.name, self._count = piece.lexicon, FIRST_TERM
        end = self._count + len(piece.new_terms)
        if end > len(self._ids):
            self._ids = np.concatenate([self._ids, np.zeros(max(end, len(self._ids)), np.uint32)])
        self._ids[self._count : end] = [terms.setdefault(term, len(terms)) for term in piece.new_terms]
        self._count = end
        return self._ids[piece.ids]


class StoreWriter:
    """Writes the columns of one corpus into `folder`."""

    def __init__(self, folder: Path, settings: Settings, progress: Progress) -> None:
        self._folder = folder
        self._settings = settings
        self._progress = progress
        columns = {
            "texts.utf8": "u1",
            "sources.codes": "<u4",
            "documents.codes": "<u4",
            "lines": "<u4",
            "keys": "<u8",
            "tokens.raw": "<u4",
        }
        self._columns = {name: ColumnWriter(folder / name, dtype) for name, dtype in columns.items()}
        self._text_bytes: list[npt.NDArray[np.uint32]] = []
        self._token_counts: list[npt.NDArray[np.uint32]] = []
        self._terms: dict[str, int] = {}
        self._used = np.zeros(1 << 12, np.bool_)
        self._lexicons: dict[int, _Lexicon] = {}
        self._keys = KeySet()
        self._sources: dict[str, int] = {}
        self._source_counts: Counter[str] = Counter()
        self._documents: list[str] = []
        self._inputs: list[dict[str, int]] = []
        self._rules: Counter[str] = Counter()
        self._asked: Counter[str] = Counter()
        self._sentences = 0

    def start_from(self, base: Manifest) -> None:
        """Begin with the sentences of a stored corpus, whose files were checked."""
        data = base.data
        for name in ("texts.utf8", "sources.codes", "documents.codes", "lines", "keys"):
            copy_into(self._columns[name], data / name)
        copy_into(self._columns["tokens.raw"], data / "tokens.ids")
        self._text_bytes.append(np.diff(mapped(data / "texts.starts", "<i8")).astype(np.uint32))
        self._token_counts.append(np.diff(mapped(data / "tokens.starts", "<i8")).astype(np.uint32))
        self._terms = {term: number for number, term in enumerate(strings(data, "terms"))}
        self._used = np.ones(len(self._terms), np.bool_)
        keys = mapped(data / "keys", "<u8").reshape(-1, 2)
        for first in range(0, len(keys), PIECE_TOKENS):
            self._keys.first_seen(keys[first : first + PIECE_TOKENS])
        self._sources = {source["name"]: number for number, source in enumerate(base["sources"])}
        self._source_counts.update({source["name"]: source["sentences"] for source in base["sources"]})
        self._documents = list(strings(data, "documents"))
        self._inputs = [
            {"read": source["read"], "sentences": source["sentences"]} for source in base["inputs"]
        ]
        self._rules.update(base["counts"])
        self._asked.update(base["asked_sources"])
        self._sentences = base["sentences"]

    def add(self, piece: Piece) -> None:
        """Append a piece's sentences but those seen before. Raises FaultyInput when it has faults."""
        if piece.faults:
            raise FaultyInput(
                piece.faults,
                hint=("there may be more; " if len(piece.faults) >= MAX_FAULTS else "")
                + "mend or convert the input, or name a rule that lets such lines pass: "
                "replace-invalid, drop-faulty (--clean)",
            )
        while len(self._inputs) <= piece.input_number:
            self._inputs.append({"read": 0, "sentences": 0})
        self._rules.update(piece.counts)
        self._asked.update(piece.asked)
        lexicon = self._lexicons.setdefault(piece.lexicon[0], _Lexicon())
        ids = lexicon.translate(piece, self._terms)
        if len(piece.keys):
            new = self._keys.first_seen(piece.keys)
            if not new.all():
                self._rules[DUPLICATES] += int(len(new) - new.sum())
                ids = ids[np.repeat(new, piece.token_counts)]
                piece = _narrowed(piece, new)
        self._columns["texts.utf8"].write(piece.text)
        self._columns["lines"].write(piece.lines)
        self._columns["keys"].write(piece.keys)
        self._columns["tokens.raw"].write(ids)
        self._write_codes(piece)
        self._text_bytes.append(piece.text_bytes)
        self._token_counts.append(piece.token_counts)
        if len(self._terms) > len(self._used):
            self._used = np.concatenate([self._used, np.zeros(len(self._terms), np.bool_)])
        self._used[ids] = True
        self._sentences += len(piece.text_bytes)
        self._inputs[piece.input_number]["read"] += piece.read
        self._inputs[piece.input_number]["sentences"] += len(piece.text_bytes)
        if self._sentences > MAX_SENTENCES:
            raise AssayError(f"more than {MAX_SENTENCES:,} sentences", hint="make several corpora")

    def _write_codes(self, piece: Piece) -> None:
        present, first, inverse = np.unique(piece.source_codes, return_index=True, return_inverse=True)
        codes = np.zeros(len(present), np.uint32)
        for at in np.argsort(first):
            name = piece.sources[present[at]]
            codes[at] = self._sources.setdefault(name, len(self._sources))
            self._source_counts[name] += int(np.count_nonzero(inverse == at))
        self._columns["sources.codes"].write(codes[inverse])
        runs = np.flatnonzero(np.diff(piece.document_codes, prepend=np.uint32(2**32 - 1)))
        codes = np.zeros(len(runs), np.uint32)
        for at, run in enumerate(runs):
            document = piece.documents[piece.document_codes[run]]
            if not self._documents or self._documents[-1] != document:
                self._documents.append(document)
            codes[at] = len(self._documents) - 1
        lengths = np.diff(runs, append=len(piece.document_codes))
        self._columns["documents.codes"].write(np.repeat(codes, lengths))

    def close(self) -> None:
        """Close the columns; what was written stays for the caller to remove."""
        for column in self._columns.values():
            column.close()

    def finish(self, inputs: int) -> dict[str, Any]:
        """Make vocabulary, streams and postings; returns what the manifest says of them.

        `inputs`: how many there were, those that gave nothing too.
        """
        self.close()
        folder, analyser = self._folder, self._settings.analyser
        while len(self._inputs) < inputs:
            self._inputs.append({"read": 0, "sentences": 0})
        self._keys = KeySet()
        starts = starts_of(_joined(self._text_bytes))
        starts.tofile(folder / "texts.starts")
        write_strings(folder, "documents", self._documents)
        new_ids, stop = self._write_vocabulary()
        starts = starts_of(_joined(self._token_counts))
        starts.tofile(folder / "tokens.starts")
        frequencies = self._write_streams(starts, new_ids, stop)
        (folder / "tokens.raw").unlink()
        self._write_postings(starts, frequencies)
        return {
            "fingerprint": self._fingerprint(),
            "sentences": self._sentences,
            "tokens": int(starts[-1]),
            "content_tokens": (folder / "content.ids").stat().st_size // 4,
            "terms": len(stop),
            "postings": int(frequencies.sum()),
            "without_tokens": int(np.count_nonzero(np.diff(starts) == 0)),
            "asked_sources": {name: self._asked[name] for name in sorted(self._asked)},
            "analyser": {**analyser.settings, "stop_list": sorted(analyser.stop_list)},
            "counts": {rule: self._rules[rule] for rule in self._all_rules()},
            "sources": [{"name": name, "sentences": self._source_counts[name]} for name in self._sources],
            "inputs": self._inputs,
            "files": describe_files(folder),
        }

    def _fingerprint(self) -> str:
        settings = self._settings
        rules = [*settings.cleaning.rules, f"dedupe={settings.dedupe}"]
        return fingerprint(self._folder, list(self._sources), settings.analyser.settings, rules)

    def _all_rules(self) -> list[str]:
        settings = self._settings
        chosen = settings.include_sources is not None or settings.exclude_sources
        rules = [SOURCES] if chosen else []
        rules += settings.cleaning.rules
        rules += [DUPLICATES] if settings.dedupe != "none" else []
        return [*rules, LONG_TOKENS]

    def _write_vocabulary(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.bool_]]:
        """The terms that are used, ascending; returns the new id of each, and which are stop words."""
        used = self._used
        terms = sorted(term for term, number in self._terms.items() if used[number])
        write_strings(self._folder, "terms", terms)
        stop = np.fromiter(map(is_stop, terms), np.bool_, len(terms))
        stop.tofile(self._folder / "terms.stop")
        new_ids = np.zeros(len(self._terms), np.uint32)
        new_ids[np.fromiter(map(self._terms.__getitem__, terms), np.int64, len(terms))] = np.arange(
            len(terms), dtype=np.uint32
        )
        self._terms = {}
        return new_ids, stop

    def _write_streams(
        self, starts: npt.NDArray[np.int64], new_ids: npt.NDArray[np.uint32], stop: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        """Both streams and the lengths; returns how many sentences hold each term."""
        folder = self._folder
        tokens = ColumnWriter(folder / "tokens.ids", "<u4")
        content = ColumnWriter(folder / "content.ids", "<u4")
        lengths = np.zeros(len(starts) - 1, np.uint32)
        frequencies = np.zeros(len(stop), np.int64)
        last_seen = np.full(len(stop), -1, np.int64)
        with self._progress.task("sorting the vocabulary", len(starts) - 1, "sentences") as advance:
            for first, end, ids in _pieces(folder / "tokens.raw", starts):
                ids = new_ids[ids]
                own = starts[first : end + 1] - starts[first]
                tokens.write(ids)
                is_content = ~stop[ids]
                content.write(ids[is_content])
                running = starts_of(is_content)
                lengths[first:end] = running[own[1:]] - running[own[:-1]]
                count_sentences(ids, own, first, last_seen, frequencies)
                advance(end - first)
        tokens.close()
        content.close()
        lengths.tofile(folder / "postings.lengths")
        starts_of(lengths).tofile(folder / "content.starts")
        return frequencies

    def _write_postings(self, starts: npt.NDArray[np.int64], frequencies: npt.NDArray[np.int64]) -> None:
        folder = self._folder
        begins = starts_of(frequencies)
        begins.tofile(folder / "postings.starts")
        for name in ("postings.sentences", "postings.counts"):
            (folder / name).write_bytes(b"")

        def fill(part: tuple[int, int]) -> int:
            low, high = part
            size = int(begins[high] - begins[low])
            sentences, counts = np.zeros(size, np.uint32), np.zeros(size, np.uint16)
            own = begins[low:high] - begins[low]
            ends = own.copy()
            for first, end, ids in _pieces(folder / "tokens.ids", starts):
                own_starts = starts[first : end + 1] - starts[first]
                fill_postings(ids, own_starts, first, low, high, ends, sentences, counts, own)
            for name, values in (("postings.sentences", sentences), ("postings.counts", counts)):
                with (folder / name).open("r+b") as file:
                    file.seek(int(begins[low]) * values.itemsize)
                    file.write(values.data)
            return size

        with (
            self._progress.task("postings", int(begins[-1]), "entries") as advance,
            ThreadPoolExecutor(2) as pool,
        ):
            for size in pool.map(fill, ranges(begins)):
                advance(size)


def _joined(parts: Sequence[npt.NDArray[np.uint32]]) -> npt.NDArray[np.uint32]:
    return np.concatenate([np.empty(0, np.uint32), *parts])


def _pieces(path: Path, starts: npt.NDArray[np.int64]) -> Iterator[tuple[int, int, npt.NDArray[np.uint32]]]:
    """First sentence, end sentence and ids of consecutive pieces of a stream, read, not mapped."""
    first = 0
    with path.open("rb") as file:
        while first < len(starts) - 1:
            end = int(np.searchsorted(starts, starts[first] + PIECE_TOKENS, side="right")) - 1
            end = max(end, first + 1)
            yield first, end, np.fromfile(file, "<u4", int(starts[end] - starts[first]))
            first = end


def _narrowed(piece: Piece, kept: npt.NDArray[np.bool_]) -> Piece:
    text = np.frombuffer(piece.text, np.uint8)[np.repeat(kept, piece.text_bytes)].tobytes()
    return replace(
        piece,
        text=text,
        text_bytes=piece.text_bytes[kept],
        source_codes=piece.source_codes[kept],
        document_codes=piece.document_codes[kept],
        lines=piece.lines[kept],
        token_counts=piece.token_counts[kept],
        keys=piece.keys[kept],
    )
