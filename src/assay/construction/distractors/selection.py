"""Which candidates a question takes, and what it looks like with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from assay.construction.distractors.pool import Candidate, Pool
from assay.construction.distractors.ranking import Judged
from assay.construction.distractors.sameness import Sameness, plain
from assay.construction.distractors.settings import DistractorSettings
from assay.questions.formats.fields import letter
from assay.questions.model import Choice, Question
from assay.questions.shuffling import choice_order

Origin = Literal["key", "author", "question"]
Fate = Literal["taken", "not needed", "easy", "same as one taken", "used enough", "rejected"]
Rejected = Mapping[str, Collection[str]]
"""Question id to the texts, as `plain` makes them, that people rejected as its distractors."""
UNJUDGED = Judged({}, {}, ())


@dataclass(frozen=True, slots=True)
class Placed:
    """A choice of a finished question. `origin` "question": the key of `candidate.source`.

    `author_label` is what the author called it. `place` (from 1): where it stood in the ranking.
    """

    choice: Choice
    origin: Origin
    author_label: str | None
    candidate: Candidate | None
    place: int | None
    judged: Judged


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate of the pool, where it stands in the ranking (from 1), and what became of it."""

    candidate: Candidate
    judged: Judged
    fate: Fate


@dataclass(frozen=True, slots=True)
class Extended:
    """A question with its new choices, where each comes from, the whole ranking, and how many are missing.

    `dropped`: labels of the author's distractors that went, each with the reason.
    """

    question: Question
    fold: str
    placed: tuple[Placed, ...]
    ranking: tuple[Ranked, ...]
    dropped: Mapping[str, str]
    missing: int


def rank(pool: Pool, judged: Sequence[Judged], by_chance: bool) -> list[tuple[Candidate, Judged]]:
    """Candidates, the most misleading first: adversaries that prefer one to the key, then mean difference.

    What ties stands in the order of a drawn number, as everything does where chance is to decide.
    """
    pairs = list(zip(pool.candidates, judged, strict=True))
    if by_chance:
        return sorted(pairs, key=lambda pair: pair[0].tie)
    return sorted(
        pairs, key=lambda pair: (-len(pair[1].preferred_by), -round(pair[1].difference, 9), pair[0].tie)
    )


def extend(
    pool: Pool,
    judged: Sequence[Judged],
    settings: DistractorSettings,
    sameness: Sameness,
    *,
    by_chance: bool = False,
    rejected: Rejected | None = None,
    used: Counter[str] | None = None,
) -> Extended:
    """Take the best candidates until the question has `settings.ways` choices, and shuffle them.

    `judged`: of the question's own choices, then of the candidates; empty where nobody was asked. `used`: how
    often each source of the fold has been taken; what this question takes is counted in it.
    """
    question = pool.question
    own = list(judged[: len(question.choices)]) or [UNJUDGED] * len(question.choices)
    others = list(judged[len(question.choices) :]) or [UNJUDGED] * len(pool.candidates)
    gone = (rejected or {}).get(question.id, ())
    dropped = _dropped(question, own, settings, gone)
    kept = [place for place, choice in enumerate(question.choices) if choice.label not in dropped]
    needed = max(0, settings.ways - len(kept))
    order = rank(pool, others, by_chance)
    fates = _fates(order, settings, sameness, needed, gone, by_chance, Counter() if used is None else used)
    placed = [_own(question, place, own[place]) for place in kept] + [
        Placed(Choice("", candidate.text), "question", None, candidate, number, given)
        for number, ((candidate, given), fate) in enumerate(zip(order, fates, strict=True), 1)
        if fate == "taken"
    ]
    ranking = tuple(Ranked(*pair, fate) for pair, fate in zip(order, fates, strict=True))
    finished, shuffled = _shuffled(question, placed, settings.seed)
    return Extended(finished, pool.fold, shuffled, ranking, dropped, needed - fates.count("taken"))


def _dropped(
    question: Question, judged: Sequence[Judged], settings: DistractorSettings, gone: Collection[str]
) -> dict[str, str]:
    """The author's distractors that don't stay, by label, each with why."""
    dropped = {}
    seen = {plain(choice.text) for choice in question.choices if choice.label == question.answer}
    for choice, given in zip(question.choices, judged, strict=True):
        if choice.label == question.answer:
            continue
        if plain(choice.text) in seen:
            dropped[choice.label] = "equals another choice"
        elif plain(choice.text) in gone:
            dropped[choice.label] = "rejected"
        elif settings.author == "none":
            dropped[choice.label] = "author's distractors aren't kept"
        elif settings.author == "hard" and given.easy(settings.easy):
            dropped[choice.label] = "easy"
        seen.add(plain(choice.text))
    return dropped


def _fates(
    order: Sequence[tuple[Candidate, Judged]],
    settings: DistractorSettings,
    sameness: Sameness,
    needed: int,
    gone: Collection[str],
    by_chance: bool,
    used: Counter[str],
) -> list[Fate]:
    fates: list[Fate] = ["not needed"] * len(order)
    taken: list[str] = []
    # What was used enough is taken after all where nothing else is left.
    for limit in (settings.uses, None):
        for place, (candidate, judged) in enumerate(order):
            if fates[place] not in ("not needed", "used enough"):
                continue
            if plain(candidate.text) in gone:
                fates[place] = "rejected"
            elif not by_chance and judged.easy(settings.easy):
                fates[place] = "easy"
            elif len(taken) < needed:
                if limit is not None and used[candidate.source] >= limit:
                    fates[place] = "used enough"
                elif any(sameness.same(candidate.text, other) for other in taken):
                    fates[place] = "same as one taken"
                else:
                    fates[place] = "taken"
                    taken.append(candidate.text)
                    used[candidate.source] += 1
    return fates


def _own(question: Question, place: int, judged: Judged) -> Placed:
    choice = question.choices[place]
    origin: Origin = "key" if choice.label == question.answer else "author"
    return Placed(Choice("", choice.text), origin, choice.label, None, None, judged)


def _shuffled(question: Question, placed: Sequence[Placed], seed: int) -> tuple[Question, tuple[Placed, ...]]:
    order = choice_order(seed, question.id, len(placed))
    moved = tuple(
        replace(placed[place], choice=Choice(letter(number), placed[place].choice.text))
        for number, place in enumerate(order)
    )
    key = next(one.choice.label for one in moved if one.origin == "key")
    return replace(question, choices=tuple(one.choice for one in moved), answer=key), moved
