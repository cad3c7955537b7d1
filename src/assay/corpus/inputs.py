"""What is imported: files, folders, patterns and standard input, as blocks of whole lines."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from assay.corpus.archives import opened
from assay.errors import AssayError, first_line

Format = Literal["auto", "text", "tsv", "jsonl", "parquet"]
Split = Literal["none", "lines", "paragraphs"]

FORMATS = {
    "text": ("txt", "text"),
    "tsv": ("tsv", "tab"),
    "jsonl": ("jsonl", "ndjson", "json"),
    "parquet": ("parquet",),
}
COMPRESSED = ("gz", "zst", "xz")
BLOCK_BYTES = 4 << 20
STDIN = "-"


@dataclass(frozen=True)
class Reading:
    """How inputs are read.

    `format`: one of FORMATS, or "auto" (by the file's name, else by its first bytes).
    `split`: "none" (a line or record is one sentence), "lines" (each line is split into sentences) or
    "paragraphs" (what stands between blank lines is joined and split into sentences).
    `text`, `source`, `document`: fields of jsonl and parquet, or columns of tsv: numbers from 1, or the
    names in its first line. None: text, sentence or contents; source; document. In tsv: the source is the
    first column and the sentence the second, or a single column holds the sentence.
    `source_name`: the source of sentences that carry none (None: the file's name without its endings).
    """

    format: Format = "auto"
    split: Split = "none"
    text: str | None = None
    source: str | None = None
    document: str | None = None
    source_name: str | None = None

    def __post_init__(self) -> None:
        """Raises AssayError for an unknown format or way to split."""
        if self.format not in ("auto", *FORMATS):
            raise AssayError(f"no format called {self.format!r}", hint=f"one of auto, {', '.join(FORMATS)}")
        if self.split not in ("none", "lines", "paragraphs"):
            raise AssayError(f"no way to split called {self.split!r}", hint="one of none, lines, paragraphs")


@dataclass(frozen=True)
class Input:
    """One file: `name` as the user gave it (or "-"), `path` where its bytes are.

    `source` is that of sentences which name none.
    """

    number: int
    name: str
    path: str
    format: str
    source: str


@dataclass(frozen=True)
class Block:
    """Whole lines of an input, the first of them line `line` (from 1); or rows of a table, in `rows`.

    `consumed`: how many bytes of the file were read for it.
    """

    input: Input
    line: int
    data: bytes
    consumed: int = 0
    columns: Columns | None = None
    rows: tuple[list[Any], list[Any], list[Any]] | None = None


@dataclass(frozen=True)
class Columns:
    """Where a tsv keeps its fields (from 0), of how many columns."""

    text: int
    source: int | None
    document: int | None
    width: int


def find_inputs(sources: Sequence[str | Path], reading: Reading) -> tuple[list[Input], list[str]]:
    """The inputs in order, and the files of folders that are passed over because of their endings.

    A folder is searched all through, its files in the order of their names; hidden files are passed over
    in silence, and so are corpora. Raises AssayError for what isn't there.
    """
    names: list[str] = []
    passed_over: list[str] = []
    for source in map(str, sources):
        if source == STDIN or os.path.isfile(source) or _is_pipe(source):
            names.append(source)
        elif os.path.isdir(source):
            found = _files_of(source)
            known = [name for name in found if reading.format != "auto" or _format_by_name(name)]
            passed_over += sorted(set(found) - set(known))
            if not known:
                raise AssayError("no file here that can be imported", file=source, hint=_known_endings())
            names += known
        elif matches := sorted(glob.glob(source, recursive=True)):
            names += [name for name in matches if os.path.isfile(name)]
        else:
            raise AssayError("no such file or folder", file=source)
    if not names:
        raise AssayError(
            "nothing to import", hint="name at least one file, folder or pattern, or - for standard input"
        )
    return [_input(number, name, reading) for number, name in enumerate(names)], passed_over


def _is_pipe(name: str) -> bool:
    return os.path.exists(name) and not os.path.isdir(name)


def _files_of(folder: str) -> list[str]:
    found = []
    for root, folders, files in os.walk(folder):
        if _is_corpus(root, files):
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [os.path.join(root, name) for name in files if not name.startswith(".")]
    return sorted(found)


def _is_corpus(folder: str, files: Sequence[str]) -> bool:
    if "manifest.json" not in files:
        return False
    with open(os.path.join(folder, "manifest.json"), "rb") as file:
        return b'"assay corpus"' in file.read(100)


def _known_endings() -> str:
    endings = ", ".join(f".{ending}" for group in FORMATS.values() for ending in group)
    return (
        f"files that end in {endings}, also compressed ({', '.join(COMPRESSED)}); "
        "a file of another ending has to be named itself"
    )


def _endings(name: str) -> list[str]:
    return os.path.basename(name).lower().split(".")[1:]


def _format_by_name(name: str) -> str | None:
    endings = _endings(name)
    if endings and endings[-1] in COMPRESSED:
        endings.pop()
    for format, known in FORMATS.items():
        if endings and endings[-1] in known:
            return format
    return None


def _input(number: int, name: str, reading: Reading) -> Input:
    source = Input(number, name, name, reading.format, reading.source_name or _source(name))
    if reading.format == "auto":
        by_name = _format_by_name(name)
        # What comes by a pipe can't be looked at twice: its format is told once it is copied.
        readable = os.path.isfile(name)
        return replace(source, format=by_name or (format_by_content(source, name) if readable else "auto"))
    return source


def _source(name: str) -> str:
    if name == STDIN:
        return "stdin"
    base = os.path.basename(name)
    for ending in reversed(_endings(name)):
        if ending in COMPRESSED or any(ending in known for known in FORMATS.values()):
            base = base[: -len(ending) - 1]
        else:
            break
    return base or os.path.basename(name)


def format_by_content(source: Input, path: str) -> Format:
    """The format that the first bytes at `path` look like; what looks like nothing else is text."""
    if "csv" in _endings(source.name):
        raise AssayError(
            "csv isn't a corpus format",
            file=source.name,
            hint=f"turn it into tsv, jsonl or parquet; {_known_endings()}",
        )
    with opened(path, source.name) as (stream, _):
        first = stream.read(4096)
    if first.startswith(b"PAR1"):
        return "parquet"
    return "jsonl" if first.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") else "text"


def blocks(source: Input, reading: Reading) -> Iterator[Block]:
    """The input in blocks of about BLOCK_BYTES, cut at line ends (at blank lines for paragraphs)."""
    if source.format == "parquet":
        yield from _tables(source, reading)
        return
    columns: Columns | None = None
    line = 1
    by_paragraph = reading.split == "paragraphs" and source.format == "text"
    for data, consumed in _pieces(source, paragraphs=by_paragraph):
        if line == 1:
            data = data.removeprefix(b"\xef\xbb\xbf")
            if source.format == "tsv":
                columns, header = tsv_columns(data.partition(b"\n")[0], source, reading)
                if header:
                    data, line = data.partition(b"\n")[2], 2
        if data:
            yield Block(source, line, data, consumed, columns)
            line += data.count(b"\n")


def _pieces(source: Input, *, paragraphs: bool) -> Iterator[tuple[bytes, int]]:
    """Pieces that end at line ends (or blank lines), and how many bytes of the file each took."""
    at = 0
    with opened(source.path, source.name) as (stream, file):
        rest: list[bytes] = []
        while data := stream.read(BLOCK_BYTES):
            if rest and paragraphs:
                data, rest = b"".join([*rest, data]), []
            cut = _last_blank_line(data) if paragraphs else data.rfind(b"\n") + 1
            if cut:
                before, at = at, file.tell()
                yield b"".join([*rest, data[:cut]]), at - before
                rest = [data[cut:]]
            else:
                rest.append(data)
        if last := b"".join(rest):
            yield last, file.tell() - at


def _last_blank_line(data: bytes) -> int:
    at = max(data.rfind(b"\n\n") + 2, data.rfind(b"\n\r\n") + 3)
    return at if at > 3 or (at == 2 and data.startswith(b"\n\n")) else 0


def tsv_columns(first: bytes, source: Input, reading: Reading) -> tuple[Columns, bool]:
    """Where the fields of a tsv are, by its first line, and whether that line is a heading."""
    cells = first.rstrip(b"\r").decode("utf-8", errors="replace").split("\t")
    asked = [reading.text, reading.source, reading.document]
    header = any(field is not None and not _is_number(field) for field in asked)

    def place(field: str | None) -> int | None:
        if field is None:
            return None
        at = int(field) - 1 if _is_number(field) else (cells.index(field) if field in cells else -1)
        if not 0 <= at < len(cells):
            raise AssayError(
                f"no column {field!r}",
                file=source.name,
                line=1,
                hint=f"the first line has {len(cells)}: {', '.join(cells)[:200]}",
            )
        return at

    text, by_source, document = map(place, asked)
    if text is None:
        if len(cells) > 2:
            raise AssayError(
                f"{len(cells)} columns: which one holds the sentence?",
                file=source.name,
                line=1,
                hint="name the text column (--text-column 3, or a name in the heading) and the source column",
            )
        text = len(cells) - 1
        if by_source is None and len(cells) == 2:
            by_source = 0
    return Columns(text, by_source, document, len(cells)), header


def _is_number(field: str) -> bool:
    return field.isascii() and field.isdigit()


def _tables(source: Input, reading: Reading) -> Iterator[Block]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(source.path)
        names = file.schema_arrow.names
        text = _field(reading.text, TEXT_FIELDS, names, source.name, needed=True)
        by_source = _field(reading.source, SOURCE_FIELDS, names, source.name)
        document = _field(reading.document, DOCUMENT_FIELDS, names, source.name)
        wanted = [name for name in (text, by_source, document) if name is not None]
        row = 1
        for batch in file.iter_batches(batch_size=32768, columns=list(dict.fromkeys(wanted))):
            rows = tuple(
                [] if name is None else batch.column(batch.schema.names.index(name)).to_pylist()
                for name in (text, by_source, document)
            )
            consumed = os.path.getsize(source.path) * batch.num_rows // max(file.metadata.num_rows, 1)
            yield Block(source, row, b"", consumed, rows=(rows[0], rows[1], rows[2]))
            row += batch.num_rows
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError, OverflowError, MemoryError) as error:
        raise AssayError(f"can't be read as parquet: {first_line(error)}", file=source.name) from None


TEXT_FIELDS = ("text", "sentence", "contents")
SOURCE_FIELDS = ("source",)
DOCUMENT_FIELDS = ("document",)


def _field(
    asked: str | None, usual: Sequence[str], names: Sequence[str], file: str, *, needed: bool = False
) -> str | None:
    wanted = usual if asked is None else (asked,)
    found = next((name for name in wanted if name in names), None)
    if found is None and (needed or asked is not None):
        raise AssayError(
            f"no column {' or '.join(wanted)}", file=file, hint=f"it has {', '.join(names)[:200]}"
        )
    return found
