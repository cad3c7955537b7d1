"""Files of pairs: every form that is published, and every fault with its line."""

import json
from pathlib import Path

import pytest

from assay.entailment.pair import Pair
from assay.entailment.reading import read_pairs
from assay.entailment.writing import write_pairs
from assay.errors import AssayError, FaultyInput

TWO = [
    ("A robin sat on the fence.", "A bird sat on the fence.", "entails"),
    ("A robin sat on the fence.", "A cat slept.", "neutral"),
]


def written(tmp_path: Path, text: str, name: str = "pairs") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


def lines(*records: dict[str, object]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def as_read(path: Path) -> list[tuple[str, str, str | None]]:
    return [(pair.premise, pair.hypothesis, pair.label) for pair in read_pairs(path).pairs]


SNLI = "gold_label\tsentence1_parse\tsentence1\tsentence2\tpairID\tlabel1\n"
FORMS = {
    "scitail jsonl, short": lines(
        {"id": "x1", "sentence1": TWO[0][0], "sentence2": TWO[0][1], "gold_label": "E"},
        {"id": "x2", "sentence1": TWO[1][0], "sentence2": TWO[1][1], "gold_label": "N"},
    ),
    "scitail snli form": lines(
        {"annotator_labels": ["entails"], "gold_label": "entails", "sentence1_parse": "(ROOT)",
         "sentence1": TWO[0][0], "sentence2": TWO[0][1]},
        {"annotator_labels": ["neutral"], "gold_label": "neutral", "sentence1_parse": "(ROOT)",
         "sentence1": TWO[1][0], "sentence2": TWO[1][1]},
    ),
    "scitail predictor form": lines(
        {"answer": "bird", "question": "What sat?", "sentence2_structure": "a<>b<>c", "gold_label": "entails",
         "sentence1": TWO[0][0], "sentence2": TWO[0][1]},
        {"answer": "cat", "question": "What sat?", "sentence2_structure": "", "gold_label": "neutral",
         "sentence1": TWO[1][0], "sentence2": TWO[1][1]},
    ),
    "scitail tsv": "".join("\t".join(row) + "\n" for row in TWO),
    "dgem tsv": "".join("\t".join((*row, "a<>subj<>b$$$c")) + "\n" for row in TWO),
    "snli txt": SNLI
    + f"entailment\t(ROOT)\t{TWO[0][0]}\t{TWO[0][1]}\tp#1e\tentailment\n"
    + f"contradiction\t(ROOT)\t{TWO[1][0]}\t{TWO[1][1]}\tp#1c\t\n",
    "multinli jsonl": lines(
        {"gold_label": "entailment", "genre": "fiction", "pairID": "1e", "promptID": "1",
         "sentence1": TWO[0][0], "sentence2": TWO[0][1]},
        {"gold_label": "neutral", "genre": "fiction", "pairID": "1n", "promptID": "1",
         "sentence1": TWO[1][0], "sentence2": TWO[1][1]},
    ),
    "hugging face numbers": lines(
        {"premise": TWO[0][0], "hypothesis": TWO[0][1], "label": 0},
        {"premise": TWO[1][0], "hypothesis": TWO[1][1], "label": 2},
    ),
    "sick": "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
    + f"7\t{TWO[0][0]}\t{TWO[0][1]}\t4.5\tENTAILMENT\n9\t{TWO[1][0]}\t{TWO[1][1]}\t1\tNEUTRAL\n",
    "glue words": "index\tsentence1\tsentence2\tlabel\n"
    + f"0\t{TWO[0][0]}\t{TWO[0][1]}\tentailment\n1\t{TWO[1][0]}\t{TWO[1][1]}\tnot_entailment\n",
    "glue numbers": "index\tlabel\tsentence1\tsentence2\n"
    + f"0\t0\t{TWO[0][0]}\t{TWO[0][1]}\n1\t1\t{TWO[1][0]}\t{TWO[1][1]}\n",
    "csv": f'premise,hypothesis,label\n"{TWO[0][0]}",{TWO[0][1]},entails\n{TWO[1][0]},{TWO[1][1]},neutral\n',
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_every_form_says_the_same(tmp_path: Path, form: str, ends: str, mark: str) -> None:
    path = written(tmp_path, mark + FORMS[form].replace("\n", ends))
    assert as_read(path) == TWO


def test_ids_are_the_files_own_or_the_line(tmp_path: Path) -> None:
    ids = {form: [pair.id for pair in read_pairs(written(tmp_path, FORMS[form])).pairs] for form in FORMS}
    assert ids["snli txt"] == ["p#1e", "p#1c"]
    assert ids["sick"] == ["7", "9"]
    assert ids["glue words"] == ["0", "1"]
    assert ids["scitail tsv"] == ["1", "2"]
    assert ids["csv"] == ["2", "3"]


def test_pairs_without_a_gold_label_are_left_out_and_counted(tmp_path: Path) -> None:
    text = SNLI + "-\t()\tIt rained.\tIt was wet.\tp1\tneutral\nneutral\t()\tIt rained.\tIt froze.\tp2\t\n"
    reading = read_pairs(written(tmp_path, text))
    assert [pair.id for pair in reading.pairs] == ["p2"]
    assert reading.without_gold == 1
    assert any("1 pairs have no gold label" in note for note in reading.notes)
    hugging = read_pairs(written(tmp_path, lines({"premise": "a", "hypothesis": "b", "label": -1})))
    assert (len(hugging.pairs), hugging.without_gold) == (0, 1)


def test_quotes_in_a_table_of_tabs_are_text(tmp_path: Path) -> None:
    path = written(tmp_path, '"Stop" said he.\tHe said "stop\tentails\n"A"\tB"\tneutral\n')
    assert as_read(path) == [('"Stop" said he.', 'He said "stop', "entails"), ('"A"', 'B"', "neutral")]


def test_what_numbers_are_taken_for_is_said(tmp_path: Path) -> None:
    three = read_pairs(written(tmp_path, FORMS["hugging face numbers"]))
    assert any("Hugging Face" in note for note in three.notes)
    two = read_pairs(written(tmp_path, FORMS["glue numbers"]))
    assert any("GLUE" in note and "--label" in note for note in two.notes)
    words = read_pairs(written(tmp_path, FORMS["glue words"]))
    assert not any("numbers" in note for note in words.notes)


def test_labels_may_mean_something_else(tmp_path: Path) -> None:
    path = written(tmp_path, FORMS["glue numbers"])
    turned = read_pairs(path, {"1": "entails", "0": "neutral"})
    assert [pair.label for pair in turned.pairs] == ["neutral", "entails"]
    assert not turned.notes
    yes = written(tmp_path, "It rained.\tIt was wet.\tYES\nIt rained.\tIt froze.\t?\n", "yes")
    assert [p.label for p in read_pairs(yes, {"yes": "entails", "?": "-"}).pairs] == ["entails"]
    with pytest.raises(AssayError, match="can't be 'true'"):
        read_pairs(path, {"1": "true"})
    with pytest.raises(FaultyInput, match="unknown label '0'"):
        read_pairs(path, {"1": "entails"})


def test_contradictions_count_as_neutral_and_are_counted(tmp_path: Path) -> None:
    reading = read_pairs(written(tmp_path, FORMS["snli txt"]))
    assert any("1 contradictions count as neutral" in note for note in reading.notes)


def test_every_fault_has_its_line(tmp_path: Path) -> None:
    text = (
        "id\tpremise\thypothesis\tlabel\n"
        "a\tIt rained.\tIt was wet.\tentails\n"
        "a\tIt rained.\tIt froze.\tneutral\n"
        "b\t \tIt froze.\tneutral\n"
        "c\tIt rained.\t\tneutral\n"
        "d\tIt rained.\tIt froze.\tmaybe\n"
        "e\tIt rained.\tIt froze.\n"
        "f\tIt rained.\tIt froze.\t\n"
        "\tIt rained.\tIt froze.\tneutral\n"
        "g\tIt\trained.\tIt froze.\tneutral\n"
    )
    path = written(tmp_path, text)
    with pytest.raises(FaultyInput) as caught:
        read_pairs(path)
    found = {fault.line: fault.what for fault in caught.value.faults}
    assert {fault.file for fault in caught.value.faults} == {str(path)}
    assert "second time (first on line 2)" in found[3]
    assert "pair b: the premise is empty" in found[4]
    assert "the hypothesis is empty" in found[5]
    assert "unknown label 'maybe'" in found[6]
    assert "3 cells" in found[7]
    assert "the label is empty" in found[8]
    assert "the id is empty" in found[9]
    assert "5 cells" in found[10]
    assert len(found) == 8


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("colour,size\nred,1\n", "'colour', 'size'"),
        ("a\tb\tperhaps\n", "no pairs of premise"),
        ("premise\thypothesis\tlabel\n", "holds no pair"),
        ("[]", "no pairs of premise"),
        ('{"premise": 1, "hypothesis": "b", "label": "entails"}\n', "no text"),
        ('{"premise": "a", "hypothesis": "b", "label": true}\n', "unknown label"),
        ('{"premise": "a", "hypothesis": "b", "label": "entails"}\n{"premise": "c"}\n', "'hypothesis' is"),
        ('{"premise": "a", "hypothesis": "b", "label": "entails"}\n[1]\n', "not a JSON object"),
        (
            '{"premise": "a", "hypothesis": "b", "label": 0}\n{"premise": "c", "hypothesis": "d"}\n',
            "no label",
        ),
    ],
)
def test_what_is_no_file_of_pairs_is_said(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(AssayError, match=said):
        read_pairs(written(tmp_path, text))


def test_a_message_stays_short_whatever_the_file(tmp_path: Path) -> None:
    for text in ("x" * 50_000, "\t".join(["y" * 5_000] * 50), '{"%s": 1}\n' % ("z" * 50_000)):
        with pytest.raises(AssayError) as caught:
            read_pairs(written(tmp_path, text))
        assert len(str(caught.value)) < 1000


def test_hidden_labels_are_none(tmp_path: Path) -> None:
    reading = read_pairs(written(tmp_path, "index\tsentence1\tsentence2\n0\tIt rained.\tIt froze.\n"))
    assert [(pair.label, pair.key) for pair in reading.pairs] == [(None, None)]
    assert any("without labels" in note for note in reading.notes)


def test_pairs_that_repeat_are_counted(tmp_path: Path) -> None:
    text = "a\tb\tentails\na\tb\tneutral\na\tb\tneutral\n"
    (note,) = read_pairs(written(tmp_path, text)).notes
    assert note.endswith("2 pairs repeat another's texts, 1 with another label")


def test_several_files_keep_their_ids_apart(tmp_path: Path) -> None:
    one, two = (written(tmp_path, FORMS["sick"], name) for name in ("one", "two"))
    other = written(tmp_path, FORMS["snli txt"], "other")
    assert [pair.id for pair in read_pairs([one, two]).pairs] == ["1:7", "1:9", "2:7", "2:9"]
    assert [pair.id for pair in read_pairs([one, other]).pairs] == ["7", "9", "p#1e", "p#1c"]


def test_own_files_come_back_as_they_were(tmp_path: Path) -> None:
    pairs = (
        Pair("1", 'A "robin"\tsat\n', "\u2028bird\x85", "entails", "0123456789abcdef" * 2),
        Pair("2", "It rained.", "It froze.", "neutral"),
    )
    path = tmp_path / "own.jsonl"
    write_pairs(path, pairs)
    assert read_pairs(path).pairs == pairs


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "entails", "neutral"),
    [
        ("scitail/dev.jsonl", 657, 647),
        ("scitail/test.jsonl", 842, 1284),
        ("snli/validation.tsv", 3329, 6513),
        ("snli/test.tsv", 3368, 6456),
        ("sick/SICK_train.txt", 1299, 3201),
        ("sick/SICK_trial.txt", 144, 356),
        ("sick/SICK_test_annotated.txt", 1414, 3513),
        ("rte/train.tsv", 1249, 1241),
        ("rte/validation.tsv", 146, 131),
    ],
)
def test_real_files(shared_data: Path, name: str, entails: int, neutral: int) -> None:
    pairs = read_pairs(shared_data / "entailment" / name).pairs
    assert sum(pair.key == 1 for pair in pairs) == entails
    assert sum(pair.key == 0 for pair in pairs) == neutral
