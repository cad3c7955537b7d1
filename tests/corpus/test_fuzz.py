"""Mutated inputs: every fault is said with its line, or every line is read; never anything else.

ASSAY_FUZZ says how many for each reader (1,000 where it isn't set; 10000 is the full run).
"""

import gzip
import io
import json
import lzma
import os
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from assay.corpus.analysis import BlockAnalyser, Piece, Settings
from assay.corpus.inputs import Reading, blocks, find_inputs
from assay.corpus.rules import Cleaning
from assay.errors import AssayError
from assay.text.analysis import Analyser

COUNT = int(os.environ.get("ASSAY_FUZZ", "1000"))
TEXT = "Iron is a metal.\nTin melts at 231.9 °C.\n\nWater's cold\u2028and wet.\n".encode()
TSV = "book\tIron is a metal.\nweb\tTin “melts” easily.\nweb\tZinc.\n".encode()
JSONL = b"".join(
    json.dumps({"text": text, "source": "s", "document": 3}).encode() + b"\n"
    for text in ("Iron é", "Tin", "\ud83d")
).replace(b"\\ud83d", b"\\ud83d\\ude00")
PIECES = [
    b"\xff",
    b"\x00",
    b"\n",
    b"\r",
    b"\t",
    b'"',
    b"{",
    b"}",
    b"\\",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    b"\\ud800",
]


def mutated(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(changed) + 1)
        how = rng.randrange(4)
        if how == 0:
            changed[at:at] = rng.choice(PIECES)
        elif how == 1:
            del changed[at : at + rng.randint(1, 9)]
        elif how == 2 and at < len(changed):
            changed[at] = rng.randrange(256)
        else:
            changed[at:at] = changed[: rng.randint(0, 20)]
    return bytes(changed)


def read(path: Path, analyse: BlockAnalyser) -> list[Piece] | AssayError:
    try:
        (source,), _ = find_inputs([path], analyse.settings.reading)
        return [analyse(block) for block in blocks(source, analyse.settings.reading)]
    except AssayError as error:
        return error


def analyser(**reading: str) -> BlockAnalyser:
    return BlockAnalyser(Settings(Reading(**reading), Cleaning(()), "exact", Analyser()))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "data"), [("a.txt", TEXT), ("a.tsv", TSV), ("a.jsonl", JSONL)], ids=["text", "tsv", "jsonl"]
)
def test_every_line_is_read_or_said(name: str, data: bytes, tmp_path: Path) -> None:
    rng = random.Random(name)
    analyse = analyser()
    path = tmp_path / name
    said = 0
    for _ in range(COUNT):
        changed = mutated(data, rng)
        path.write_bytes(changed)
        outcome = read(path, analyse)
        # A carriage return belongs to the line end, at the end of the file too.
        plain = changed.replace(b"\r\n", b"\n").removesuffix(b"\r")
        lines = plain.count(b"\n") + (not plain.endswith(b"\n"))
        if isinstance(outcome, AssayError):
            assert str(path) in str(outcome)
            continue
        faults = [fault for piece in outcome for fault in piece.faults]
        said += bool(faults)
        assert all(fault.line is not None and 1 <= fault.line <= lines and fault.file for fault in faults)
        if not faults:
            assert sum(piece.read for piece in outcome) == (lines if plain else 0)
            for piece in outcome:
                assert len(piece.token_counts) == len(piece.text_bytes) == len(piece.keys) == piece.read
                assert piece.token_counts.sum() == len(piece.ids)
                piece.text.decode("utf-8")
    assert said > COUNT // 40


def parquet() -> bytes:
    file = io.BytesIO()
    table = pa.table({"text": ["Iron is a metal.", "Tin é", ""], "source": ["a", None, "b"]})
    pq.write_table(table, file, compression="none", use_dictionary=False)
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.txt.gz", gzip.compress(TEXT * 20, mtime=0)),
        ("a.txt.xz", lzma.compress(TEXT * 20)),
        ("a.txt.zst", zstandard.ZstdCompressor(write_checksum=True).compress(TEXT * 20)),
        ("a.parquet", parquet()),
    ],
    ids=["gz", "xz", "zst", "parquet"],
)
def test_damaged_containers_are_said(name: str, data: bytes, tmp_path: Path) -> None:
    rng = random.Random(name)
    analyse = analyser()
    path = tmp_path / name
    said = 0
    for _ in range(COUNT):
        path.write_bytes(mutated(data, rng))
        outcome = read(path, analyse)
        if isinstance(outcome, AssayError):
            assert str(path) in str(outcome)
            said += 1
    assert said > COUNT // 40
