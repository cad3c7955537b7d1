"""Shortcuts: rules that choose without knowing a thing, by length, shared words, tell-tale words or place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from assay.errors import AssayError
from assay.questions.model import Question
from assay.text.analysis import Analyser

PLACE = "place-"
"""place-1 chooses the first choice, whatever its label."""
# Patterns are searched in the lower-cased choice.
_WHAT = r"(?:above|these|them|those|choices?|answers?|options?)"
CUES: Mapping[str, str] = {
    "all-of-the-above": rf"^\W*(?:all|both|any)(?: of)?(?: the| these)? {_WHAT}\b",
    "none-of-the-above": rf"^\W*(?:none|neither|no)(?: of)?(?: the| these)? {_WHAT}\b",
    "absolute": r"\b(?:all|always|never|none|every|everything|only|must|completely|entirely|totally)\b",
    "negation": r"\b(?:no|not|cannot|never|neither|nor|none|without|\w+n['\u2019]t)\b",
}
"""Words by which a choice may give itself away, by rule (English)."""
WITHOUT = "no-"
INVERTED = ("absolute", "negation")
"""Cues that have a rule for avoiding them, too: no-absolute, no-negation."""

Scores = Sequence[float]


class ChoiceTexts:
    """What the rules look at in one question, each worked out once."""

    def __init__(self, question: Question, analyser: Analyser) -> None:
        self.question = question
        self._analyser = analyser

    @cached_property
    def texts(self) -> list[str]:
        """The choices without white space around them."""
        return [choice.text.strip() for choice in self.question.choices]

    @cached_property
    def lengths(self) -> list[int]:
        """Characters of each."""
        return [len(text) for text in self.texts]

    @cached_property
    def stems(self) -> list[frozenset[str]]:
        """Distinct content stems of each."""
        return [frozenset(self._analyser.content(text)) for text in self.texts]

    @cached_property
    def shared(self) -> list[int]:
        """Distinct content stems that each shares with the question."""
        asked = set(self._analyser.content(self.question.stem))
        return [len(asked & of) for of in self.stems]

    @cached_property
    def alike(self) -> list[float]:
        """Of each, the mean over the other choices of shared stems by all stems of the two (Jaccard)."""
        stems, others = self.stems, max(1, len(self.stems) - 1)
        return [
            sum(
                len(own & of) / len(own | of) for other, of in enumerate(stems) if other != place and own | of
            )
            / others
            for place, own in enumerate(stems)
        ]

    @cached_property
    def from_mean(self) -> list[float]:
        """How far each is from the mean length of all, in characters."""
        mean = sum(self.lengths) / max(1, len(self.lengths))
        return [abs(length - mean) for length in self.lengths]


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A rule: `scores` gives one number a choice, the highest is chosen, ties shared; None: it says nothing
    about this question."""

    name: str
    meaning: str
    scores: Callable[[ChoiceTexts], Scores | None]


def _cue(name: str, pattern: str, *, avoid: bool = False) -> Shortcut:
    found = re.compile(pattern)

    def scores(texts: ChoiceTexts) -> Scores | None:
        has = [found.search(text.lower()) is not None for text in texts.texts]
        if all(has) or not any(has):
            return None
        return [float(one != avoid) for one in has]

    meaning = "choices without such words" if avoid else "choices that have such words"
    return Shortcut(WITHOUT + name if avoid else name, meaning, scores)


def _place(number: int) -> Shortcut:
    def scores(texts: ChoiceTexts) -> Scores | None:
        n = len(texts.texts)
        return None if n < number else [float(place == number) for place in range(1, n + 1)]

    return Shortcut(f"{PLACE}{number}", f"choice {number}, where there are so many", scores)


_GENERAL = (
    Shortcut("longest", "the longest choice, in characters", lambda texts: texts.lengths),
    Shortcut("shortest", "the shortest choice", lambda texts: [-one for one in texts.lengths]),
    Shortcut(
        "mean-length",
        "the choice nearest to the mean length",
        lambda texts: [-one for one in texts.from_mean],
    ),
    Shortcut("overlap", "shares most stems with the question", lambda t: t.shared),
    Shortcut(
        "least-overlap",
        "shares fewest stems with the question",
        lambda texts: [-one for one in texts.shared],
    ),
    Shortcut("most-alike", "most like the others, by stems", lambda texts: texts.alike),
    Shortcut(
        "least-alike",
        "least like the others, by stems",
        lambda texts: [-one for one in texts.alike],
    ),
)


def shortcuts(cues: Mapping[str, str] | None = None) -> tuple[Shortcut, ...]:
    """The rules that hold for any number of choices; `cues` (pattern by name) adds to CUES or replaces one.

    Raises AssayError for a pattern that is empty or no regular expression, or a name that another rule has.
    """
    patterns = {**CUES, **(cues or {})}
    general = [shortcut.name for shortcut in _GENERAL]
    found = []
    for name, pattern in patterns.items():
        if name in general or name.startswith((PLACE, WITHOUT)):
            raise AssayError(f"cue {name!r}: another shortcut has this name")
        if not pattern:
            raise AssayError(f"cue {name!r}: an empty pattern is found in every choice")
        try:
            found.append(_cue(name, pattern))
        except re.error as error:
            raise AssayError(f"cue {name!r}: {pattern!r} is no regular expression: {error}") from None
    found += [_cue(name, patterns[name], avoid=True) for name in INVERTED]
    return (*_GENERAL, *found)


def places(most: int) -> tuple[Shortcut, ...]:
    """The rules place-1 to place-`most`."""
    return tuple(map(_place, range(1, most + 1)))


def shortcut(name: str, cues: Mapping[str, str] | None = None) -> Shortcut:
    """The rule called `name`. Raises AssayError, listing the rules, when there is none."""
    for one in shortcuts(cues):
        if one.name == name:
            return one
    number = name.removeprefix(PLACE)
    if name.startswith(PLACE) and number.isascii() and number.isdecimal() and int(number) >= 1:
        return _place(int(number))
    known = ", ".join([*(one.name for one in shortcuts(cues)), f"{PLACE}1, {PLACE}2, ..."])
    raise AssayError(f"no shortcut {name!r}", hint=f"one of: {known}")
