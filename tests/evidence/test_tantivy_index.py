"""Tantivy's index on disk: made once, never read half-written, refused when of another version."""

import dataclasses
import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest

from assay.corpus.model import Corpus, corpus_in_memory
from assay.errors import AssayError
from assay.evidence import tantivy_engine
from assay.evidence.engine import Query
from assay.evidence.tantivy_engine import TantivyEngine, index_folder
from assay.storage import only_writer


def on_disk(folder: Path, *sentences: str) -> Corpus:
    return dataclasses.replace(corpus_in_memory(sentences or ("iron ore", "mud")), folder=folder)


def first(corpus: Corpus, word: str) -> list[int]:
    return next(TantivyEngine(corpus).search([Query(((word,),))], 3)).ids.tolist()


def state(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }


def replaced(path: Path, data: bytes) -> None:
    """Another file in its place: cut short where it lies, the one that an open index has mapped would end
    the process (SIGBUS) when a thread of tantivy looks into it."""
    path.unlink()
    path.write_bytes(data)


def test_made_once(tmp_path: Path) -> None:
    corpus = on_disk(tmp_path)
    assert first(corpus, "mud") == [1]
    made = state(index_folder(corpus))
    assert first(corpus, "mud") == [1]
    assert state(index_folder(corpus)) == made


def test_another_corpus_in_the_folder_has_another_index(tmp_path: Path) -> None:
    before = on_disk(tmp_path)
    assert first(before, "mud") == [1]
    assert first(on_disk(tmp_path, "mud", "iron"), "mud") == [0]
    assert not index_folder(before).exists()


def test_other_version_is_refused_with_both_numbers(tmp_path: Path) -> None:
    corpus = on_disk(tmp_path)
    first(corpus, "mud")
    for path in index_folder(corpus).iterdir():
        replaced(path, path.read_bytes().replace(b'"index_format_version":7', b'"index_format_version":3'))
    before = state(tmp_path)
    with pytest.raises(AssayError, match=r"format 3, tantivy .* reads 7.*built again"):
        TantivyEngine(corpus)
    assert state(tmp_path) == before


@pytest.mark.parametrize("damage", ["gone", "cut", "meta", "flip"])
def test_damage_is_said(tmp_path: Path, damage: str) -> None:
    corpus = on_disk(tmp_path)
    first(corpus, "mud")
    folder = index_folder(corpus)
    victim = folder / "meta.json" if damage == "meta" else next(folder.glob("*.idx"))
    if damage == "gone":
        victim.unlink()
    elif damage == "flip":
        data = victim.read_bytes()
        replaced(victim, bytes([data[0] ^ 1]) + data[1:])
    else:
        replaced(victim, victim.read_bytes()[:7])
    with pytest.raises(AssayError, match="built again"):
        TantivyEngine(corpus)


def test_lock_file_alone_means_nothing(tmp_path: Path) -> None:
    corpus = on_disk(tmp_path)
    building = tmp_path / "tantivy-building"
    (building / "index").mkdir(parents=True)
    (building / ".writer.lock").touch()
    (building / "index" / ".tantivy-writer.lock").touch()
    (building / "index" / "meta.json").write_text("{")
    assert first(corpus, "mud") == [1]


def test_living_writer_is_named(tmp_path: Path) -> None:
    corpus = on_disk(tmp_path)
    with (
        only_writer(tmp_path / "tantivy-building"),
        pytest.raises(AssayError, match="another process is writing") as error,
    ):
        TantivyEngine(corpus)
    assert str(tmp_path) in str(error.value)


def _build_and_wait(folder: Path) -> None:
    def wait(*_: object) -> None:
        (folder / "reached").touch()
        time.sleep(60)

    tantivy_engine.write_json = wait  # type: ignore[assignment]
    TantivyEngine(on_disk(folder))


def test_killed_build_is_made_again(tmp_path: Path) -> None:
    process = multiprocessing.get_context("spawn").Process(target=_build_and_wait, args=(tmp_path,))
    process.start()
    while not (tmp_path / "reached").exists():
        time.sleep(0.05)
    corpus = on_disk(tmp_path)
    with pytest.raises(AssayError, match="another process is writing"):
        TantivyEngine(corpus)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    assert first(corpus, "mud") == [1]


def test_in_memory_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert first(corpus_in_memory(["iron", "mud"]), "mud") == [1]
    assert list(tmp_path.iterdir()) == []
