"""What ties questions together: facts, stems, answers and choices that are the same or nearly so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar, get_args

from assay.construction.leaks.near import NEAR, near_texts
from assay.questions.duplicates import folded, stem_key
from assay.questions.model import Question
from assay.settings import setting
from assay.text.analysis import Analyser
from assay.text.stopwords import DEFAULT

Key = TypeVar("Key", str, bytes)
Kind = Literal["fact1", "fact2", "fact", "near-fact", "stem", "near-stem", "question", "answer", "choices"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Equal seed facts; equal second facts; any fact of the one equal to any of the other; nearly equal facts;
stems of the same letters and digits; nearly equal stems; stem and choices equal; keys' texts equal; sets of
choices equal. Texts are equal without regard to case and runs of white space."""
TELLING: tuple[Kind, ...] = ("fact", "near-fact", "stem", "near-stem", "question")
"""What by default makes a question touched: an equal answer alone tells nothing of the question."""


@dataclass(frozen=True, slots=True)
class TieSettings:
    """When texts are nearly equal."""

    near_fact: float = setting(NEAR, "stems that two facts share, of all they have", minimum=0.01, maximum=1)
    near_stem: float = setting(
        NEAR, "stems that two question stems share, of all they have", minimum=0.01, maximum=1
    )
    language: str = setting("english", "Snowball stemmer, or 'none'")
    stop_words: str = setting(DEFAULT, "name or file of the stop list")


@dataclass(frozen=True, slots=True)
class Tie:
    """Every question of `left` is tied to every one of `right` (places; the same where a text is shared).

    `texts`: what they share, or the two that are nearly equal; `similarity`: 1, or shared stems of all.
    """

    kind: Kind
    texts: tuple[str, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    similarity: float = 1.0


def ties(questions: Sequence[Question], settings: TieSettings) -> Iterator[Tie]:
    """Every tie between two questions or more, by kind, then in order of the questions."""
    analyser = Analyser(settings.language, settings.stop_words)
    yield from _shared("fact1", questions, lambda question: _facts(question)[:1])
    yield from _shared("fact2", questions, lambda question: _facts(question)[1:])
    yield from _shared("fact", questions, _facts)
    yield from _near("near-fact", questions, _facts, analyser, settings.near_fact)
    stems = _gathered(questions, lambda question: (stem_key(question, "stem_alnum"),))
    for places in stems.values():
        if len(places) > 1:
            yield Tie("stem", (questions[places[0]].stem,), tuple(places), tuple(places))
    same = {place: number for number, places in enumerate(stems.values()) for place in places}
    for tie in _near("near-stem", questions, lambda q: (folded(q.stem),), analyser, settings.near_stem):
        if same[tie.left[0]] != same[tie.right[0]]:
            yield tie
    whole = _gathered(questions, lambda question: (stem_key(question, "stem_and_choice_multiset_casefold"),))
    for places in whole.values():
        if len(places) > 1:
            yield Tie("question", (questions[places[0]].stem,), tuple(places), tuple(places))
    yield from _shared("answer", questions, _answer)
    yield from _shared("choices", questions, _choices)


def _facts(question: Question) -> tuple[str, ...]:
    """Seed and second fact; an empty text where there is none."""
    if question.facts is None:
        return ("", "")
    return folded(question.facts.seed or ""), folded(question.facts.second or "")


def _answer(question: Question) -> tuple[str, ...]:
    return tuple(folded(choice.text) for choice in question.choices if choice.label == question.answer)


def _choices(question: Question) -> tuple[str, ...]:
    return (" | ".join(sorted(folded(choice.text) for choice in question.choices)),)


def _gathered(
    questions: Sequence[Question], keys: Callable[[Question], Iterable[Key]]
) -> dict[Key, list[int]]:
    gathered: dict[Key, list[int]] = {}
    for place, question in enumerate(questions):
        for key in dict.fromkeys(keys(question)):
            if key:
                gathered.setdefault(key, []).append(place)
    return gathered


def _shared(
    kind: Kind, questions: Sequence[Question], texts: Callable[[Question], tuple[str, ...]]
) -> Iterator[Tie]:
    for text, places in _gathered(questions, texts).items():
        if len(places) > 1:
            yield Tie(kind, (text,), tuple(places), tuple(places))


def _near(
    kind: Kind,
    questions: Sequence[Question],
    texts: Callable[[Question], tuple[str, ...]],
    analyser: Analyser,
    threshold: float,
) -> Iterator[Tie]:
    gathered = _gathered(questions, texts)
    distinct, places = list(gathered), list(gathered.values())
    for pair in near_texts(distinct, analyser, threshold):
        yield Tie(
            kind, (distinct[pair.first], distinct[pair.second]), tuple(places[pair.first]),
            tuple(places[pair.second]), pair.similarity,
        )  # fmt: skip
