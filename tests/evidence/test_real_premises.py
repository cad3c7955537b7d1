"""Premises on real questions; and that the lineage's settings are those of a system that was published."""

import json
from collections import Counter
from pathlib import Path

import pytest

from assay.corpus import import_corpus, open_corpus
from assay.evidence.premises import PREMISE_PRESETS, Premises, PremiseSettings, coverage
from assay.evidence.sentence_filter import FilterRules
from assay.questions import read_questions
from assay.questions.model import SentenceEvidence
from assay.settings import read_settings
from assay.text.analysis import Analyser

pytestmark = pytest.mark.real_data


def test_the_premises_of_a_published_system_are_the_lineage_s(shared_data: Path) -> None:
    analyser, counts = Analyser(), Counter[str]()
    path = shared_data / "predictions/arc-challenge-test/dgem-default.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        for choice in json.loads(line)["question"]["choices"]:
            if not choice.get("support"):
                continue
            text, terms = choice["support"]["text"], analyser.query_terms(choice["text"])
            held = [term in analyser.all_terms(text) for term in terms]
            counts["premises"] += 1
            counts["a term of the choice"] += any(held)
            counts["the whole choice"] += all(held)
            counts["kept by the filter"] += FilterRules(negation=False).reason(text) is None
            counts["negated"] += FilterRules().reason(text) is not None
    # Another stemmer took "Unicellular organisms" for a hit of "organ systems".
    assert counts == {
        "premises": 3103,
        "a term of the choice": 3102,
        "the whole choice": 847,
        "kept by the filter": 3103,
        "negated": 112,
    }


@pytest.mark.parametrize("preset", PREMISE_PRESETS)
def test_what_every_premise_is(shared_data: Path, tmp_path: Path, preset: str) -> None:
    import_corpus([str(shared_data / "corpus/arc-corpus-sample.tsv.gz")], tmp_path / "c")
    corpus = open_corpus(tmp_path / "c")
    questions = read_questions([str(shared_data / "arc/ARC-Challenge/ARC-Challenge-Dev.jsonl")]).questions
    made = Premises(corpus, read_settings(PremiseSettings, PREMISE_PRESETS[preset], "test"))
    answers = list(made.answer(questions))
    terms = corpus.analyser.all_terms
    for question, answer in zip(questions, answers, strict=True):
        assert answer.evidence is not None
        assert preset == "lineage" or sum(map(len, answer.evidence)) <= 8
        for choice, pieces in zip(question.choices, answer.evidence, strict=True):
            asked, scores = corpus.analyser.query_terms(choice.text), []
            for piece in pieces:
                assert isinstance(piece, SentenceEvidence)
                assert made.asked.rules.reason(piece.text) is None
                held = [term in terms(piece.text) for term in asked]
                assert all(held) if preset == "paper" else any(held)
                scores.append(piece.score)
            assert scores == sorted(scores, reverse=True)
    found = coverage(questions, answers)
    assert sum(found.by_choices.values()) == found.keyed == 299
    # Nearly all of these sentences hold some word of some choice; hardly any the whole of one.
    assert (found.by_choices.get(0, 0) == 0) == (preset == "lineage")
