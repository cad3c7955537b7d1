"""Every format comes in, with its provenance; what can't be read is said with its place."""

import bz2
import gzip
import io
import lzma
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from assay.corpus import Corpus, Reading, import_corpus
from assay.corpus.info import corpus_info
from assay.errors import AssayError, FaultyInput

TSV = b"book\tIron is a metal.\nweb\tTin melts.\n"
JSONL = b"""{"text": "Iron is a metal.", "source": "book", "document": 7}
{"sentence": "Tin melts.", "source": "web"}
"""


def imported(tmp_path: Path, name: str, data: bytes, **settings: Any) -> Corpus:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return import_corpus(file, tmp_path / "corpus", **settings)


def zst(data: bytes) -> bytes:
    compress = zstandard.ZstdCompressor().compress
    return compress(data[:10]) + compress(data[10:])


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.tsv", TSV),
        ("a.tsv", b"\xef\xbb\xbf" + TSV.replace(b"\n", b"\r\n")),
        ("a.tsv", TSV.rstrip(b"\n")),
        ("a.tsv.gz", gzip.compress(TSV, mtime=0)),
        ("a.tsv.gz", gzip.compress(TSV[:10], mtime=0) + gzip.compress(TSV[10:], mtime=0)),
        ("a.tsv.zst", zst(TSV)),
        ("a.tsv.xz", lzma.compress(TSV)),
        ("a.jsonl", JSONL),
        ("unnamed", JSONL),
        ("a.jsonl.gz", gzip.compress(JSONL, mtime=0)),
    ],
)
def test_formats(tmp_path: Path, name: str, data: bytes) -> None:
    corpus = imported(tmp_path, name, data)
    assert list(corpus.texts) == ["Iron is a metal.", "Tin melts."]
    assert list(corpus.sources) == ["book", "web"]
    assert corpus.place(1).line == 2
    assert corpus.place(1).file == str(tmp_path / name)


def test_a_row_that_names_no_source_has_the_file_name(tmp_path: Path) -> None:
    corpus = imported(tmp_path, "facts.tsv", b"\tIron.\nweb\tTin.\n")
    assert list(corpus.sources) == ["facts", "web"]


def test_parquet(tmp_path: Path) -> None:
    table = pa.table(
        {"source": ["book", None], "document": [7, 8], "sentence": ["Iron is a metal.", "Tin melts."]}
    )
    pq.write_table(table, tmp_path / "facts.parquet")
    corpus = import_corpus(tmp_path / "facts.parquet", tmp_path / "corpus")
    assert list(corpus.texts) == ["Iron is a metal.", "Tin melts."]
    assert list(corpus.sources) == ["book", "facts"]
    assert [corpus.place(at).document for at in (0, 1)] == ["7", "8"]


def test_columns_by_name_and_number(tmp_path: Path) -> None:
    data = b"id\tfact\torigin\n7\tIron is a metal.\tbook\n"
    by_name = imported(tmp_path, "a.tsv", data, reading=Reading(text="fact", source="origin", document="id"))
    assert (by_name.texts[0], by_name.sources[0]) == ("Iron is a metal.", "book")
    assert (by_name.place(0).line, by_name.place(0).document) == (2, "7")
    by_number = imported(tmp_path, "a.tsv", data, reading=Reading(text="2", source="3"))
    assert list(by_number.texts) == ["fact", "Iron is a metal."]


def test_quotes_and_line_separators_are_plain_text(tmp_path: Path) -> None:
    data = 's\t"Tin melts\ns\tline\u2028separator\u0085here\ns\tends" there\n'.encode()
    corpus = imported(tmp_path, "a.tsv", data, cleaning=())
    assert list(corpus.texts) == ['"Tin melts', "line\u2028separator\u0085here", 'ends" there']


def test_text_in_paragraphs(tmp_path: Path) -> None:
    text = "Iron rusts in\nwet air. Tin\ndoes not.\n\nDr. Lee agrees.\n"
    corpus = imported(tmp_path, "book.txt", text.encode(), split="paragraphs")
    assert list(corpus.texts) == ["Iron rusts in wet air.", "Tin does not.", "Dr. Lee agrees."]
    assert [corpus.place(at).line for at in range(3)] == [1, 1, 5]
    assert corpus.place(0).document == str(tmp_path / "book.txt")
    lines = imported(tmp_path, "book.txt", b"Iron rusts. Tin does not.\n", split="lines")
    assert list(lines.texts) == ["Iron rusts.", "Tin does not."]


def test_blank_lines_between_sentences_are_asked_about(tmp_path: Path) -> None:
    text = b"Iron rusts in\nwet air.\n\nDr. Lee agrees.\n"
    (tmp_path / "book.txt").write_bytes(text)
    import_corpus(tmp_path / "book.txt", tmp_path / "as-lines")
    (warning,) = corpus_info(tmp_path / "as-lines")["warnings"]
    assert "1 of 4 lines are blank" in warning
    assert "--split paragraphs" in warning
    import_corpus(tmp_path / "book.txt", tmp_path / "as-text", split="paragraphs")
    assert corpus_info(tmp_path / "as-text")["warnings"] == []


def test_blocks_may_be_cut_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"Fact {at}: é is number {at}.\r\n" + "\r\n" * (at % 3 == 0) for at in range(300))
    whole = imported(tmp_path, "a.txt", text.encode(), cleaning=())
    paragraphs = import_corpus(tmp_path / "a.txt", tmp_path / "p", split="paragraphs")
    for size in (1, 7, 64, 1000):
        monkeypatch.setattr("assay.corpus.inputs.BLOCK_BYTES", size)
        again = import_corpus(tmp_path / "a.txt", tmp_path / f"c{size}", cleaning=())
        assert again.fingerprint == whole.fingerprint
        assert [again.place(at) for at in range(9)] == [whole.place(at) for at in range(9)]
        cut = import_corpus(tmp_path / "a.txt", tmp_path / f"p{size}", split="paragraphs")
        assert cut.fingerprint == paragraphs.fingerprint


def test_folders_and_patterns_in_the_order_of_names(tmp_path: Path) -> None:
    for name, text in (("b.txt", "Tin."), ("a/z.txt", "Iron."), ("a/notes.pdf", "no"), (".hidden.txt", "no")):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    import_corpus(tmp_path / "in/b.txt", tmp_path / "in/a/corpus")
    corpus = import_corpus(tmp_path / "in", tmp_path / "corpus")
    assert list(corpus.texts) == ["Iron.", "Tin."]
    assert list(corpus.sources) == ["z", "b"]
    assert corpus_info(tmp_path / "corpus")["passed_over"] == [str(tmp_path / "in/a/notes.pdf")]
    matched = import_corpus(str(tmp_path / "in/**/*.txt"), tmp_path / "corpus")
    assert list(matched.texts) == ["Iron.", "Tin."]


@pytest.mark.parametrize("data", [gzip.compress(b"Iron.\nTin.\n"), b'{"text": "Iron."}\n{"text": "Tin."}\n'])
def test_standard_input(data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    corpus = import_corpus("-", tmp_path / "corpus")
    assert list(corpus.texts) == ["Iron.", "Tin."]
    assert list(corpus.sources) == ["stdin", "stdin"]
    assert corpus.place(1).file == "-"
    assert not list((tmp_path / "corpus").glob(".data*"))


FAULTS = [
    ("a.txt", b"fine\nbad \xff here\nfine\nalso \xc3\n", "a.txt:2: not UTF-8: byte 0xff at place 5", 2),
    ("a.tsv", b"s\tok\ns\ttoo\tmany\nnone\n", "a.tsv:2: 3 columns where the first line has 2", 2),
    ("a.jsonl", b'{"text": "ok"}\n{"text": \n{"note": 1}\n', "a.jsonl:2: no JSON", 2),
    ("a.jsonl", b'{"text": "a", "text": "b"}\n', "a.jsonl:1: no JSON: the key 'text' stands twice", 1),
    ("a.jsonl", b'{"text": "a \\udc00"}\n', "a.jsonl:1: the text holds a lone surrogate", 1),
    ("a.jsonl", b'{"text": 5}\n[1]\n', "a.jsonl:1: field text", 2),
    ("a.jsonl", b'{"text": "a", "source": {}}\n', "a.jsonl:1: field source is no string", 1),
]


@pytest.mark.parametrize(("name", "data", "said", "count"), FAULTS)
def test_faulty_lines_are_all_said(tmp_path: Path, name: str, data: bytes, said: str, count: int) -> None:
    with pytest.raises(FaultyInput) as caught:
        imported(tmp_path, name, data)
    assert said in str(caught.value)
    assert len(caught.value.faults) == count
    assert not (tmp_path / "corpus/manifest.json").exists()
    assert not list((tmp_path / "corpus").glob(".data*"))


ERRORS = [
    ("a.txt", "UTF-16 text".encode("utf-16"), "UTF-16"),
    ("a.txt.gz", gzip.compress(b"Iron " * 999, mtime=0)[:-10], "cut off"),
    ("a.txt.gz", gzip.compress(b"x" * 100, mtime=0)[:12] + b"rubbish rubbish", "can't be read|damaged"),
    ("a.txt.xz", lzma.compress(b"Iron " * 999)[:-30], "cut off"),
    ("a.txt.zst", zst(b"Iron " * 999)[:-3], "cut off|damaged|can't be read"),
    ("a.parquet", b"PAR1 no", "parquet"),
    ("a.csv", b"id,text\n", "csv isn't a corpus format"),
    ("a.tsv", b"a\tb\tc\n", "3 columns: which one"),
    ("a.bz2", bz2.compress(b"Iron"), "not UTF-8"),
]


@pytest.mark.parametrize(("name", "data", "said"), ERRORS)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    with pytest.raises(AssayError, match=said) as caught:
        imported(tmp_path, name, data)
    assert name in str(caught.value)


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="no such file or folder"):
        import_corpus(tmp_path / "nothing", tmp_path / "corpus")
    (tmp_path / "empty").mkdir()
    with pytest.raises(AssayError, match="no file here"):
        import_corpus(tmp_path / "empty", tmp_path / "corpus")
    with pytest.raises(AssayError, match="nothing to import"):
        import_corpus([], tmp_path / "corpus")
    with pytest.raises(AssayError, match="no column 'x'"):
        imported(tmp_path, "a.tsv", TSV, reading=Reading(text="x"))


def test_rules_that_let_faulty_lines_pass_count_them(tmp_path: Path) -> None:
    import json

    data = b"s\tok\ns\tbad \xff\nnone\ns\tfine\n"
    corpus = imported(tmp_path, "a.tsv", data, cleaning=("replace-invalid", "drop-faulty"))
    assert list(corpus.texts) == ["ok", "bad \ufffd", "fine"]
    counts = json.loads((tmp_path / "corpus/manifest.json").read_text())["counts"]
    assert counts["replace-invalid"] == 1
    assert counts["drop-faulty"] == 1
    lone = imported(tmp_path, "b.jsonl", b'{"text": "a \\udc00b"}\n', cleaning=("replace-invalid",))
    assert list(lone.texts) == ["a \ufffdb"]
