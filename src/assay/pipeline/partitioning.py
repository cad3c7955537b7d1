"""The partition step: from filters' answers to Easy and Challenge, what moves, and the corpus matrix."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.construction.answer_sentences import answer_sentences
from assay.construction.partition import Partition, PartitionAgreement, Rule, agreement, partition
from assay.construction.sensitivity import CorpusMatrix, SensitivityRow, corpus_matrix, sensitivity
from assay.corpus import Corpus
from assay.corpus.subset import without_sentences
from assay.errors import AssayError
from assay.pipeline.configuration import Configuration, SolverSettings
from assay.pipeline.systems import System, build_system, over_corpus, uses_corpus
from assay.questions.answers import answer_to_record
from assay.questions.model import Answer, Question, QuestionSet
from assay.questions.writing import write_questions
from assay.scoring.points import points
from assay.scoring.record import as_record
from assay.storage import to_json

Ask = Callable[[System, str], Sequence[Answer]]
"""Answers of a system, kept under a name of its own so that they are made once."""


@dataclass(frozen=True)
class Partitioned:
    """The partition with everything that stands beside it; `unplaced`: questions without a key."""

    partition: Partition
    agreement: PartitionAgreement
    sensitivity: tuple[SensitivityRow, ...]
    matrix: CorpusMatrix | None
    unplaced: int
    notes: tuple[str, ...]


def make_partition(
    configuration: Configuration,
    questions: QuestionSet,
    corpora: Mapping[str, Corpus],
    systems: Mapping[str, System],
    answers: Mapping[str, Sequence[Answer]],
    ask: Ask,
) -> Partitioned | None:
    """Partition all questions with a key; None when the configuration names no filters.

    Raises AssayError when a filter isn't asked every question.
    """
    settings = configuration.partition
    if not settings.filters:
        return None
    keyed = QuestionSet(question for question in questions if question.answer is not None)
    if not len(keyed):
        raise AssayError(
            "no question has a key, so no partition can be made",
            hint="leave [partition] out for a hidden set",
        )
    for name in settings.filters:
        if len(systems[name].questions) != len(questions):
            raise AssayError(
                f"filter {name} isn't asked every question", hint=f"leave solvers.{name}.only out"
            )
    rule = Rule.named(settings.rule, len(settings.filters), settings.credit)
    given = {name: _of(keyed, answers[name]) for name in settings.filters}
    made = partition(keyed, given, rule)
    variants = _Variants(configuration, questions, keyed, corpora, given, ask)
    other, notes = variants.without_answers()
    over = variants.over_corpora()
    rows = {**other, **{f"over corpus {name}": filters for name, filters in over.items()}}
    return Partitioned(
        partition=made,
        agreement=agreement(made, configuration.questions.published),
        sensitivity=tuple(sensitivity(made, rows)),
        matrix=corpus_matrix(list(keyed), over, rule) if over else None,
        unplaced=len(questions) - len(keyed),
        notes=notes,
    )


def _of(questions: QuestionSet, answers: Sequence[Answer]) -> list[Answer]:
    return [answer for answer in answers if questions.has(answer.question_id)]


@dataclass(frozen=True)
class _Variants:
    """The filters asked again under changed conditions."""

    configuration: Configuration
    questions: QuestionSet
    keyed: QuestionSet
    corpora: Mapping[str, Corpus]
    given: Mapping[str, Sequence[Answer]]
    ask: Ask

    def over_corpora(self) -> dict[str, dict[str, Sequence[Answer]]]:
        """Corpus to filter to answers, for every corpus of the matrix; a filter without a corpus stays."""
        return {
            corpus: {name: self._over(name, corpus) for name in self.given}
            for corpus in self.configuration.partition.corpora
        }

    def _over(self, name: str, corpus: str) -> Sequence[Answer]:
        settings = self.configuration.solvers[name]
        if uses_corpus(settings) in (None, corpus):
            return self.given[name]
        return self._asked(name, over_corpus(settings, corpus), self.corpora, f"{name}@{corpus}")

    def without_answers(self) -> tuple[dict[str, dict[str, Sequence[Answer]]], tuple[str, ...]]:
        """The filters over their corpora less the sentences that state an answer, and what was taken out."""
        share = self.configuration.partition.without_answer_sentences
        used = {uses_corpus(self.configuration.solvers[name]) for name in self.given} - {None}
        if not share or not used:
            return {}, ()
        smaller, notes = dict(self.corpora), []
        for name in sorted(str(name) for name in used):
            gone = answer_sentences(self.corpora[name], self.keyed, share)
            smaller[name] = without_sentences(self.corpora[name], gone)
            notes.append(
                f"Sensitivity: {len(gone):,} of {len(self.corpora[name]):,} sentences of corpus {name} state "
                f"an answer (all content stems of a key and at least {share:.0%} of its question's)."
            )
        answers = {
            name: self._asked(name, self.configuration.solvers[name], smaller, f"{name}@without-answers")
            for name in self.given
            if uses_corpus(self.configuration.solvers[name]) is not None
        }
        return {"sentences that state an answer removed": answers}, tuple(notes)

    def _asked(
        self, name: str, settings: SolverSettings, corpora: Mapping[str, Corpus], stored: str
    ) -> Sequence[Answer]:
        system = build_system(name, settings, self.configuration, self.questions, corpora)
        return _of(self.keyed, self.ask(system, stored))


def write_sets(made: Partition, folder: Path) -> None:
    """Easy.jsonl and Challenge.jsonl: the questions of each set as question files, in their order.

    Each says its set as metadata `set`; one that it had before is kept as `published_set`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in made.counts:
        inside = (_of_set(placed.question, name) for placed in made.placements if placed.set == name)
        write_questions(inside, folder / f"{name}.jsonl", "assay")


def _of_set(question: Question, name: str) -> Question:
    before = question.metadata.get("set")
    published = {} if before is None else {"published_set": before}
    return replace(question, metadata={**question.metadata, **published, "set": name})


def placement_lines(made: Partitioned) -> list[str]:
    """partition.jsonl: for each question its set and, for each filter, whether it answered, with what."""
    return [
        to_json(
            {
                "id": placement.question.id,
                "set": placement.set,
                "filters": {
                    name: {
                        "answered": answered,
                        "points": points(placement.question, answer),
                        **answer_to_record(placement.question, answer),
                    }
                    for name, answered, answer in zip(
                        made.partition.filters, placement.answered, placement.answers, strict=True
                    )
                },
            }
        )
        for placement in made.partition.placements
    ]


def partition_record(made: Partitioned) -> dict[str, Any]:
    """The partition's figures as JSON values: filters, rule, counts, agreement, what moves, the matrix."""
    record: dict[str, Any] = {
        "filters": list(made.partition.filters),
        "needed": made.partition.rule.needed,
        "credit": made.partition.rule.credit,
        "counts": dict(made.partition.counts),
        "agreement": as_record(made.agreement),
        "sensitivity": [as_record(row) for row in made.sensitivity],
        "unplaced": made.unplaced,
    }
    if made.matrix is not None:
        profiles = {name: len(numbers) for name, numbers in made.matrix.profiles.items()}
        record["matrix"] = {"corpora": list(made.matrix.corpora), "profiles": profiles}
    return record
