"""Which ARC questions WorldTree and EntailmentBank explain: nothing of test may be trained on."""

from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.questions import read_questions
from assay.questions.explanations import join, read_explanations, without_twins
from assay.questions.explanations.explanation import Explanations
from assay.questions.model import QuestionSet
from assay.text.letters import letters_and_digits

pytestmark = pytest.mark.real_data
SENTENCES = "entailment_bank/worldtree_corpus_sentences_extended.json"


def arc(shared_data: Path, split: str) -> QuestionSet:
    files = [shared_data / f"arc/ARC-{name}/ARC-{name}-{split}.jsonl" for name in ("Easy", "Challenge")]
    return read_questions([str(file) for file in files]).questions


def worldtree(shared_data: Path, split: str) -> Explanations:
    return read_explanations(shared_data / f"worldtree/{split}.json", shared_data / SENTENCES)


@pytest.mark.parametrize(("split", "of", "count"), [("dev", "Dev", 496), ("train", "Train", 2206)])
def test_worldtree_is_of_the_same_split_by_id(shared_data: Path, split: str, of: str, count: int) -> None:
    found = worldtree(shared_data, split).explanations
    joined = join(arc(shared_data, of), found)
    assert (len(found), len(joined.by_id), joined.unused) == (count, count, ())
    for other in {"Train", "Dev", "Test"} - {of}:
        questions = arc(shared_data, other)
        assert not any(questions.has(one.question_id or "") for one in found)


@pytest.mark.parametrize("task", [1, 2])
@pytest.mark.parametrize(
    ("split", "of", "count", "ids"),
    [("train", "Train", 1313, 1312), ("dev", "Train", 187, 187), ("test", "Dev", 340, 339)],
)
def test_entailment_bank_joins_by_stem_and_answer(
    shared_data: Path, task: int, split: str, of: str, count: int, ids: int
) -> None:
    found = read_explanations(shared_data / f"entailment_bank/task_{task}/{split}.tsv").explanations
    joined = join(arc(shared_data, of), found)
    assert (len(found), joined.unused) == (count, ())
    assert len(joined.by_id) == ids
    assert all(bool(one.near) == (task == 2) for one in found)
    assert all(one.steps[-1].conclusion == one.hypothesis for one in found)


def test_both_tasks_name_the_same_gold_facts(shared_data: Path) -> None:
    one, two = (
        read_explanations(shared_data / f"entailment_bank/task_{task}/test.tsv").explanations
        for task in (1, 2)
    )
    for first, second in zip(one, two, strict=True):
        assert {fact.text for fact in first.facts} == {fact.text for fact in second.facts}


def test_twins_of_test_questions_stay_out_of_training(shared_data: Path) -> None:
    test = arc(shared_data, "Test")
    found = [
        one
        for split in ("train", "dev", "test")
        for one in read_explanations(shared_data / f"entailment_bank/task_1/{split}.tsv").explanations
    ]
    kept, twins = without_twins(found, test)
    assert len(kept) + len(twins) == len(found)
    stems = {letters_and_digits(one.stem) for one in twins}
    assert sum(letters_and_digits(question.stem) in stems for question in test) == 9
    assert list(join(test, twins).by_id) == ["CSZ20770"]
    with pytest.raises(AssayError, match="none of the"):
        join(test, kept)
    found = [*worldtree(shared_data, "train").explanations, *worldtree(shared_data, "dev").explanations]
    kept, twins = without_twins(found, test)
    assert twins
    stems = {letters_and_digits(one.stem) for one in kept}
    assert stems.isdisjoint(letters_and_digits(question.stem) for question in test)
