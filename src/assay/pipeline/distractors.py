"""Questions to questions with more choices: pools, adversaries, selection, and what is kept beside them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.construction.distractors.also_right import SuspicionSettings, suspicions
from assay.construction.distractors.pool import TURNS, Pool, drawn, make_pools
from assay.construction.distractors.ranking import contest, judge, spread
from assay.construction.distractors.sameness import Sameness, plain
from assay.construction.distractors.selection import Extended, extend
from assay.construction.distractors.settings import (
    Chance,
    DistractorSettings,
    without_rules,
)
from assay.construction.distractors.similarity import key_text
from assay.construction.distractors.verdicts import Verdicts, check_any, read_verdicts
from assay.corpus.model import Corpus
from assay.errors import AssayError, FaultyInput
from assay.pipeline.adversaries import Adversary, Arena, Attack, Tell, TrainedAdversary
from assay.pipeline.distractor_files import Made, check_outputs, write_made
from assay.progress import SILENT, Progress
from assay.questions.model import Question, SentenceEvidence
from assay.questions.reading import FileReading, ReadingSettings, read_questions
from assay.scoring.columns import column
from assay.storage import only_writer
from assay.text.mean_vectors import MeanVectors

ADVERSARIES = "adversaries"


@dataclass(frozen=True)
class DistractorPlan:
    """What is asked for.

    `fold`: the column whose values are folds; None: each file is one. `chance`: "pool" or "any" instead of
    adversaries. `train_with`: files that trained adversaries learn from; none: other parts of the
    questions. `format`: what to write; None: each file in its own. `vectors`: static vectors for the check
    list, or None.
    """

    files: Sequence[str]
    output: Path
    settings: DistractorSettings = field(default_factory=DistractorSettings)
    suspicion: SuspicionSettings = field(default_factory=SuspicionSettings)
    adversaries: Sequence[Adversary | TrainedAdversary] = ()
    corpora: Mapping[str, Corpus] = field(default_factory=dict)
    chance: Chance | None = None
    fold: str | None = None
    train_with: Sequence[str] = ()
    parts: int = 2
    validated: Sequence[str] = ()
    allow_fewer: bool = False
    allow_seen: bool = False
    format: str | None = None
    vectors: str | None = None
    reading: ReadingSettings = field(default_factory=ReadingSettings)


def make_distractors(
    plan: DistractorPlan, *, progress: Progress = SILENT, tell: Tell = lambda line: None
) -> Mapping[str, Any]:
    """Extend the questions of every file and write them, with all that is kept, into `plan.output`.

    Returns what distractors.json holds: settings, adversaries, counts and the files' SHA-256.

    Scores and models are kept in `adversaries` below it, so that what was cut off goes on. `distractors.json`
    is written last: without it, the folder isn't whole.
    Raises FaultyInput, every question listed, for those that can't have as many choices as are wanted
    (unless `allow_fewer`), have no key or facts, or whose choices all equal the key; AssayError as the
    adversaries do.
    """
    _check_plan(plan)
    questions, files, notes = _read(plan, plan.files)
    check_outputs(plan.output, plan.files, files, plan.format)
    for note in notes:
        tell(note)
    _check_choices(questions, plan.settings)
    verdicts = read_verdicts(plan.validated, (question.id for question in questions))
    check_any(verdicts, plan.validated)
    rules = plan.settings if plan.chance != "any" else without_rules(plan.settings)
    pools = make_pools(questions, _folds(plan, questions), rules, progress)
    with only_writer(plan.output):
        attacks = _attacks(plan, pools, progress, tell)
        extended = _extended(plan, pools, attacks, verdicts)
        _check_enough(extended, plan)
        made = _made(plan, files, pools, attacks, extended, verdicts)
        return write_made(made, plan.output, plan.format, tell)


def _check_plan(plan: DistractorPlan) -> None:
    if plan.chance is None and not plan.adversaries:
        raise AssayError(
            "no adversary to choose distractors by",
            hint="--adversary KIND (twice, as a rule), --train-adversary READER, or --random pool",
        )
    if plan.chance is not None and plan.adversaries:
        raise AssayError("either chance chooses or adversaries do: --random stands alone")
    names = [one.name for one in plan.adversaries]
    for name in names:
        # Scores and models are kept in files of this name.
        if not name.strip() or name.startswith(".") or len(name) > 100 or set(name) & set("/\\\0"):
            raise AssayError(f"{name!r} can't be the name of an adversary", hint="give it one: NAME=KIND")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise AssayError(f"two adversaries are called {twice}", hint="name them: NAME=KIND")


def _read(
    plan: DistractorPlan, files: Sequence[str]
) -> tuple[list[Question], tuple[FileReading, ...], list[str]]:
    how = plan.reading
    if plan.settings.author == "none":
        how = {**how, "fewest_choices": 1}
    reading = read_questions(files, **how)
    return list(reading.questions), reading.files, list(reading.notes)


def _folds(plan: DistractorPlan, questions: Sequence[Question]) -> list[str]:
    if plan.fold is None:
        return [question.origin.file if question.origin else "" for question in questions]
    values = column(questions, plan.fold).values
    faults = [
        question.fault(f"no value or several in column {plan.fold}: its fold is unknown")
        for question, own in zip(questions, values, strict=True)
        if len(own) != 1
    ]
    if faults:
        raise FaultyInput(faults)
    return [own[0] for own in values]


def _check_choices(questions: Sequence[Question], settings: DistractorSettings) -> None:
    faults = []
    for question in questions:
        if question.answer is None:
            continue
        key = plain(key_text(question))
        others = [choice for choice in question.choices if choice.label != question.answer]
        if others and all(plain(choice.text) == key for choice in others):
            faults.append(question.fault("every distractor equals the key"))
        elif settings.author == "all" and len(question.choices) > settings.ways:
            what = f"has {len(question.choices)} choices already, {settings.ways} are wanted"
            faults.append(question.fault(what))
    if faults:
        raise FaultyInput(
            faults, hint="mend these questions, ask for more --ways, or drop the author's (--author none)"
        )


def _attacks(
    plan: DistractorPlan, pools: Sequence[Pool], progress: Progress, tell: Tell
) -> dict[str, Attack]:
    lessons: list[Pool] = []
    if plan.train_with and any(isinstance(one, TrainedAdversary) for one in plan.adversaries):
        questions, _, _ = _read(plan, plan.train_with)
        folds = [question.origin.file if question.origin else "" for question in questions]
        lessons = make_pools(questions, folds, plan.settings, progress)
    arena = Arena(
        pools=pools,
        settings=plan.settings,
        work=plan.output / ADVERSARIES,
        corpora=plan.corpora,
        lessons=lessons,
        parts=plan.parts,
        allow_seen=plan.allow_seen,
        progress=progress,
        tell=tell,
    )
    return {one.name: arena.attack(one) for one in plan.adversaries}


def _extended(
    plan: DistractorPlan, pools: Sequence[Pool], attacks: Mapping[str, Attack], verdicts: Verdicts
) -> list[Extended]:
    sameness = Sameness(plan.settings.analyser, same_stems=plan.settings.same_stems)
    contests = [contest(pool) for pool in pools]
    judged = judge(contests, {name: attack.answers for name, attack in attacks.items()})
    rejected = verdicts.rejected
    chance = plan.chance is not None
    made: dict[int, Extended] = {}
    used: defaultdict[str, Counter[str]] = defaultdict(Counter)
    seed = plan.settings.seed
    for place in sorted(range(len(pools)), key=lambda one: drawn(seed, TURNS, pools[one].question.id)):
        pool = pools[place]
        made[place] = extend(
            pool,
            judged[place] if attacks else (),
            plan.settings,
            sameness,
            by_chance=chance,
            rejected=rejected,
            used=used[pool.fold],
        )
    return [made[place] for place, pool in enumerate(pools) if pool.question.id not in verdicts.dropped]


def _check_enough(extended: Sequence[Extended], plan: DistractorPlan) -> None:
    """Every question short of choices is named, with what became of its candidates."""
    faults = []
    for one in extended:
        if one.missing and not plan.allow_fewer:
            fates = Counter(candidate.fate for candidate in one.ranking)
            said = ", ".join(f"{count} {fate}" for fate, count in sorted(fates.items())) or "none"
            what = f"{one.missing} of {plan.settings.ways} choices missing; its candidates: {said}"
            faults.append(one.question.fault(what))
        elif len(one.question.choices) < 2:
            faults.append(one.question.fault("no distractor at all was found"))
    if faults:
        raise FaultyInput(
            faults,
            hint=f"{len(faults):,} questions are short: --allow-fewer takes them so; --set dissimilar=none, "
            "--set pool=100, --set tokens=4, --set characters=1.0 or --set easy=6 find more candidates",
        )


def _made(
    plan: DistractorPlan,
    files: tuple[FileReading, ...],
    pools: Sequence[Pool],
    attacks: Mapping[str, Attack],
    extended: Sequence[Extended],
    verdicts: Verdicts,
) -> Made:
    vectors = None if plan.vectors is None else MeanVectors(plan.vectors, "content")
    if vectors is not None:
        vectors.learn(choice.text for one in extended for choice in one.question.choices)
    sameness = Sameness(plan.settings.analyser, same_stems=plan.settings.same_stems)
    contests = [contest(pool) for pool in pools]
    return Made(
        files=files,
        extended=tuple(extended),
        suspicions=tuple(
            suspicions(extended, sameness, plan.suspicion, vectors, _sentences(contests, attacks))
        ),
        verdicts=verdicts,
        settings=plan.settings,
        suspicion=plan.suspicion,
        chance=plan.chance,
        attacks={
            name: {**attack.settings, "spread": spread(contests, attack.answers)}
            for name, attack in attacks.items()
        },
        left_out=dict(sum((Counter(pool.left_out) for pool in pools), Counter())),
        pool_sizes=tuple(len(pool.candidates) for pool in pools),
    )


def _sentences(contests: Sequence[Question], attacks: Mapping[str, Attack]) -> dict[tuple[str, str], str]:
    """What adversaries found in a corpus for each choice; the first adversary's counts."""
    found: dict[tuple[str, str], str] = {}
    for attack in attacks.values():
        for question, answer in zip(contests, attack.answers, strict=True):
            for choice, pieces in zip(question.choices, answer.evidence or (), strict=False):
                sentence = next((piece.text for piece in pieces if isinstance(piece, SentenceEvidence)), None)
                if sentence is not None:
                    found.setdefault((question.id, choice.text), sentence)
    return found
