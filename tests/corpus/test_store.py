"""The store on disk: the same bytes whatever happens, and never read when it isn't whole."""

import gzip
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assay.corpus import (
    Corpus,
    Reading,
    import_corpus,
    only_sources,
    open_corpus,
    source_sizes,
    without_sources,
)
from assay.corpus.info import corpus_info
from assay.corpus.inputs import Block, Input, blocks
from assay.corpus.manifest import read_manifest
from assay.corpus.rules import DEFAULT_CLEANING, with_defaults
from assay.errors import AssayError
from assay.storage import only_writer
from assay.text.analysis import Analyser

ROOT = Path(__file__).parent.parent.parent
WORDS = "iron tin water cell plant the of is are melts Grows light heat 3.5 über naïve mass energy".split()


def lines(count: int, seed: int = 1) -> bytes:
    rng = random.Random(seed)
    made = (" ".join(rng.choices(WORDS, k=rng.randint(0, 9))) for _ in range(count))
    return "".join(f"s{rng.randint(0, 3)}\t{line}\n" for line in made).encode()


def written(folder: Path) -> dict[str, str]:
    """Every file of the corpus folder but the lock, with its digest."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".writer.lock"
    }


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    path = tmp_path / "facts.tsv"
    path.write_bytes(lines(3000))
    return path


def run(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": "src", **environment},
        cwd=ROOT,
    )


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "assay", "corpus", *map(str, arguments)]


def test_the_bytes_do_not_depend_on_workers_or_blocks(
    facts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_corpus(facts, tmp_path / "one", name="n", workers=1)
    monkeypatch.setattr("assay.corpus.inputs.BLOCK_BYTES", 5000)
    monkeypatch.setattr("assay.corpus.build.FEW_BYTES", 0)
    monkeypatch.setattr("assay.corpus.kernels.PIECE_TOKENS", 100)
    monkeypatch.setattr("assay.corpus.writer.PIECE_TOKENS", 100)
    monkeypatch.setattr("assay.corpus.kernels.RANGE_ENTRIES", 50)
    import_corpus(facts, tmp_path / "three", name="n", workers=3)
    monkeypatch.setattr("assay.corpus.analysis.MAX_SURFACES", 5)
    import_corpus(facts, tmp_path / "two", name="n", workers=2)
    assert written(tmp_path / "one") == written(tmp_path / "three") == written(tmp_path / "two")


def test_the_fingerprint_is_of_sentences_sources_analyser_and_rules(tmp_path: Path) -> None:
    def fingerprint(
        data: bytes, name: str = "a.tsv", analyser: Analyser | None = None, **settings: Any
    ) -> str:
        path = tmp_path / name
        path.write_bytes(data)
        return import_corpus(path, tmp_path / "corpus", analyser, **settings).fingerprint

    plain = fingerprint(b"s\tIron rusts.\nt\tTin.\n")
    assert fingerprint(b"s\tIron  rusts.\r\nt\tTin.\nt\tTin.\n", "b.tsv", workers=2) == plain
    others = [
        fingerprint(b"s\tIron rusts\nt\tTin.\n"),
        fingerprint(b"s\tIron rusts.\ns\tTin.\n"),
        fingerprint(b"t\tTin.\ns\tIron rusts.\n"),
        fingerprint(b"s\tIron rusts.Tin\nt\t.\n"),
        fingerprint(b"s\tIron rusts.\nt\tTin.\n", dedupe="alphanumeric"),
        fingerprint(b"s\tIron rusts.\nt\tTin.\n", cleaning=("collapse-space",)),
        fingerprint(b"s\tIron rusts.\nt\tTin.\n", analyser=Analyser(stop_words="none")),
        fingerprint(b"s\tIron rusts.\nt\tTin.\n", analyser=Analyser("german")),
    ]
    assert len({plain, *others}) == len(others) + 1


def test_unchanged_inputs_are_not_read_again(
    facts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "corpus"
    first = import_corpus(facts, folder)
    before = written(folder)
    with monkeypatch.context() as patch:
        patch.setattr("assay.corpus.build._read", None)
        assert import_corpus(facts, folder).fingerprint == first.fingerprint
    assert written(folder) == before
    assert import_corpus(facts, folder, name="renamed").name == "renamed"
    assert open_corpus(folder).fingerprint == first.fingerprint
    import_corpus(facts, folder, name="corpus")
    assert written(folder) == before
    facts.write_bytes(lines(3000, seed=2))
    changed = import_corpus(facts, folder)
    assert changed.fingerprint != first.fingerprint
    assert len(list(folder.glob("data-*"))) == 1
    facts.write_bytes(lines(3000))
    import_corpus(facts, folder)
    assert written(folder) == before


@pytest.mark.parametrize("dedupe", ["exact", "none"])
def test_appending_gives_what_importing_all_at_once_gives(
    facts: Path, tmp_path: Path, dedupe: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = tmp_path / "more.jsonl"
    more.write_text('{"text": "New aardvark metal.", "document": "d"}\n{"text": "iron tin"}\n{"text": ""}\n')
    last = tmp_path / "last.txt"
    last.write_text("Zinc.\n")
    import_corpus([facts, more, last], tmp_path / "whole", name="n", dedupe=dedupe)
    step = tmp_path / "step"
    import_corpus(facts, step, name="n", dedupe=dedupe)
    import_corpus(more, step, dedupe=dedupe, append=True)
    once = import_corpus(last, step, dedupe=dedupe, append=True)
    assert written(step) == written(tmp_path / "whole")
    assert import_corpus(last, step, dedupe=dedupe, append=True).fingerprint == once.fingerprint
    assert written(step) == written(tmp_path / "whole")
    # A longer list of inputs, the first ones unchanged, is an appending too.
    listed = tmp_path / "listed"
    import_corpus([facts, more], listed, name="n", dedupe=dedupe)
    read = []

    def noted(source: Input, reading: Reading) -> Iterator[Block]:
        read.append(source.name)
        return blocks(source, reading)

    monkeypatch.setattr("assay.corpus.build.blocks", noted)
    import_corpus([facts, more, last], listed, name="n", dedupe=dedupe)
    assert read == [str(last)]
    assert written(listed) == written(tmp_path / "whole")


def test_appending_with_other_settings_is_refused(facts: Path, tmp_path: Path) -> None:
    import_corpus(facts, tmp_path / "corpus")
    before = written(tmp_path / "corpus")
    other = tmp_path / "other.txt"
    other.write_text("Zinc.\n")
    with pytest.raises(AssayError, match="dedupe is 'none' where the corpus has"):
        import_corpus(other, tmp_path / "corpus", dedupe="none", append=True)
    assert written(tmp_path / "corpus") == before


COLUMNS = "texts.utf8 texts.starts sources.codes lines tokens.ids content.ids terms.utf8 postings.sentences"


@pytest.mark.parametrize("column", COLUMNS.split())
@pytest.mark.parametrize("how", ["cut", "altered", "missing"])
def test_a_damaged_store_is_refused_and_mended_by_importing_again(
    facts: Path, tmp_path: Path, column: str, how: str
) -> None:
    folder = tmp_path / "corpus"
    corpus = import_corpus(facts, folder)
    before = written(folder)
    path = next(folder.glob("data-*")) / column
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 64
    path.unlink()
    if how != "missing":
        path.write_bytes(data if how == "altered" else data[:-5])
    for ask in (open_corpus, corpus_info):
        with pytest.raises(AssayError, match=r"missing|altered|bytes where") as caught:
            ask(folder)
        assert "import it again" in str(caught.value)
        assert column in str(caught.value)
    with pytest.raises(AssayError):
        import_corpus(facts, folder, append=True)
    assert import_corpus(facts, folder).fingerprint == corpus.fingerprint
    assert written(folder) == before


def test_a_corpus_replaced_while_it_is_opened_is_opened(
    facts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "corpus"
    small = tmp_path / "small.txt"
    small.write_text("Iron.\n")
    import_corpus(small, folder)
    late = read_manifest(folder)
    corpus = import_corpus(facts, folder)
    answers = iter([late, read_manifest(folder)])
    monkeypatch.setattr("assay.corpus.store.read_manifest", lambda folder: next(answers))
    assert open_corpus(folder).fingerprint == corpus.fingerprint


def test_large_columns_are_sampled_and_verified_whole_when_asked(
    facts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("columns", "manifest"):
        monkeypatch.setattr(f"assay.corpus.{module}.WHOLE_CHECK_BYTES", 2000)
    monkeypatch.setattr("assay.corpus.columns.SAMPLE_BYTES", 16)
    folder = tmp_path / "corpus"
    import_corpus(facts, folder)
    path = next(folder.glob("data-*")) / "texts.utf8"
    data = bytearray(path.read_bytes())
    data[20] ^= 1
    path.write_bytes(data)
    open_corpus(folder)
    with pytest.raises(AssayError, match="altered"):
        corpus_info(folder, verify=True)
    data[3] ^= 1
    path.write_bytes(data)
    with pytest.raises(AssayError, match="altered"):
        open_corpus(folder)


@pytest.mark.parametrize("version", [0, 99])
def test_another_version_is_refused_with_both_numbers(facts: Path, tmp_path: Path, version: int) -> None:
    folder = tmp_path / "corpus"
    import_corpus(facts, folder)
    manifest = folder / "manifest.json"
    content = json.loads(manifest.read_text())
    manifest.write_text(json.dumps({**content, "version": version}))
    before = written(folder)
    with pytest.raises(AssayError, match=rf"version {version}, this assay reads version 1.*import it again"):
        open_corpus(folder)
    assert written(folder) == before
    import_corpus(facts, folder)
    assert open_corpus(folder).fingerprint == content["fingerprint"]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff", b"[]", b'{"kind": "other"}', b'{"kind": "assay corpus", "version": 1}']
)
def test_a_damaged_manifest_is_refused(facts: Path, tmp_path: Path, content: bytes) -> None:
    folder = tmp_path / "corpus"
    import_corpus(facts, folder)
    (folder / "manifest.json").write_bytes(content)
    with pytest.raises(AssayError, match="manifest"):
        open_corpus(folder)


def test_a_folder_without_manifest_is_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="no such corpus folder"):
        open_corpus(tmp_path / "nowhere")
    with pytest.raises(AssayError, match="it has no manifest"):
        open_corpus(tmp_path)
    (tmp_path / "manifest.json").write_text('{"kind": "something else"}')
    with pytest.raises(AssayError, match="no manifest of a corpus"):
        import_corpus(tmp_path / "manifest.json", tmp_path)


def test_one_writer_at_a_time(facts: Path, tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus/.writer.lock").write_text("left by a kill")
    with only_writer(tmp_path / "corpus"):
        second = run("import", facts, "--to", tmp_path / "corpus")
    assert second.returncode == 2
    assert "another process is writing here" in second.stderr
    assert "Traceback" not in second.stderr
    import_corpus(facts, tmp_path / "corpus")


def test_a_killed_import_leaves_the_old_corpus_and_ends_with_the_same_bytes(tmp_path: Path) -> None:
    facts = tmp_path / "facts.tsv"
    facts.write_bytes(lines(40_000))
    fingerprints = {import_corpus(facts, tmp_path / "unbroken", name="n").fingerprint}
    right = written(tmp_path / "unbroken")
    folder = tmp_path / "corpus"
    arguments = command("import", facts, "--to", folder, "--name", "n", "--quiet", "--workers", "2")
    environment = {**os.environ, "PYTHONPATH": "src"}
    rng = random.Random(7)
    small = tmp_path / "small.txt"
    small.write_text("Iron.\n")
    for attempt in range(6):
        if attempt == 3:
            fingerprints.add(import_corpus(small, folder).fingerprint)
        process = subprocess.Popen(
            arguments,
            env=environment,
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        deadline = time.monotonic() + 60
        while not list(folder.glob(".data*.part")) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
        time.sleep(rng.random() * 0.8)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if (folder / "manifest.json").exists():
            assert open_corpus(folder).fingerprint in fingerprints
        else:
            with pytest.raises(AssayError):
                open_corpus(folder)
    subprocess.run(arguments, env=environment, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    assert written(folder) == right


def test_a_full_disk_is_said_and_loses_nothing(facts: Path, tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    small = tmp_path / "small.txt"
    small.write_text("Iron.\n")
    import_corpus(small, folder)
    before = written(folder)
    limited = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (30000, 30000)); "
        "from assay.cli.main import main; main()"
    )
    environment = {**os.environ, "PYTHONPATH": "src"}
    done = subprocess.run(
        [sys.executable, "-c", limited, "corpus", "import", str(facts), "--to", str(folder)],
        capture_output=True,
        text=True,
        env=environment,
        cwd=ROOT,
    )
    assert done.returncode == 2, done.stderr
    assert "can't be written: File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert written(folder) == before


def test_a_folder_that_cannot_be_written(facts: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(AssayError, match="can't be written"):
        import_corpus(facts, tmp_path / "file/corpus")


def test_sources_in_and_out(tmp_path: Path) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text("a\tIron.\nb\tTin.\nc\tZinc.\na\tLead.\n")

    def texts(**settings: Any) -> list[str]:
        return list(import_corpus(path, tmp_path / "corpus", **settings).texts)

    assert texts(include_sources=["a"]) == ["Iron.", "Lead."]
    assert texts(exclude_sources=["a"]) == ["Tin.", "Zinc."]
    assert texts(include_sources=["a", "b"], exclude_sources=["a", "x"]) == ["Tin."]
    info = corpus_info(tmp_path / "corpus")
    assert info["rules"][0]["count"] == 3
    assert info["warnings"] == ["no sentence has the source 'x' (exclude)"]


def test_a_corpus_without_some_sources(tmp_path: Path) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text("a\tIron melts.\nb\tTin.\nc\tZinc.\na\tLead melts tin.\n")
    corpus = import_corpus(path, tmp_path / "corpus")
    fewer = without_sources(corpus, ["a"])
    assert list(fewer.texts) == ["Tin.", "Zinc."]
    assert list(fewer.sources) == ["b", "c"]
    tin = fewer.vocabulary.ids["tin"]
    assert fewer.postings.sentences[fewer.postings.starts[tin] : fewer.postings.starts[tin + 1]].tolist() == [
        0
    ]
    assert fewer.fingerprint != corpus.fingerprint
    with pytest.raises(AssayError, match="has no source 'x'"):
        without_sources(corpus, ["x"])


@pytest.mark.parametrize(("data", "read"), [(b"", 0), (b"\n \n\t\n", 3)])
def test_an_empty_corpus_is_usable_and_said(tmp_path: Path, data: bytes, read: int) -> None:
    path = tmp_path / "empty.txt"
    path.write_bytes(data)
    corpus = import_corpus(path, tmp_path / "corpus")
    assert (len(corpus), len(corpus.vocabulary), len(corpus.postings.sentences)) == (0, 0, 0)
    (warning,) = corpus_info(tmp_path / "corpus")["warnings"]
    assert f"{read} of {read}" in warning if read else "empty" in warning


def test_sentences_without_tokens_are_said(tmp_path: Path) -> None:
    path = tmp_path / "empty.txt"
    path.write_bytes(b"\n\n...\n")
    import_corpus(path, tmp_path / "corpus", cleaning=(), dedupe="none")
    (warning,) = corpus_info(tmp_path / "corpus")["warnings"]
    assert "3 of 3 sentences have no tokens" in warning


def test_overlong_tokens_are_counted_and_the_rest_kept(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text(f"iron {'é' * 33_000} ore\nmethylchloroisothiazolinonebenzisothiazole kills mould\n")
    corpus = import_corpus(path, tmp_path / "corpus")
    assert list(corpus.vocabulary.terms)[:1] == ["iron"]
    assert "methylchloroisothiazolinonebenzisothiazol" in corpus.vocabulary.ids
    assert corpus_info(tmp_path / "corpus")["warnings"] == ["1 token of over 65,530 bytes left out"]


def test_another_language_end_to_end(tmp_path: Path) -> None:
    path = tmp_path / "fakten.txt"
    path.write_text("Die Häuser sind aus Holz. Das Eisen rostet z. B. im Regen.\n")
    done = run(
        "import", path, "--to", tmp_path / "corpus", "--language", "german", "--split", "lines", "--json"
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["analyser"]["stop_words"] == "german"
    corpus = open_corpus(tmp_path / "corpus")
    assert list(corpus.texts) == ["Die Häuser sind aus Holz.", "Das Eisen rostet z. B. im Regen."]
    terms = corpus.analyser.query_terms("ein Haus im Holz")
    assert terms == ["haus", "holz"]
    assert all(term in corpus.vocabulary.ids for term in terms)
    assert "=die" in corpus.vocabulary.ids


def test_a_stop_list_file_is_kept_in_the_corpus(tmp_path: Path) -> None:
    words = tmp_path / "mine.txt"
    words.write_text("iron\n")
    (tmp_path / "a.txt").write_text("Iron melts.\n")
    import_corpus(tmp_path / "a.txt", tmp_path / "corpus", Analyser(stop_words=str(words)))
    words.unlink()
    assert open_corpus(tmp_path / "corpus").analyser.content("iron melts") == ["melt"]


@pytest.mark.parametrize(
    ("rule", "kept"),
    [("exact", 5), ("casefold-space", 4), ("alphanumeric", 3), ("none", 6)],
)
def test_duplicates(tmp_path: Path, rule: str, kept: int) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Iron.\nIron.\niron.\nIron!\n???\n!!!\n")
    corpus = import_corpus(path, tmp_path / "corpus", dedupe=rule)
    assert len(corpus) == kept
    rules = {entry["rule"]: entry["count"] for entry in corpus_info(tmp_path / "corpus")["rules"]}
    assert rules.get(f"dedupe={rule}", 0) == 6 - kept


def test_cleaning_rules_and_their_counts(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(
        "fis\x02sion\nI\tam  here \n\nfar too long a sentence\nab\n\ufeffok then\u2028\n".encode()
    )
    rules = ("strip-control", "collapse-space", "drop-empty", "max-length=20", "min-length=3")
    corpus = import_corpus(path, tmp_path / "corpus", cleaning=rules)
    assert list(corpus.texts) == ["fission", "I am here", "ok then"]
    counted = {rule["rule"]: rule["count"] for rule in corpus_info(tmp_path / "corpus")["rules"]}
    assert [counted[rule] for rule in rules] == [3, 2, 1, 1, 1]


def test_rules_of_the_command_line_come_after_the_usual_ones() -> None:
    assert with_defaults([]) == DEFAULT_CLEANING
    assert with_defaults(["drop-empty", "max-length=9"]) == (*DEFAULT_CLEANING, "max-length=9")
    assert with_defaults(["none"]) == ()
    assert with_defaults(["none", "drop-empty"]) == ("drop-empty",)


@pytest.mark.parametrize(
    "rules", [("shine",), ("max-length",), ("max-length=0",), ("drop-empty=3",), ("drop-empty",) * 2]
)
def test_unknown_rules_are_refused(tmp_path: Path, rules: tuple[str, ...]) -> None:
    (tmp_path / "a.txt").write_text("a\n")
    with pytest.raises(AssayError, match="cleaning rule"):
        import_corpus(tmp_path / "a.txt", tmp_path / "corpus", cleaning=rules)


@pytest.mark.real_data
def test_the_science_corpus(shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "corpus/science.tsv.gz"
    corpus: Corpus = import_corpus(path, tmp_path / "science")
    assert len(corpus) == 383_491
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    counted = {source["name"]: source["sentences"] for source in corpus_info(tmp_path / "science")["sources"]}
    assert counted == Counter(source for source, _ in rows)
    for sentence in random.Random(3).sample(range(len(rows)), 200):
        source, text = rows[sentence]
        assert corpus.texts[sentence] == " ".join(text.split())
        assert corpus.sources[sentence] == source
        assert corpus.place(sentence).line == sentence + 1
        ids = corpus.tokens.ids[corpus.tokens.starts[sentence] : corpus.tokens.starts[sentence + 1]]
        assert [corpus.vocabulary.terms[at] for at in ids.tolist()] == corpus.analyser.all_terms(text)


def test_only_some_sources_are_the_rest_without_the_others(tmp_path: Path) -> None:
    path = tmp_path / "c.tsv"
    path.write_text("a\tMoss is green.\nb\tNewts swim.\nc\tOwls fly.\na\tWasps sting.\n", encoding="utf-8")
    corpus = import_corpus([path], tmp_path / "c")
    assert source_sizes(corpus) == {"a": 2, "b": 1, "c": 1}
    only = only_sources(corpus, ["a", "c"])
    assert list(only.texts) == ["Moss is green.", "Owls fly.", "Wasps sting."]
    assert only.fingerprint == without_sources(corpus, ["b"]).fingerprint
    assert source_sizes(only) == {"a": 2, "c": 1}
    assert list(only_sources(only, ["c"]).texts) == ["Owls fly."]
    with pytest.raises(AssayError, match="has no source 'b'"):
        only_sources(only, ["b"])
