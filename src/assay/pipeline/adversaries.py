"""Adversaries: solvers that say which candidates mislead, none of them trained on what it attacks."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from assay.construction.distractors.parts import parts_by_fact
from assay.construction.distractors.pool import Pool
from assay.construction.distractors.ranking import contest
from assay.construction.distractors.sameness import Sameness
from assay.construction.distractors.selection import extend
from assay.construction.distractors.settings import DistractorSettings
from assay.corpus.model import Corpus
from assay.errors import AssayError, need_neural
from assay.pipeline.answering import answer_all
from assay.progress import SILENT, Progress
from assay.questions.model import Answer, Question, QuestionSet
from assay.questions.writing import write_questions
from assay.solvers import registry
from assay.solvers.solver import Checking, Solver, Taught
from assay.storage import to_json

Tell = Callable[[str], None]
NAMED = 5
"""Questions that an error names; the others are counted."""


@dataclass(frozen=True, slots=True)
class Adversary:
    """A solver by its registered kind, or a plug-in."""

    name: str
    kind: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TrainedAdversary:
    """A reader that is trained here, on questions that it doesn't attack.

    `reader` and `training`: settings as of `assay train`. `choices`: it is trained on the questions with
    "random" choices added, as the paper's second adversary, or with the "author"'s alone.
    """

    name: str
    kind: str
    reader: Mapping[str, Any] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)
    choices: str = "random"


@dataclass(frozen=True, slots=True)
class Attack:
    """What an adversary says to every contest, in their order, and the settings that decided it."""

    answers: tuple[Answer, ...]
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Arena:
    """Where adversaries meet questions: pools, the folder of what is kept, and how one is told of it.

    `lessons`: pools of other questions that adversaries are trained on; without them, each of `parts` parts
    of the questions, which share no fact, is attacked by a reader trained on the other parts.
    """

    pools: Sequence[Pool]
    settings: DistractorSettings
    work: Path
    corpora: Mapping[str, Corpus]
    lessons: Sequence[Pool] = ()
    parts: int = 2
    allow_seen: bool = False
    progress: Progress = SILENT
    tell: Tell = lambda line: None

    def attack(self, adversary: Adversary | TrainedAdversary) -> Attack:
        """The adversary's answers; those that were made before, under the same settings, are taken.

        Raises AssayError when it can't be built or trained, or was trained on a question that it attacks.
        """
        contests = [contest(pool) for pool in self.pools]
        if isinstance(adversary, Adversary):
            solver = registry.build(adversary.kind, adversary.name, adversary.settings, self.corpora)
            return Attack(self._answers(solver, contests, adversary.name), dict(solver.settings))
        return self._trained(adversary, contests)

    def _answers(self, solver: Solver, contests: Sequence[Question], stored: str) -> tuple[Answer, ...]:
        if not self.allow_seen:
            refuse_seen(solver, contests)
        asked = QuestionSet(contests)
        if isinstance(solver, Checking):
            for note in solver.check(asked):
                self.tell(f"{stored}: {note}")
        path = self.work / "scores" / f"{stored}.jsonl"
        return answer_all(solver, asked, path, progress=self.progress).answers

    def _trained(self, adversary: TrainedAdversary, contests: Sequence[Question]) -> Attack:
        need_neural("a trained adversary")
        sets = self._lessons()
        answers: dict[str, Answer] = {}
        records = []
        for number, (lessons, attacked) in enumerate(sets, 1):
            called = adversary.name if len(sets) == 1 else f"{adversary.name}-{number}"
            self.tell(
                f"{called}: trained on {len(lessons):,} questions, attacks {len(attacked):,}"
                + (f" (part {number} of {len(sets)})" if len(sets) > 1 else "")
            )
            model = self._train(adversary, lessons, called)
            precision = str(adversary.training.get("precision", "fp32"))
            given = {"model": str(model), "precision": precision}
            solver = registry.build("reader", called, given, self.corpora)
            own = [contests[place] for place in attacked]
            for answer in self._answers(solver, own, called):
                answers[answer.question_id] = answer
            records.append({"trained_on": len(lessons), "attacks": len(own), **dict(solver.settings)})
        how = {"solver": "trained here", "choices": adversary.choices, "readers": records}
        return Attack(tuple(answers[question.id] for question in contests), how)

    def _lessons(self) -> list[tuple[list[Pool], list[int]]]:
        """For each training the pools of its questions, and the places of the questions that it attacks."""
        everything = list(range(len(self.pools)))
        if self.lessons:
            return [(list(self.lessons), everything)]
        part_of = parts_by_fact([pool.question for pool in self.pools], self.parts, self.settings.seed)
        return [
            (
                _among_themselves([self.pools[place] for place in everything if part_of[place] != part]),
                [place for place in everything if part_of[place] == part],
            )
            for part in range(self.parts)
        ]

    def _train(self, adversary: TrainedAdversary, lessons: Sequence[Pool], called: str) -> Path:
        from assay.pipeline.training import Plan, train_model
        from assay.pipeline.training_data import Data

        questions = QuestionSet(_lesson(lessons, self.settings, adversary.choices))
        file = self.work / "lessons" / f"{called}.jsonl"
        write_questions(questions, file, "assay")
        reader = dict(adversary.reader)
        _check_reads(adversary.name, adversary.kind)
        if reader.setdefault("sentences", 0) != 0 or not _reads_evidence(adversary.kind):
            if reader["sentences"]:
                raise AssayError(f"adversary {adversary.name!r}: one that is trained here reads no evidence")
            del reader["sentences"]
        plan = Plan(
            adversary.kind, (Data((str(file),)),), None, reader, adversary.training, seed=self.settings.seed
        )
        decides = [adversary.kind, reader, dict(adversary.training), plan.seed, questions.fingerprint]
        name = hashlib.sha256(to_json(decides).encode()).hexdigest()[:12]
        folder = self.work / "models" / f"{called}-{name}"
        return train_model(plan, folder, progress=self.progress, tell=self.tell).folder


def _among_themselves(pools: Sequence[Pool]) -> list[Pool]:
    """Pools whose candidates are these questions' own answers: a lesson says nothing of what is attacked."""
    inside = {pool.question.id for pool in pools}
    return [
        replace(pool, candidates=tuple(one for one in pool.candidates if one.source in inside))
        for pool in pools
    ]


def _check_reads(name: str, kind: str) -> None:
    from assay.solvers.neural.reader import what_it_reads
    from assay.solvers.neural.readers import reader_class

    reads = what_it_reads(reader_class(kind))
    if reads != "questions":
        raise AssayError(
            f"adversary {name!r}: a reader of kind {kind} is trained on {reads}, not on questions"
        )


def _reads_evidence(kind: str) -> bool:
    from dataclasses import fields

    from assay.solvers.neural.readers import reader_class

    return "sentences" in {one.name for one in fields(reader_class(kind).declared)}


def _lesson(pools: Sequence[Pool], settings: DistractorSettings, choices: str) -> Iterable[Question]:
    if choices == "author":
        return [pool.question for pool in pools]
    sameness = Sameness(settings.analyser, same_stems=settings.same_stems)
    return [extend(pool, (), settings, sameness, by_chance=True).question for pool in pools]


def refuse_seen(solver: Solver, attacked: Sequence[Question]) -> None:
    """Raises AssayError when the solver was trained on a question that it attacks, or can't say."""
    if not isinstance(solver, Taught):
        return
    allow = "--allow-seen attacks with it all the same"
    try:
        seen = solver.seen(attacked)
    except AssayError as error:
        fault = error.faults[0]
        raise AssayError(
            f"adversary {solver.name}: {fault.what}", file=fault.file, hint=f"{error.hint}; {allow}"
        ) from None
    if seen:
        named = ", ".join(question.id for question in seen[:NAMED])
        raise AssayError(
            f"adversary {solver.name} was trained on {len(seen):,} of the {len(attacked):,} questions that "
            f"it attacks: {named}{', ...' if len(seen) > NAMED else ''}",
            hint=f"train it on other folds, or let --train-adversary do so; {allow}",
        )
