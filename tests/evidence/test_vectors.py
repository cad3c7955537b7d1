"""A corpus's vectors: the same bytes whatever happened on the way, and nothing false taken for true."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from assay.corpus import import_corpus, open_corpus
from assay.corpus.model import Corpus, corpus_in_memory
from assay.errors import AssayError
from assay.evidence import vectors
from assay.evidence.vectors import encode_corpus, open_vectors
from tests.evidence.word_encoder import WordEncoder


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "SHARD", 7)
    monkeypatch.setattr(vectors, "SLICE", 3)


def sentences(count: int, seed: int = 0) -> list[str]:
    rng = random.Random(seed)
    return [
        " ".join(rng.choices("ore mud iron bat root sand".split(), k=rng.randint(1, 9))) for _ in range(count)
    ]


def corpus_of(count: int) -> Corpus:
    return corpus_in_memory(sentences(count))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".writer.lock"}


@pytest.mark.parametrize("count", [0, 1, 6, 7, 8, 20])
@pytest.mark.parametrize("numbers", ["float16", "float32"])
def test_a_row_a_sentence(tmp_path: Path, count: int, numbers: str) -> None:
    corpus, encoder = corpus_of(count), WordEncoder()
    assert encode_corpus(corpus, encoder, tmp_path / "v", numbers=numbers) == 0
    opened = open_vectors(tmp_path / "v", corpus)
    right = encoder.encode(list(corpus.texts)).astype(numbers)
    assert len(opened) == count
    ids = np.array(random.Random(1).choices(range(count), k=30 if count else 0), np.int64)
    assert np.array_equal(opened.rows(ids), right[ids].astype(np.float32))
    for first, rows in opened.blocks():
        assert rows.dtype == numbers
        assert np.array_equal(rows, right[first : first + len(rows)])


def test_made_once(tmp_path: Path) -> None:
    corpus, encoder = corpus_of(20), WordEncoder()
    encode_corpus(corpus, encoder, tmp_path)
    whole, encoded = files(tmp_path), encoder.encoded
    assert encode_corpus(corpus, encoder, tmp_path) == 20
    assert encoder.encoded == encoded
    assert files(tmp_path) == whole


def test_goes_on_after_being_cut_off(tmp_path: Path) -> None:
    corpus, encoder = corpus_of(20), WordEncoder()
    encode_corpus(corpus, encoder, tmp_path / "whole")
    encode_corpus(corpus, encoder, tmp_path / "cut")
    (tmp_path / "cut/manifest.json").unlink()
    _, second, third = sorted(files(tmp_path / "cut"))
    (tmp_path / "cut" / second).unlink()
    # Neither a file cut off nor one altered is taken for whole.
    content = (tmp_path / "cut" / third).read_bytes()
    (tmp_path / "cut" / third).write_bytes(bytes([content[0] ^ 1]) + content[1:])
    (tmp_path / "cut/.left.part").write_bytes(b"half")
    assert encode_corpus(corpus, encoder, tmp_path / "cut") == 7
    assert files(tmp_path / "cut") == files(tmp_path / "whole")


def test_a_corpus_that_grew_keeps_its_vectors(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("\n".join(f"{text} {n}" for n, text in enumerate(sentences(16))))
    (tmp_path / "two.txt").write_text("\n".join(f"{text} {n} more" for n, text in enumerate(sentences(9))))
    import_corpus([str(tmp_path / "one.txt")], tmp_path / "c")
    before = open_corpus(tmp_path / "c")
    encode_corpus(before, WordEncoder(), tmp_path / "v")
    import_corpus([str(tmp_path / "two.txt")], tmp_path / "c", append=True)
    after = open_corpus(tmp_path / "c")
    with pytest.raises(AssayError, match=r"of 16 sentences that aren't those of corpus c \(25\)"):
        open_vectors(tmp_path / "v", after)
    assert encode_corpus(after, WordEncoder(), tmp_path / "v") == 14
    encode_corpus(after, WordEncoder(), tmp_path / "anew")
    assert files(tmp_path / "v") == files(tmp_path / "anew")
    assert len(open_vectors(tmp_path / "v", after)) == 25


def test_sentences_decide_not_their_analysis(tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("\n".join(f"{text} {n}" for n, text in enumerate(sentences(16))))
    import_corpus([str(tmp_path / "s.txt")], tmp_path / "c")
    encode_corpus(open_corpus(tmp_path / "c"), WordEncoder(), tmp_path / "v")
    in_memory = corpus_in_memory(list(open_corpus(tmp_path / "c").texts), name="other")
    assert len(open_vectors(tmp_path / "v", in_memory)) == 16


def test_another_encoder_starts_anew(tmp_path: Path) -> None:
    corpus = corpus_of(20)
    (tmp_path / "mine.txt").write_text("stays")
    encode_corpus(corpus, WordEncoder(), tmp_path)
    assert encode_corpus(corpus, WordEncoder(weights="two"), tmp_path) == 0
    assert len(files(tmp_path)) == 3 + 1 + 1
    opened = open_vectors(tmp_path, corpus)
    opened.check_encoder(WordEncoder(weights="two"))
    with pytest.raises(AssayError, match="other weights"):
        opened.check_encoder(WordEncoder())


def _cut(folder: Path) -> None:
    path = sorted(folder.glob("0*"))[1]
    path.write_bytes(path.read_bytes()[:-9])


def _alter(folder: Path) -> None:
    path = sorted(folder.glob("0*"))[1]
    content = bytearray(path.read_bytes())
    content[5] ^= 1
    path.write_bytes(bytes(content))


def _edit(folder: Path, **changes: object) -> None:
    path = folder / "manifest.json"
    found = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({key: value for key, value in found.items() if value is not None}))


@pytest.mark.parametrize(
    ("harm", "what"),
    [
        (_cut, "bytes where"),
        (_alter, "altered"),
        (lambda folder: sorted(folder.glob("0*"))[1].unlink(), "missing"),
        (lambda folder: (folder / "manifest.json").unlink(), "holds no vectors"),
        (lambda folder: (folder / "manifest.json").write_text("{"), "manifest is damaged"),
        (lambda folder: _edit(folder, dimension=-3), "manifest is damaged"),
        (lambda folder: _edit(folder, encoder={"fingerprint": "x", "longest": "x"}), "manifest is damaged"),
        (lambda folder: (folder / "manifest.json").write_text("[]"), "no manifest of vectors"),
        (lambda folder: _edit(folder, kind="assay corpus"), "no manifest of vectors"),
        (lambda folder: _edit(folder, version=9), "store version 9"),
        (lambda folder: _edit(folder, texts=None), "damaged"),
        (lambda folder: _edit(folder, numbers="int8"), "damaged"),
        (lambda folder: _edit(folder, shards=[{"file": 3}]), "damaged"),
        (lambda folder: _edit(folder, shards=[]), "damaged"),
        (lambda folder: _edit(folder, encoder="minilm"), "damaged"),
        (lambda folder: _edit(folder, dimension=8), "bytes where"),
    ],
)
def test_nothing_damaged_is_opened(tmp_path: Path, harm: object, what: str) -> None:
    corpus = corpus_of(20)
    encode_corpus(corpus, WordEncoder(), tmp_path)
    harm(tmp_path)  # type: ignore[operator]
    with pytest.raises(AssayError, match=what):
        open_vectors(tmp_path, corpus)
    encode_corpus(corpus, WordEncoder(), tmp_path)
    assert len(open_vectors(tmp_path, corpus)) == 20


def test_no_such_folder_and_no_such_type(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="there are no vectors here"):
        open_vectors(tmp_path / "v", corpus_of(3))
    with pytest.raises(AssayError, match="no type of numbers 'int8'"):
        encode_corpus(corpus_of(3), WordEncoder(), tmp_path, numbers="int8")


SLOWLY = """
import sys, time
from pathlib import Path
from assay.corpus.model import corpus_in_memory
from assay.evidence import vectors
from tests.evidence.word_encoder import WordEncoder

class Slow(WordEncoder):
    def encode(self, texts):
        time.sleep(0.02)
        return super().encode(texts)

vectors.SHARD, vectors.SLICE = 7, 3
vectors.encode_corpus(corpus_in_memory(Path(sys.argv[1]).read_text().split("\\n")), Slow(), Path(sys.argv[2]))
"""


def test_killed_and_run_again(tmp_path: Path) -> None:
    (tmp_path / "texts").write_text("\n".join(sentences(70)))
    corpus = corpus_in_memory(sentences(70))
    encode_corpus(corpus, WordEncoder(), tmp_path / "whole")
    run = subprocess.Popen(
        [sys.executable, "-c", SLOWLY, str(tmp_path / "texts"), str(tmp_path / "v")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    while len(list((tmp_path / "v").glob("0*"))) < 2:
        assert run.poll() is None
        time.sleep(0.005)
    run.send_signal(signal.SIGKILL)
    run.wait()
    with pytest.raises(AssayError, match="holds no vectors"):
        open_vectors(tmp_path / "v", corpus)
    assert 7 <= encode_corpus(corpus, WordEncoder(), tmp_path / "v") < 70
    assert files(tmp_path / "v") == files(tmp_path / "whole")
