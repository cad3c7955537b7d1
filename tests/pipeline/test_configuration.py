"""benchmark.toml: every setting is checked, and every setting is documented."""

from dataclasses import fields
from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.pipeline import configuration
from assay.pipeline.configuration import read_configuration
from assay.pipeline.inputs import corpus_notes, load_corpora

PAGE = Path(__file__).parents[2] / "docs/benchmark-toml.md"
GOOD = '[questions]\nfiles = ["q.jsonl"]\n'


def read(tmp_path: Path, text: str) -> configuration.Configuration:
    path = tmp_path / "benchmark.toml"
    path.write_text(text, encoding="utf-8")
    return read_configuration(path)


def test_the_least_that_is_needed(tmp_path: Path) -> None:
    made = read(tmp_path, GOOD)
    assert (made.name, made.seed, made.solvers) == (tmp_path.name, 0, {})
    assert made.questions.files == ({"path": "q.jsonl"},)


def test_settings_arrive(tmp_path: Path) -> None:
    made = read(
        tmp_path,
        'name = "x"\nseed = 3\n[questions]\nfiles = [{path = "q.jsonl", set = "Easy"}]\n'
        '[corpora.c]\nfiles = ["c.tsv"]\ndedupe = "none"\n[solvers.ir]\ncorpus = "c"\nk1 = 0.9\n'
        '[partition]\nfilters = ["ir"]\nrule = 1\n[scores]\nonly = {split = "test"}\n',
    )
    assert made.questions.files[0]["set"] == "Easy"
    assert made.corpora["c"].settings == {"dedupe": "none"}
    assert (made.solvers["ir"].kind, made.solvers["ir"].settings) == ("ir", {"corpus": "c", "k1": 0.9})
    assert (made.partition.rule, made.scores.only) == (1, {"split": "test"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"no \[questions\]"),
        ("[questions]\nfiles = []", "questions.files must be a list"),
        ("[questions]\nfiles = [3]", "must be a path or a table"),
        ("[questions\n", "isn't TOML.*line 1"),
        (GOOD + 'seeds = "x"\n', "unknown setting questions.seeds"),
        ("seed = true\n" + GOOD, "seed must be a whole number, got True"),
        ("name = 3\n" + GOOD, "name must be a string, got 3"),
        (GOOD + "[solvers]\nir = 3\n", "solvers.ir must be a table"),
        (GOOD + '[solvers.ir]\ncorpus = "nowhere"\n', "names 'nowhere', which is no corpus"),
        (GOOD + "[solvers.ir]\ncorpus = [3]\n", "solvers.ir.corpus must be a string"),
        (GOOD + '[solvers."a\\u0000"]\nkind = "random"\n', "a name can't be a path"),
        ("seed = -1\n" + GOOD, "seed must be 0 or more, got -1"),
        (GOOD + 'answers = "best"\n', "questions.answers must be one of label, letter"),
        (
            GOOD + "[experiments.depth]\nmatch = nan\n",
            "experiments.depth.match must be a finite number, got nan",
        ),
        (GOOD + "[experiments.v]\nvalues = [1, inf]\n", "experiments.v.values must be a finite number"),
        (GOOD + "[evidence.e]\nk1 = -inf\n", "evidence.e.k1 must be a finite number"),
        (GOOD + "columns = { id = [nan] }\n", "questions.columns.id must be a finite number"),
        (GOOD + '[solvers."a/b"]\nkind = "random"\n', "a name can't be a path"),
        (GOOD + '[solvers."../x"]\nkind = "random"\n', "a name can't be a path"),
        (GOOD + '[solvers.""]\nkind = "random"\n', "a name can't be"),
        (GOOD + "[corpora.c]\n", "needs either files or folder"),
        (GOOD + '[partition]\nfilters = ["pmi"]\n', "names 'pmi', which is no solver"),
        (GOOD + '[partition]\ncorpora = ["c"]\n', "names 'c', which is no corpus"),
        (GOOD + "[partition]\nrule = 1.5\n", "partition.rule must be"),
        (GOOD + "[partition]\nwithout_answer_sentences = 2\n", "must be within 0 and 1, got 2"),
        (GOOD + "[scores]\ndraws = 1\n", "scores.draws must be within"),
        (GOOD + '[scores]\nby = "grade"\n', "scores.by must be a list of strings, got 'grade'"),
    ],
)
def test_faults_are_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(AssayError, match=said) as caught:
        read(tmp_path, text)
    assert "benchmark.toml" in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="No such file"):
        read_configuration(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(AssayError, match="UTF-8"):
        read_configuration(tmp_path / "bad.toml")
    with pytest.raises(AssayError, match="can't be read"):
        read_configuration(tmp_path)


def test_every_setting_is_documented() -> None:
    text = PAGE.read_text(encoding="utf-8")
    tables = {
        "[questions]": configuration.QuestionsSettings,
        "[corpora.NAME]": configuration.CorpusSettings,
        "[solvers.NAME]": configuration.SolverSettings,
        "[partition]": configuration.PartitionSettings,
        "[scores]": configuration.ScoresSettings,
    }
    for heading, kind in tables.items():
        section = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
        for entry in fields(kind):
            assert entry.name == "settings" or f"| `{entry.name}` |" in section, f"{heading} {entry.name}"
    for name in ("name", "seed"):
        assert f"| `{name}` |" in text


@pytest.mark.parametrize("key", ["cleaning", "include_sources", "dedupe", "format", "text", "source_name"])
@pytest.mark.parametrize("value", [True, 3, [3], {"a": 1}, [["a"]]])
def test_a_corpus_setting_of_the_wrong_type_is_refused(tmp_path, key, value) -> None:
    data = {"questions": {"files": ["q.jsonl"]}, "corpora": {"c": {"files": ["c.txt"], key: value}}}
    (tmp_path / "c.txt").write_text("Cork floats.\n")
    with pytest.raises(AssayError, match=rf"corpora\.c\.{key} must be a (list of )?string"):
        load_corpora(configuration.configuration(data, tmp_path), tmp_path / "corpora")


def test_what_a_corpus_lacks_is_noted(tmp_path) -> None:
    data = {
        "questions": {"files": ["q.jsonl"]},
        "corpora": {"c": {"files": ["c.txt"], "include_sources": ["x"]}},
    }
    (tmp_path / "c.txt").write_text("Cork floats.\n")
    made = configuration.configuration(data, tmp_path)
    load_corpora(made, tmp_path / "corpora")
    assert any("corpus c: " in note and "x" in note for note in corpus_notes(made, tmp_path / "corpora"))


def test_paths_hold_variables_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = configuration.configuration({"questions": {"files": ["q"]}}, tmp_path)
    monkeypatch.setenv("LESSONS", "/data/lessons")
    monkeypatch.delenv("ELSEWHERE", raising=False)
    assert made.path("$LESSONS/a.jsonl") == Path("/data/lessons/a.jsonl")
    assert made.path("sets/${LESSONS}") == tmp_path / "sets//data/lessons"
    assert made.path("a.jsonl") == tmp_path / "a.jsonl"
    with pytest.raises(AssayError, match="ELSEWHERE"):
        made.path("$ELSEWHERE/a.jsonl")
    (tmp_path / "$ELSEWHERE.jsonl").touch()
    assert made.path("$ELSEWHERE.jsonl").exists()
