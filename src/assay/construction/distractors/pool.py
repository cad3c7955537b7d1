"""The pool: correct answers of the fold's most dissimilar questions that could stand beside a key."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.construction.distractors.sameness import Sameness, plain
from assay.construction.distractors.settings import DistractorSettings
from assay.construction.distractors.similarity import Overlaps, fact_names, key_text, similarity_texts
from assay.errors import FaultyInput
from assay.progress import SILENT, Progress
from assay.questions.model import Question

Words = npt.NDArray[np.uint64]
DISSIMILARITY, DRAW, RANKING, WINDOW, PARTS, TURNS = 1, 2, 3, 4, 5, 6
"""What a drawn number decides; each has draws of its own."""
LARGEST_SHARE = 0.9
"""Of characters, by which a drawn window moves: at 1 its length would have no bound."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """The correct answer of another question.

    `source` is that question's id, `rank` its place among the fold's most dissimilar (1: the most), `overlap`
    what both questions' facts share, `tie` a drawn number that orders what is equal otherwise.
    """

    text: str
    source: str
    rank: int
    overlap: float
    tie: int


@dataclass(frozen=True, slots=True)
class Pool:
    """A question of `fold` with its candidates, best rank first; `left_out` counts the others by reason."""

    question: Question
    fold: str
    candidates: tuple[Candidate, ...]
    left_out: Mapping[str, int]


def drawn(seed: int, use: int, *names: str) -> int:
    """A number in [0, 2^64) that depends on nothing but seed, use and names."""
    text = "\n".join([str(seed), str(use), *names]).encode("utf-8", errors="backslashreplace")
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big")


def _mixed(one: int, others: Words) -> Words:
    """A drawn number for each pair: SplitMix64's finaliser (Steele et al. 2014) over their sum."""
    with np.errstate(over="ignore"):
        mixed = others + np.uint64(one)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    found: Words = mixed ^ (mixed >> np.uint64(31))
    return found


def make_pools(
    questions: Sequence[Question],
    folds: Sequence[str],
    settings: DistractorSettings,
    progress: Progress = SILENT,
) -> list[Pool]:
    """The pool of each question, from the other questions of its fold; `folds` are aligned with `questions`.

    Of two candidates that are the same answer the more dissimilar question's counts. A question that shares a
    source fact is never a source. Nothing depends on the order of the questions.
    Raises FaultyInput, every fault listed, for questions without a key or, where they are wanted, facts.
    """
    unkeyed = [question for question in questions if question.answer is None]
    if unkeyed:
        raise FaultyInput(
            [question.fault("no answer key, so no distractor can be told from it") for question in unkeyed]
        )
    pools: dict[int, Pool] = {}
    with progress.task("pools of candidates", len(questions), "questions") as advance:
        for fold in dict.fromkeys(folds):
            places = [place for place, own in enumerate(folds) if own == fold]
            made = _Fold([questions[place] for place in places], fold, settings)
            for number, place in enumerate(places):
                pools[place] = made.pool(number)
                advance(1)
    return [pools[place] for place in range(len(questions))]


class _Fold:
    """The questions of one fold with what is computed once for all of them."""

    def __init__(self, questions: Sequence[Question], fold: str, settings: DistractorSettings) -> None:
        analyser = settings.analyser
        self._questions, self._fold, self._settings = questions, fold, settings
        texts = similarity_texts(questions, settings.similarity)
        self._overlaps = Overlaps(texts, analyser, settings.overlap)
        self._sharing: dict[str, list[int]] = {}
        for place, question in enumerate(questions):
            for fact in fact_names(question):
                self._sharing.setdefault(fact, []).append(place)
        self._keys = [key_text(question) for question in questions]
        self._sameness = Sameness(analyser, same_stems=settings.same_stems)
        self._tokens = np.array([len(analyser.tokens(text)) for text in self._keys])
        self._lengths = np.array([len(plain(text)) for text in self._keys])
        self._words = {
            use: np.array([drawn(settings.seed, use, question.id) for question in questions], np.uint64)
            for use in (DISSIMILARITY, DRAW, RANKING)
        }

    def _ties(self, use: int, place: int) -> Words:
        return _mixed(drawn(self._settings.seed, -use, self._questions[place].id), self._words[use])

    def pool(self, place: int) -> Pool:
        overlaps = self._overlaps.row(place)
        order = np.lexsort((self._ties(DISSIMILARITY, place), overlaps))
        own = fact_names(self._questions[place])
        excluded = [place, *(other for fact in own for other in self._sharing[fact])]
        order = order[~np.isin(order, excluded)][: self._settings.dissimilar]
        left_out: Counter[str] = Counter()
        fitting = list(self._fitting(place, order, left_out))
        draw, ties = self._ties(DRAW, place), self._ties(RANKING, place)
        kept = sorted(sorted(fitting, key=lambda found: int(draw[found[1]]))[: self._settings.pool])
        left_out["not drawn"] = len(fitting) - len(kept)
        candidates = tuple(
            Candidate(
                self._keys[other], self._questions[other].id, rank, float(overlaps[other]), int(ties[other])
            )
            for rank, other in kept
        )
        return Pool(self._questions[place], self._fold, candidates, dict(left_out))

    def _fitting(
        self, place: int, order: npt.NDArray[np.intp], left_out: Counter[str]
    ) -> Iterator[tuple[int, int]]:
        """Rank and place of each question of `order` whose answer fits; why others don't is counted."""
        tokens, characters = self._window(place)
        most, share = self._settings.tokens, self._settings.characters
        every = np.ones(len(order), np.bool_)
        near = every if most is None else np.abs(self._tokens[order] - tokens) <= most
        like = every if share is None else np.abs(self._lengths[order] - characters) <= share * characters
        left_out["number of tokens"] = int((~near).sum())
        left_out["number of characters"] = int((near & ~like).sum())
        choices = [choice.text for choice in self._questions[place].choices]
        seen: set[str] = set()
        for number in np.flatnonzero(near & like).tolist():
            other = int(order[number])
            text = self._keys[other]
            if not plain(text) or any(self._sameness.same(text, choice) for choice in choices):
                left_out["same as a choice"] += 1
            elif plain(text) in seen:
                left_out["repeats another candidate"] += 1
            else:
                seen.add(plain(text))
                yield number + 1, other

    def _window(self, place: int) -> tuple[float, float]:
        """Tokens and characters that the limits are measured from.

        Where it is drawn, a number in [-1, 1) says where in its window the key stands, so that lengths
        around the key don't give it away.
        """
        tokens, characters = int(self._tokens[place]), int(self._lengths[place])
        if self._settings.window == "key":
            return tokens, characters
        number = drawn(self._settings.seed, WINDOW, self._questions[place].id) / 2**63 - 1
        share = min(self._settings.characters or 0.0, LARGEST_SHARE)
        return tokens - round(number * (self._settings.tokens or 0)), characters / (1 + number * share)
