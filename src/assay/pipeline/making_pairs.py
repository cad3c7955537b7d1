"""Questions, explanations and evidence to entailment pairs; what is kept out, and why, is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from assay.entailment.held_out import HeldOut
from assay.entailment.making import Kind, Maker, PairSettings
from assay.entailment.pair import Label, Pair
from assay.errors import AssayError
from assay.progress import SILENT, Progress
from assay.questions.explanations import (
    Explanation,
    join,
    of_own_facts,
    read_explanations,
    without_twins,
)
from assay.questions.model import Question, QuestionSet
from assay.solvers.evidence_file import EvidenceFile
from assay.text.letters import letters_and_digits
from assay.text.statements import statement

SHOWN = 5
"""Ids of what is held out that a note names."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Files beside the questions: explanations (with WorldTree's sentences), evidence of near sentences."""

    facts: Sequence[Path] = ()
    sentences: Path | None = None
    evidence: Sequence[Path] = ()


@dataclass(frozen=True, slots=True)
class MadePairs:
    """`pairs` in the questions' order. `counts` by kind and label; `questions`: how many have pairs."""

    pairs: tuple[Pair, ...]
    counts: Mapping[tuple[Kind, Label], int]
    questions: int
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Never:
    """What is kept out: questions (by id or stem), hypotheses (questions that say the same)."""

    questions: QuestionSet = field(default_factory=lambda: QuestionSet(()))
    hypotheses: Sequence[str] = ()


def make_pairs(
    questions: QuestionSet,
    sources: Sources,
    never: Never | None = None,
    settings: PairSettings | None = None,
    progress: Progress = SILENT,
) -> MadePairs:
    """Pairs of the questions with keys that have facts or evidence.

    `never`: what is held out; stems are the same by letters and digits. Raises AssayError for test questions,
    bad files, and where nothing comes out.
    """
    _refuse_tests(questions)
    notes: list[str] = []
    never = never or Never()
    asked = _wanted(questions, never, notes)
    explained = _explained(asked, sources, never.questions, notes)
    files = [EvidenceFile(path) for path in sources.evidence]
    lacking = sum(not any(question in file for file in files) for question in asked) if files else 0
    if lacking:
        notes.append(f"{lacking:,} questions stand in no evidence file: no sentences were found for them")
    maker = Maker(settings)
    pairs: list[Pair] = []
    counts: Counter[tuple[Kind, Label]] = Counter()
    having = 0
    with progress.task("making pairs", len(asked), "questions") as advance:
        for question in asked:
            file = next((file for file in files if question in file), None)
            evidence = None if file is None else file[question]
            made = list(maker.pairs(question, explained.get(question.id, ()), evidence))
            having += bool(made)
            for pair, kind in made:
                assert pair.label is not None
                pairs.append(pair)
                counts[kind, pair.label] += 1
            advance(1)
    if not pairs:
        raise AssayError(
            "; ".join(["no pair comes out of these questions", *notes]),
            hint="they need facts (OpenBookQA, QASC, or --facts FILE), a support, or --evidence FILE",
        )
    return MadePairs(tuple(pairs), counts, having, tuple(notes))


def _refuse_tests(questions: QuestionSet) -> None:
    for question in questions:
        if str(question.metadata.get("split", "")).casefold() == "test":
            raise AssayError(
                "is a test question: pairs are to be trained on",
                file=question.origin.file if question.origin else None,
                question_id=question.id,
                hint="leave test files away; --never TEST keeps their twins out too",
            )


def _wanted(questions: QuestionSet, never: Never, notes: list[str]) -> QuestionSet:
    keyed = [question for question in questions if question.answer is not None]
    if len(keyed) < len(questions):
        notes.append(f"{len(questions) - len(keyed):,} questions without a key are left out")
    if not never.questions:
        notes.append("no questions are held out: --never FILE keeps test questions and their twins out")
    stems = {letters_and_digits(question.stem) for question in never.questions}
    hypotheses = HeldOut(never.hypotheses)
    kept: list[Question] = []
    out: dict[str, list[str]] = {"by their id": [], "twins by their stem": [], "as a held-out hypothesis": []}
    for question in keyed:
        if never.questions.has(question.id):
            out["by their id"].append(question.id)
        elif letters_and_digits(question.stem) in stems:
            out["twins by their stem"].append(question.id)
        elif hypotheses.holds(_stated(question)):
            out["as a held-out hypothesis"].append(question.id)
        else:
            kept.append(question)
    notes += [
        f"held out {why}: {len(ids):,} questions ({', '.join(ids[:SHOWN])}{', ...' * bool(ids[SHOWN:])})"
        for why, ids in out.items()
        if ids
    ]
    return QuestionSet(kept)


def _stated(question: Question) -> str:
    right = next(choice for choice in question.choices if choice.label == question.answer)
    return statement(question.stem, right.text).text


def _explained(
    asked: QuestionSet, sources: Sources, never: QuestionSet, notes: list[str]
) -> dict[str, tuple[Explanation, ...]]:
    """The explanations of each question, its own facts among them."""
    found: dict[str, tuple[Explanation, ...]] = {}
    if any(_has_facts(question) for question in asked):
        found |= of_own_facts(asked).by_id
    explanations: list[Explanation] = []
    for path in sources.facts:
        read = read_explanations(path, sources.sentences)
        notes += read.notes
        explanations += read.explanations
    if not explanations:
        return found
    kept, twins = without_twins(explanations, never)
    if twins:
        notes.append(f"held out: {len(twins):,} explanations of held-out questions or their twins")
    joined = join(asked, kept)
    if joined.unused:
        notes.append(f"{len(joined.unused):,} explanations are of none of the questions and are not used")
    for name, own in joined.by_id.items():
        found[name] = (*found.get(name, ()), *own)
    return found


def _has_facts(question: Question) -> bool:
    facts = question.facts
    return facts is not None and any(text and text.strip() for text in (facts.seed, facts.second))
