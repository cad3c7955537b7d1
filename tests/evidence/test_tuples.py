"""A corpus's tuples: the same bytes whatever happened on the way, and nothing false taken for true."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.corpus import import_corpus, open_corpus
from assay.corpus.model import Corpus, corpus_in_memory
from assay.errors import AssayError
from assay.evidence import tuples
from assay.evidence.tuples import Counts, extract_corpus, open_tuples
from assay.text.openie import TextTuple, extract, texts
from assay.text.parsing import LONGEST, open_parser

pytest.importorskip("spacy", reason="needs the extra 'parse'")
SHARD = 5


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuples, "SHARD", SHARD)


def sentences(count: int) -> list[str]:
    dice = random.Random(3)
    nouns = "iron ice mud bats roots sand birds rain".split()
    verbs = ["is made of", "eats", "can hold", "do not have", "falls on", "is", "and"]
    return [f"The {dice.choice(nouns)} {dice.choice(verbs)} {dice.choice(nouns)}." for _ in range(count)]


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".writer.lock"}


@pytest.mark.parametrize("count", [0, 1, 4, 5, 6, 17])
def test_every_sentence_has_what_is_extracted_from_it(tmp_path: Path, count: int) -> None:
    given = sentences(count)
    done = extract_corpus(corpus_in_memory(given), tmp_path / "t")
    opened = open_tuples(tmp_path / "t", corpus_in_memory(given))
    right = [tuple(texts(one, parse) for one in extract(parse)) for parse in open_parser().parse(given)]
    assert list(opened) == right
    assert [opened.of(place) for place in reversed(range(count))] == right[::-1]
    assert len(opened) == count
    assert opened.counts == done.counts == Counts(sum(map(len, right)), right.count(()), 0)
    for wrong in (-1, count):
        with pytest.raises(IndexError):
            opened.of(wrong)


def test_texts_that_give_nothing_and_texts_too_long(tmp_path: Path) -> None:
    given = ["", "word", "\x00\x02", "The sun rises.", "long " * LONGEST, "é" * 10_000, "Eis schmilzt.", "\t"]
    done = extract_corpus(corpus_in_memory(given), tmp_path / "t")
    opened = open_tuples(tmp_path / "t", corpus_in_memory(given))
    assert opened.of(3) == (TextTuple("The sun", "rises", ()),)
    assert [opened.of(place) for place in (0, 1, 2, 4, 5, 7)] == [()] * 6
    assert done.counts.too_long == 1
    assert done.counts.without >= 6


def test_made_once_and_gone_on_with_after_the_corpus_grew(tmp_path: Path) -> None:
    given = sentences(17)
    assert extract_corpus(corpus_in_memory(given[:12]), tmp_path / "t").reused == 0
    before = files(tmp_path / "t")
    assert extract_corpus(corpus_in_memory(given[:12]), tmp_path / "t").reused == 12
    assert files(tmp_path / "t") == before
    assert extract_corpus(corpus_in_memory(given), tmp_path / "t").reused == 10
    extract_corpus(corpus_in_memory(given), tmp_path / "u")
    assert files(tmp_path / "t") == files(tmp_path / "u")


@pytest.mark.slow
def test_as_many_processes_as_one_likes(tmp_path: Path) -> None:
    corpus = corpus_in_memory(sentences(23))
    for workers in (1, 2):
        extract_corpus(corpus, tmp_path / str(workers), workers=workers)
    assert files(tmp_path / "1") == files(tmp_path / "2")


def test_other_rules_make_all_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = corpus_in_memory(sentences(8))
    extract_corpus(corpus, tmp_path / "t")
    before, opened = files(tmp_path / "t"), open_tuples(tmp_path / "t", corpus)
    monkeypatch.setattr(tuples, "RULES", tuples.RULES + 1)
    assert extract_corpus(corpus, tmp_path / "t").reused == 0
    assert not set(before) - {tuples.MANIFEST} & set(files(tmp_path / "t")) - {tuples.MANIFEST}
    newer = open_tuples(tmp_path / "t", corpus)
    assert (newer.rules, newer.fingerprint) != (opened.rules, opened.fingerprint)


def test_what_an_earlier_run_left_damaged_is_made_again(tmp_path: Path) -> None:
    corpus = corpus_in_memory(sentences(12))
    extract_corpus(corpus, tmp_path / "t")
    right = files(tmp_path / "t")
    first, second, third = sorted(name for name in right if name != tuples.MANIFEST)
    (tmp_path / "t" / first).write_bytes(right[first][:-9])
    (tmp_path / "t" / second).write_bytes(right[second].replace(b"The", b"Thy", 1))
    (tmp_path / "t" / third).unlink()
    (tmp_path / "t" / ".half.part").write_bytes(b"x")
    assert extract_corpus(corpus, tmp_path / "t").reused == 0
    assert files(tmp_path / "t") == right


def test_damage_is_said(tmp_path: Path) -> None:
    corpus = corpus_in_memory(sentences(12))
    folder = tmp_path / "t"
    extract_corpus(corpus, folder)
    right = files(folder)
    name = sorted(name for name in right if name != tuples.MANIFEST)[1]

    def said() -> str:
        with pytest.raises(AssayError) as raised:
            list(open_tuples(folder, corpus))
        tuples._opened.cache_clear()
        return str(raised.value)

    (folder / name).write_bytes(right[name][:-1])
    assert f"has {len(right[name]) - 1:,} bytes where {len(right[name]):,} are due" in said()
    for place in range(0, len(right[name]), 31):
        torn = bytearray(right[name])
        torn[place] ^= 4
        (folder / name).write_bytes(torn)
        assert "was altered: its checksum is wrong" in said()
    (folder / name).unlink()
    assert "a file of the tuples is missing" in said()
    (folder / name).write_bytes(right[name])
    manifest = json.loads(right[tuples.MANIFEST])
    for content, words in [
        (b"{", "the manifest is damaged"),
        (b"[" * 100_000, "the manifest is damaged"),
        (b"[]", "is no manifest of tuples"),
        (json.dumps({**manifest, "version": 99}).encode(), "store version 99"),
        (json.dumps({**manifest, "shards": manifest["shards"][1:]}).encode(), "the manifest is damaged"),
        (json.dumps({**manifest, "shards": [{"file": 3}] * 3}).encode(), "the manifest is damaged"),
        (json.dumps({"kind": manifest["kind"], "version": 1}).encode(), "the manifest is damaged"),
    ]:
        (folder / tuples.MANIFEST).write_bytes(content)
        assert words in said()
    (folder / tuples.MANIFEST).unlink()
    assert "holds no tuples" in said()
    folder = tmp_path / "nowhere"
    assert "there are no tuples here" in said()


def test_of_another_corpus(tmp_path: Path) -> None:
    extract_corpus(corpus_in_memory(sentences(9)), tmp_path / "t")
    with pytest.raises(AssayError, match="of 9 sentences that aren't those of corpus"):
        open_tuples(tmp_path / "t", corpus_in_memory(sentences(10)))


def test_a_worker_that_ends_early_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.corpus.workers.START", "raise SystemExit(7)")
    with pytest.raises(AssayError, match=r"a worker process ended early"):
        extract_corpus(corpus_in_memory(sentences(12)), tmp_path / "t", workers=2)


RUN = """
import sys
from pathlib import Path
from assay.corpus import open_corpus
from assay.evidence import tuples
tuples.SHARD = 5
tuples.extract_corpus(open_corpus(sys.argv[1]), Path(sys.argv[2]), workers=int(sys.argv[3]))
"""


@pytest.mark.slow
def test_killed_and_run_again(tmp_path: Path) -> None:
    """Killed when so many files are there, again and again, it ends with the bytes of one run."""
    path = tmp_path / "s.txt"
    path.write_text("".join(f"Rock {n} is made of mineral {n}.\n" for n in range(60)), encoding="utf-8")
    import_corpus([str(path)], tmp_path / "c")
    corpus: Corpus = open_corpus(tmp_path / "c")
    extract_corpus(corpus, tmp_path / "right", workers=1)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    folder = tmp_path / "t"
    for wanted in (1, 4, 9):
        process = subprocess.Popen(
            [sys.executable, "-c", RUN, str(tmp_path / "c"), str(folder), "2" if wanted == 4 else "1"],
            env=environment,
            start_new_session=True,
        )
        while process.poll() is None:
            if folder.is_dir() and len([at for at in folder.iterdir() if at.name[0] != "."]) >= wanted:
                break
            time.sleep(0.002)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    done = extract_corpus(corpus, folder, workers=1)
    assert done.reused >= 9 * SHARD
    assert files(folder) == files(tmp_path / "right")
