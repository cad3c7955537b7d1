"""assay score and assay compare, from files to exit status."""

import csv
import io
import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.scoring.record import as_record
from tests.pipeline.experiments.small_run import run_small, write_small


def write_questions(path: Path, records: list[dict]) -> str:
    lines = []
    for record in records:
        labels = record.pop("labels", "ABCD")
        choices = [{"label": label, "text": f"choice {label}"} for label in labels]
        stem = f"What is {record['id']}?"
        lines.append(json.dumps({"question": {"stem": stem, "choices": choices}, "answerKey": "A"} | record))
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return str(path)


def write_predictions(path: Path, sets: list[str]) -> str:
    path.write_text("".join(f"q{i},{chosen}\n" for i, chosen in enumerate(sets) if chosen), encoding="utf-8")
    return str(path)


@pytest.fixture
def ten(tmp_path) -> str:
    grades = ["3", "3", "3", "5", "5", "5", "9", "9", "9", "9"]
    passages = [f"p{i // 2}" for i in range(10)]
    return write_questions(
        tmp_path / "questions.jsonl",
        [
            {"id": f"q{i}", "grade": grade, "passage": passages[i], "exam": "x" if grade != "9" else "y"}
            for i, grade in enumerate(grades)
        ],
    )


def test_one_system_as_json(assay, ten, tmp_path) -> None:
    made = write_predictions(tmp_path / "s.csv", ["A", "A;B", "B", "A", "A", "B", "A", "C", "A", "D"])
    status, out, err = assay("score", ten, made, "--json", "--by", "grade")
    scores = json.loads(out, parse_constant=lambda name: pytest.fail(name))
    system = scores["systems"][0]
    assert (status, err) == (0, "")
    assert (system["system"], system["points"], system["score"]["mean"]) == ("s", "11/2", 0.55)
    assert (system["counts"]["partial"], system["counts"]["wrong"]) == (1, 4)
    assert scores["chance"]["mean"] == 0.25
    groups = {row["group"]: row["score"]["n"] for row in scores["breakdowns"][0]["groups"]}
    assert groups == {"3": 3, "5": 3, "9": 4}


def test_the_same_input_gives_the_same_bytes(assay, ten, tmp_path) -> None:
    made = [write_predictions(tmp_path / f"{name}.csv", list(sets)) for name, sets in
            (("s", "AABBAACCAA"), ("t", "ABABABABAB"), ("u", "BBBBBAAAAA"))]  # fmt: skip
    runs = [assay("score", ten, *made, "--json", "--interval", "bca", "--cluster", "passage") for _ in "ab"]
    assert runs[0] == runs[1]
    assert len(json.loads(runs[0][1])["comparisons"]) == 3


def test_groups_emptied_by_where_keep_their_row(assay, ten, tmp_path) -> None:
    made = write_predictions(tmp_path / "s.csv", ["A"] * 5 + ["B"] * 5)
    status, out, err = assay("score", ten, made, "--only", "exam=x", "--by", "grade", "--json")
    rows = json.loads(out)["breakdowns"][0]
    assert status == 0
    assert "Warning" not in err
    nine = rows["groups"][2]
    assert (nine["group"], nine["score"]["n"], nine["score"]["mean"]) == ("9", 0, None)
    assert rows["macro_mean"] == pytest.approx((1 + 2 / 3) / 2)


def test_no_question_left_is_null_and_fails_a_gate(assay, ten, tmp_path) -> None:
    made = write_predictions(tmp_path / "s.csv", ["A"] * 10)
    other = write_predictions(tmp_path / "t.csv", ["B"] * 10)
    out_file = tmp_path / "results.json"
    arguments = ["score", ten, made, other, "--only", "exam=z", "--by", "grade", "--cluster", "passage"]
    status, out, err = assay(*arguments, "-o", str(out_file))
    results = json.loads(out_file.read_text(), parse_constant=lambda name: pytest.fail(name))
    assert (status, results["n"], results["systems"][0]["score"]["mean"]) == (0, 0, None)
    assert "0 of 10 questions where exam=z" in err
    assert "s\t0\t-\t-" in out
    assert assay(*arguments, "--fail-under", "5")[0] == 1


def test_all_right_is_never_plus_minus_nothing(assay, ten, tmp_path) -> None:
    made = write_predictions(tmp_path / "s.csv", ["A"] * 10)
    _, out, _ = assay("score", ten, made)
    assert "s\t10\t100.00\t72.25 to 100.00" in out
    _, out, _ = assay("score", ten, made, "--interval", "bca")
    assert "s\t10\t100.00\t100.00 to 100.00" in out
    assert "claims certainty" in out


def test_missing_predictions(assay, ten, tmp_path) -> None:
    made = write_predictions(tmp_path / "s.csv", ["A"] * 3 + [""] * 7)
    status, _, err = assay("score", ten, made)
    assert status == 2
    assert err.count("no prediction") == 7
    status, out, err = assay("score", ten, made, "--allow-missing", "--json")
    system = json.loads(out)["systems"][0]
    assert (status, system["score"]["mean"], system["counts"]["unanswered"]) == (0, 0.3, 7)


def test_extra_predictions(assay, ten, tmp_path) -> None:
    made = write_predictions(tmp_path / "s.csv", ["A"] * 12)
    status, _, err = assay("score", ten, made)
    assert (status, err.count("no such question")) == (2, 2)
    status, _, err = assay("score", ten, made, "--allow-extra")
    assert status == 0
    assert "q10, q11" in err


def test_a_hidden_set_is_not_scored(assay, tmp_path) -> None:
    hidden = write_questions(tmp_path / "hidden.jsonl", [{"id": "q0", "answerKey": None}])
    text = Path(hidden).read_text().replace(', "answerKey": null', "")
    Path(hidden).write_text(text)
    status, out, err = assay("score", hidden, write_predictions(tmp_path / "s.csv", ["A"]))
    assert (status, out) == (2, "")
    assert "question q0: no answer key" in err


def test_missing_cluster_ids_are_named(assay, tmp_path) -> None:
    passages = [{"passage": "p1"}, {"passage": "p1"}, {"passage": "p2"}, {}, {}, {"passage": None}]
    questions = write_questions(
        tmp_path / "q.jsonl", [{"id": f"q{i}", **passage} for i, passage in enumerate(passages)]
    )
    made = write_predictions(tmp_path / "s.csv", ["A", "B", "A", "B", "A", "A"])
    status, _, err = assay("score", questions, made, "--cluster", "passage")
    assert status == 2
    for number in (3, 4, 5):
        assert f"q.jsonl:{number + 1}: question q{number}: no cluster id" in err
    assert "question q2" not in err


def test_letters_for_digits_are_asked_for_and_counted(assay, tmp_path) -> None:
    questions = write_questions(tmp_path / "q.jsonl", [{"id": "q0", "labels": "1234", "answerKey": "1"}])
    made = write_predictions(tmp_path / "s.csv", ["A"])
    status, _, err = assay("score", questions, made)
    assert status == 2
    assert "A is not one of 1, 2, 3, 4" in err
    status, _, err = assay("score", questions, made, "--letters-for-digits")
    assert status == 0
    assert "1 letter read as the digit" in err


def test_gates(assay, ten, tmp_path) -> None:
    good = write_predictions(tmp_path / "good.csv", ["A"] * 8 + ["B"] * 2)
    bad = write_predictions(tmp_path / "bad.csv", ["A"] * 4 + ["B"] * 6)
    report = tmp_path / "gates.xml"
    status, out, _ = assay("score", ten, good, bad, "--fail-under", "50", "--junit", str(report))
    assert status == 1
    assert "bad\tscore at least 50\tFAILED\tscore 40.00 < 50" in out
    assert ElementTree.parse(report).getroot().get("failures") == "1"
    assert assay("score", ten, good, "--fail-under", "80")[0] == 0
    assert assay("score", ten, good, "--fail-under", "80", "--fail-bound", "lower")[0] == 1
    assert assay("score", ten, good, "--fail-under", "0.8")[0] == 2
    status, out, _ = assay("score", ten, bad, "--not-worse-than", good, "--margin", "5", "--json")
    gate = json.loads(out)["gates"][0]
    assert (status, gate["passed"]) == (1, False)
    assert gate["gate"] == "not worse than the stored good by more than 5"
    assert assay("score", ten, good, "--not-worse-than", good)[0] == 0
    stored = tmp_path / "run" / "answers"
    stored.mkdir(parents=True)
    (stored / "good.jsonl").write_text("".join(f'{{"id": "q{i}", "answer": "A"}}\n' for i in range(10)))
    assert assay("score", ten, good, "--not-worse-than", str(tmp_path / "run"), "--margin", "60")[0] == 0
    assert assay("score", ten, bad, "--not-worse-than", str(tmp_path / "run"))[0] == 2


def test_names_are_no_formulas_and_numbers_no_text(assay, ten, tmp_path) -> None:
    names = ["=1+1", "+x", "-y", "@z"]
    files = [write_predictions(tmp_path / f"{name}.csv", ["A"] * 5 + ["B"] * 5) for name in names]
    table = tmp_path / "scores.csv"
    status, out, _ = assay("score", ten, *files, "--csv", str(table), "--json")
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    assert status == 0
    assert [row["system"] for row in rows] == ["'" + name for name in names]
    assert {row["accuracy"] for row in rows} == {"0.5"}
    assert [one["system"] for one in json.loads(out)["systems"]] == names


def test_systems_are_named(assay, ten, tmp_path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    files = [write_predictions(tmp_path / folder / "s.csv", ["A"] * 10) for folder in "ab"]
    _, out, _ = assay("score", ten, *files, f"best={files[0]}", "--json")
    assert [one["system"] for one in json.loads(out)["systems"]] == [*files, "best"]
    status, _, err = assay("score", ten, files[0], files[0])
    assert status == 2
    assert "is named twice" in err
    status, _, err = assay("score", ten, str(tmp_path / "a"))
    assert status == 2
    assert "no run" in err


def test_what_an_experiment_asked_a_solver_besides_is_no_system(assay, tmp_path) -> None:
    run_small(write_small(tmp_path, '[experiments.oracle]\nonly = { set = "Easy" }\n'), tmp_path / "run")
    asked = tmp_path / "run/answers/counting@oracle-gold.jsonl"
    questions = str(tmp_path / "questions.jsonl")
    status, out, _ = assay("score", questions, str(tmp_path / "run"), "--json")
    assert status == 0
    assert [one["system"] for one in json.loads(out)["systems"]] == ["counting", "ir"]
    status, out, _ = assay(
        "score", questions, f"gold={asked}", "--only", "set=Easy", "--allow-missing", "--json"
    )
    assert status == 0
    assert json.loads(out)["systems"][0]["score"]["n"] == 12


def test_repeated_runs(assay, ten, tmp_path) -> None:
    files = [write_predictions(tmp_path / f"r{i}.csv", sets) for i, sets in
             enumerate([["A"] * 5 + ["B"] * 5, ["A"] * 7 + ["B"] * 3])]  # fmt: skip
    _, out, _ = assay("score", ten, *files, "--repeated", "model", "--json")
    result = json.loads(out)
    assert (result["score"]["n"], result["runs"], result["score"]["mean"]) == (10, 2, 0.6)
    _, out, _ = assay("score", ten, *files, "--repeated", "model")
    assert "model\t10\t2\t60.00" in out
    assert "each run: 50.00, 70.00" in out


def test_compare(assay, ten, tmp_path) -> None:
    first = write_predictions(tmp_path / "first.csv", ["A;B;C"] * 8 + ["A", "B"])
    second = write_predictions(tmp_path / "second.csv", ["B"] * 8 + ["B", "A"])
    status, out, _ = assay("compare", ten, first, second)
    assert status == 0
    assert "first - second\t+26.67" in out
    table = tmp_path / "pairs.csv"
    _, out, _ = assay("compare", ten, first, second, "--json", "--csv", str(table))
    pair = json.loads(out)["comparisons"][0]
    assert pair["sign_flip"]["method"] == "exact"
    assert float(next(csv.DictReader(io.StringIO(table.read_text())))["difference"]) == pytest.approx(8 / 30)
    assert assay("compare", ten, first)[0] == 2


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (["--interval", "normal"], "--interval must be one of t, wilson, percentile, bca, got normal"),
        (["--correction", "CR2"], "--correction must be CR0 or CR1"),
        (["--confidence", "95"], "--confidence must be between 0 and 1"),
        (["--by", "colour"], "no question has a column colour"),
        (["--only", "grade"], "COLUMN=VALUE is due"),
        (["--tags", "none.tsv"], "none.tsv"),
        (["--fail-under", "101"], "within 0 and 100"),
        (["--fail-under", "50", "--fail-bound", "upper"], "no bound called upper"),
        (["--not-worse-than", "none.csv"], "none.csv"),
        (["--margin", "2"], "--margin belongs to --not-worse-than"),
        (["--junit", "gates.xml"], "no gate for --junit"),
        (["--repeated", "m", "--fail-under", "50"], "--repeated can't be combined with --fail-under"),
        (["--repeated", "m", "--interval", "bca"], "--repeated can't be combined with --interval"),
        (["--leaderboard", "--by", "grade"], "--leaderboard can't be combined with --by"),
        (["--leaderboard", "--letters-for-digits"], "can't be combined with --letters-for-digits"),
        (["--leaderboard", "more.csv"], "--leaderboard scores one predictions file, got 2"),
    ],
)
def test_wrong_usage(assay, ten, tmp_path, arguments, wrong) -> None:
    made = write_predictions(tmp_path / "s.csv", ["A"] * 10)
    status, _, err = assay("score", ten, made, *arguments)
    assert status == 2
    assert err.startswith("assay: ")
    assert wrong in err


@pytest.mark.real_data
def test_power_needs_no_predictions(assay, shared_data) -> None:
    questions = str(shared_data / "arc/ARC-Challenge/ARC-Challenge-Test.jsonl")
    _, out, _ = assay("score", questions, "--power-at", "30")
    assert "guess-all\t1,172\t25.02" in out
    assert "with probability 0.97" in out
    _, out, _ = assay("score", questions, "--power-at", "30", "--json")
    assert json.loads(out)["power"]["power"] == pytest.approx(0.97, abs=0.005)
    assert assay("score", questions, "--power-at", "0")[0] == 2
    assert assay("score", questions)[0] == 2


def test_leaderboard(assay, ten, tmp_path) -> None:
    made = write_predictions(tmp_path / "s.csv", ["A;B"] * 10)
    metrics = tmp_path / "metrics.json"
    status, out, _ = assay("score", "--leaderboard", ten, made, "--output", str(metrics))
    assert (status, out, metrics.read_text()) == (0, '{"accuracy":0.5}\n', '{"accuracy":0.5}\n')
    short = write_predictions(tmp_path / "short.csv", ["A"] * 9)
    status, _, err = assay("score", "--leaderboard", ten, short)
    assert status == 4
    assert "expected 10 predictions, got 9" in err
    assert assay("score", "--leaderboard", short, made)[0] == 1
    assert assay("score", "--leaderboard", ten, ten)[0] == 2


def test_only_results_on_standard_output(ten, tmp_path) -> None:
    """A thousand questions, standard error to a file: no carriage return, few lines."""
    questions = write_questions(tmp_path / "many.jsonl", [{"id": f"q{i}"} for i in range(1000)])
    made = write_predictions(tmp_path / "s.csv", ["A"] * 500 + ["B"] * 500)
    done = subprocess.run(
        [sys.executable, "-m", "assay", "score", questions, made, "--json"],
        capture_output=True, check=True, env={"PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert json.loads(done.stdout)["n"] == 1000
    assert b"\r" not in done.stderr
    assert done.stderr.count(b"\n") <= 20


def test_records_are_strict() -> None:
    assert as_record({"x": float("nan"), "y": (1, float("inf"))}) == {"x": None, "y": [1, None]}


@pytest.mark.real_data
def test_the_stored_systems(assay, shared_data) -> None:
    folder = shared_data / "predictions/arc-challenge-test"
    questions = str(shared_data / "arc/ARC-Challenge/ARC-Challenge-Test.jsonl")
    status, out, _ = assay("score", questions, str(folder / "GSA.csv"), str(folder / "DGEM.csv"))
    assert status == 0
    assert "GSA\t1,172\t28.42\t26.31 to 30.54\t0.002" in out
    assert "DGEM\t1,172\t26.41\t23.97 to 28.86\t0.261" in out
    assert "guess-all\t1,172\t25.02\t22.54 to 27.50" in out
    assert "GSA - DGEM\t+2.01\t-1.26 to +5.28\t0.229\t0.229\t0.0003" in out


@pytest.mark.real_data
def test_qasc_clusters_by_fact(assay, shared_data, tmp_path) -> None:
    questions = shared_data / "qasc/dev.jsonl"
    ids = [json.loads(line)["id"] for line in questions.read_text().split("\n") if line]
    made = tmp_path / "all-a.csv"
    made.write_text("".join(f"{question_id},A\n" for question_id in ids))
    _, out, _ = assay("score", str(questions), str(made), "--cluster", "fact1", "--json")
    score = json.loads(out)["systems"][0]["score"]
    assert score["design_effect"] == pytest.approx(0.7405421388251813)
    assert score["clusters"] == 103


def test_types_of_a_taxonomy_stand_beside_chance_and_the_rest(tmp_path) -> None:
    lines = [
        {
            "id": f"q{n}",
            "question": {"stem": f"Stem {n}?", "choices": [{"label": c, "text": c * 3} for c in "ABCD"]},
            "answerKey": "A",
        }
        for n in range(90)
    ]
    questions, answers, tags = (tmp_path / name for name in ("q.jsonl", "ours.csv", "tags.tsv"))
    questions.write_text("".join(json.dumps(line) + "\n" for line in lines))
    answers.write_text("".join(f"q{n},{'A' if n % 3 else 'B'}\n" for n in range(90)))
    rows = [f"q{n}\t1\t{int(n < 40)}\t{int(n < 5)}" for n in range(80)]
    tags.write_text("\n".join(["id\tMultihop\tHypothetical\tAnalogy", *rows]) + "\n")
    asked = [
        *("score", str(questions), str(answers), "--tags", str(tags), "--by", "type"),
        *("--taxonomy", "arc-reasoning"),
    ]
    result = CliRunner().invoke(app, asked)
    assert result.exit_code == 0, result.output
    by_type, rest = result.stdout.split("Each type minus the rest, percent\n")
    assert "hypothetical and counterfactual\t40\t25.00\t65.00\t" in by_type
    assert "comparison\t0*\t-\t-\t-\t-" in by_type
    assert rest.splitlines()[1].startswith("hypothetical and counterfactual\t40\t40\t-2.50\t")
    assert "left out: 1 groups of fewer than 30" in rest
    record = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)
    groups = {row["group"]: row for row in record["breakdowns"][0]["groups"]}
    # All tagged questions are multihop: there is no rest, and nothing to hold equal.
    assert groups["multihop"]["rest"] is None
    assert groups["hypothetical and counterfactual"]["held_equal"] is None
    assert groups["hypothetical and counterfactual"]["p_chance_holm"] < 0.001
    assert groups["comparison"]["score"]["n"] == 0
