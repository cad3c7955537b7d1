"""The samples: enough of each kind, sound, evenly keyed, free of shortcuts, and our own words."""

from __future__ import annotations

import csv
import gzip
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from assay.construction.partition import Rule, partition
from assay.corpus.build import import_corpus
from assay.corpus.model import corpus_in_memory
from assay.evidence.retriever import Retriever
from assay.pipeline.configuration import read_configuration
from assay.questions import read_questions
from assay.scoring.points import points
from assay.scoring.recall import recall
from assay.solvers.registry import build

SAMPLES = Path(__file__).parents[2] / "samples"


@dataclass(frozen=True)
class Sample:
    """A sample folder and the least that it must hold."""

    folder: str
    columns: tuple[str, ...]
    questions: int
    three: int
    five: int
    digits: int
    reasoned: int
    stated: int
    sentences: int
    sources: int

    @property
    def path(self) -> Path:
        return SAMPLES / self.folder

    def records(self) -> list[dict[str, Any]]:
        lines = (self.path / "questions.jsonl").read_text(encoding="utf-8").split("\n")
        assert lines.pop() == "", "the last line isn't ended"
        return [json.loads(line) for line in lines]

    def rows(self) -> list[list[str]]:
        lines = (self.path / "corpus.tsv").read_text(encoding="utf-8").split("\n")
        assert lines.pop() == "", "the last line isn't ended"
        return [line.split("\t") for line in lines]


SCIENCE = Sample("science", ("grade", "topic", "evidence"), 130, 12, 12, 15, 45, 60, 1600, 6)
HANDBOOK = Sample("handbook", ("audience", "chapter", "evidence"), 40, 5, 3, 5, 20, 20, 250, 6)
BOTH = [SCIENCE, HANDBOOK]


@pytest.fixture(params=BOTH, ids=lambda sample: sample.folder)
def sample(request: pytest.FixtureRequest) -> Sample:
    return request.param


def normalised(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def choices(record: dict[str, Any]) -> dict[str, str]:
    return {choice["label"]: choice["text"] for choice in record["question"]["choices"]}


def test_there_are_enough_of_each_kind(sample: Sample) -> None:
    records, rows = sample.records(), sample.rows()
    sizes = Counter(len(record["question"]["choices"]) for record in records)
    evidence = Counter(record["evidence"] for record in records)
    digits = sum(record["question"]["choices"][0]["label"] == "1" for record in records)
    assert len(records) >= sample.questions
    assert set(sizes) == {3, 4, 5}
    assert sizes[4] > len(records) / 2
    assert sizes[3] >= sample.three
    assert sizes[5] >= sample.five
    assert digits >= sample.digits
    assert set(evidence) == {"stated", "near", "reasoned"}
    assert evidence["reasoned"] >= sample.reasoned
    assert evidence["stated"] >= sample.stated
    assert len(rows) >= sample.sentences
    assert len({source for source, _ in rows}) >= sample.sources


def test_every_question_is_whole(sample: Sample) -> None:
    for record in sample.records():
        labels = [choice["label"] for choice in record["question"]["choices"]]
        texts = [choice["text"] for choice in record["question"]["choices"]]
        assert "".join(labels) in {"ABC", "ABCD", "ABCDE", "1234"}, record["id"]
        assert record["answerKey"] in labels, record["id"]
        assert all(text and text == text.strip() for text in [record["question"]["stem"], *texts]), record[
            "id"
        ]
        assert len(set(map(str.lower, texts))) == len(texts), record["id"]
        assert set(record) == {"id", "question", "answerKey", *sample.columns}, record["id"]


def test_science_spans_grades_and_topics() -> None:
    records = SCIENCE.records()
    assert {record["grade"] for record in records} == set(range(3, 10))
    topics = Counter(record["topic"] for record in records)
    assert set(topics) == {"life", "earth", "space", "physical", "chemistry", "inquiry"}
    assert min(topics.values()) >= 20


def test_nothing_stands_twice(sample: Sample) -> None:
    records, rows = sample.records(), sample.rows()
    ids = [record["id"] for record in records]
    stems = [normalised(record["question"]["stem"]) for record in records]
    sentences = [normalised(sentence) for _, sentence in rows]
    for values in (ids, stems, sentences):
        assert not [value for value, count in Counter(values).items() if count > 1]


def test_sentences_are_sentences(sample: Sample) -> None:
    for source, sentence in sample.rows():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", source), source
        assert 8 <= len(sentence.split()) <= 25, sentence
        assert sentence[0].isupper() or sentence[0].isdigit(), sentence
        assert sentence.endswith("."), sentence
        assert sentence == " ".join(sentence.split()), sentence


def test_no_control_characters(sample: Sample) -> None:
    # A run of the sample leaves its folder here.
    names = sorted(path.name for path in sample.path.iterdir() if path.is_file())
    assert {"questions.jsonl", "corpus.tsv", "benchmark.toml"} <= set(names)
    for name in names:
        text = (sample.path / name).read_text(encoding="utf-8")
        odd = {character for character in text if unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs")}
        assert odd <= {"\n", "\t"}, name
        assert text == unicodedata.normalize("NFC", text), name


def test_keys_are_spread_over_the_places(sample: Sample) -> None:
    places: dict[int, Counter[int]] = {3: Counter(), 4: Counter(), 5: Counter()}
    for record in sample.records():
        labels = list(choices(record))
        places[len(labels)][labels.index(record["answerKey"])] += 1
    for size, counts in places.items():
        fair = counts.total() / size
        assert all(0.6 * fair - 1 <= counts[place] <= 1.4 * fair + 1 for place in range(size)), (size, counts)


@pytest.mark.parametrize("extreme", [max, min], ids=["longest", "shortest"])
def test_length_is_no_shortcut(sample: Sample, extreme: Any) -> None:
    records = sample.records()
    points = chance = Fraction()
    for record in records:
        lengths = {label: len(text) for label, text in choices(record).items()}
        chosen = [label for label, length in lengths.items() if length == extreme(lengths.values())]
        points += Fraction(record["answerKey"] in chosen, len(chosen))
        chance += Fraction(1, len(lengths))
    assert abs(points - chance) / len(records) < 0.08


def test_configuration_names_files_that_are_there(sample: Sample) -> None:
    configuration = read_configuration(sample.path / "benchmark.toml")
    named = [table["path"] for table in configuration.questions.files]
    named += [name for corpus in configuration.corpora.values() for name in corpus.files]
    assert {"questions.jsonl", "corpus.tsv"} == set(named)
    assert set(configuration.scores.by) <= set(sample.columns)


def test_questions_are_read_whole_and_without_a_warning(sample: Sample) -> None:
    records, reading = sample.records(), read_questions(sample.path / "questions.jsonl")
    assert not reading.warnings
    assert reading.format == "arc-jsonl"
    for record, question in zip(records, reading.questions, strict=True):
        assert dict(question.metadata) == {column: record[column] for column in sample.columns}
        assert {choice.label: choice.text for choice in question.choices} == choices(record)
        assert question.answer == record["answerKey"]


def test_two_fact_questions_are_made_of_sentences_of_the_corpus() -> None:
    reading = read_questions(SCIENCE.path / "two-facts.jsonl")
    assert not reading.warnings
    assert reading.format == "qasc"
    sentences = {sentence for _, sentence in SCIENCE.rows()}
    questions = reading.questions
    assert len(questions) >= 20
    assert not {normalised(q.stem) for q in questions} & {
        normalised(record["question"]["stem"]) for record in SCIENCE.records()
    }
    for question in questions:
        facts = question.facts
        assert facts is not None
        assert {facts.seed, facts.second} <= sentences, question.id
        assert facts.seed != facts.second, question.id
        assert facts.composed, question.id
        assert len({choice.text.casefold() for choice in question.choices}) == 4, question.id
    places = Counter(question.labels.index(question.answer or "") for question in questions)
    assert max(places.values()) - min(places.values()) <= 1


def test_two_steps_find_more_second_facts_than_one() -> None:
    questions = read_questions(SCIENCE.path / "two-facts.jsonl").questions
    corpus = corpus_in_memory(sentence for _, sentence in SCIENCE.rows())
    both = {
        method: recall(questions, list(Retriever(method, corpus).answer(questions)), [10]).rows[0].both.mean
        or 0.0
        for method in ("single", "two-step")
    }
    assert both["two-step"] > both["single"] + 0.1


def test_no_sentence_is_changed_or_dropped_by_the_import(sample: Sample, tmp_path: Path) -> None:
    corpus = import_corpus(sample.path / "corpus.tsv", tmp_path / "corpus", workers=1)
    assert [list(row) for row in zip(corpus.sources, corpus.texts, strict=True)] == sample.rows()


def test_filters_leave_what_a_person_must_reason_out(sample: Sample) -> None:
    questions = read_questions(sample.path / "questions.jsonl").questions
    corpora = {"notes": corpus_in_memory(sentence for _, sentence in sample.rows())}
    answers = {kind: list(build(kind, kind, {}, corpora).answer(questions)) for kind in ("ir", "pmi")}
    for given in answers.values():
        assert 0.5 <= sum(map(points, questions, given)) / len(questions) <= 0.75
    made = partition(questions, answers, Rule.named("any", 2))
    assert 0.25 <= made.counts["Challenge"] / len(questions) <= 0.45
    challenge = {
        evidence: sum(placement.set == "Challenge" for placement in group) / len(group)
        for evidence in ("stated", "near", "reasoned")
        if (group := [p for p in made.placements if p.question.metadata["evidence"] == evidence])
    }
    assert challenge["stated"] < 0.1
    assert challenge["stated"] < challenge["reasoned"] - 0.5


@pytest.mark.real_data
def test_words_are_our_own(shared_data: Path) -> None:
    ours = {
        normalised(text)
        for sample in BOTH
        for text in [
            *(record["question"]["stem"] for record in sample.records()),
            *(sentence for _, sentence in sample.rows()),
        ]
    }
    ours |= {normalised(q.stem) for q in read_questions(SCIENCE.path / "two-facts.jsonl").questions}
    read, taken = 0, set()
    for text in published_texts(shared_data):
        read += 1
        if normalised(text) in ours:
            taken.add(text)
    assert not taken
    assert read > 100_000


def published_texts(data: Path) -> Iterator[str]:
    """Every sentence of the corpora and fact lists, every string of the question files."""
    for path in sorted((data / "corpus").glob("*.tsv.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
            for line in lines:
                yield line.rstrip("\n").split("\t")[-1]
    for path in sorted((data / "openbookqa").glob("*.txt")):
        yield from path.read_text(encoding="utf-8").split("\n")
    for room in ("arc", "openbookqa", "qasc"):
        for path in sorted((data / room).rglob("*.jsonl")):
            with path.open(encoding="utf-8", newline="\n") as lines:
                for line in lines:
                    yield from strings(json.loads(line))
    for path in [data / "sciq" / "valid.json", *sorted((data / "worldtree").glob("*.json"))]:
        yield from strings(json.loads(path.read_text(encoding="utf-8")))
    for path in sorted((data / "arc").rglob("*.csv")):
        with path.open(encoding="utf-8", newline="") as table:
            for row in csv.reader(table):
                yield from (re.split(r" ?\([A-E1-5]\) ", cell)[0] for cell in row)


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
