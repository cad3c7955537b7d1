"""Sentence filters: which retrieved sentences are fit to be evidence, and why the others aren't.

The rules are those of the ARC and QASC baselines, in their order: too long, negated, duplicate, not clean.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from assay.corpus.model import Corpus

Rule = Literal["long", "negation", "duplicate", "unclean"]
RULES: tuple[Rule, ...] = ("long", "negation", "duplicate", "unclean")
MAX_CHARACTERS = 300

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Verdicts = npt.NDArray[np.int8]

_NEGATION = re.compile(r"\b(?:not|except)\b|n['\u2019]t\b", re.IGNORECASE)
_URL = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_NOT_IN_KEY = re.compile(r"[^\w.\-^;&%]|_")
_OPENING = re.compile(r"[^\W_]")
_UNEXPECTED = re.compile(r"[^\w;:,()%\-&.'\"\s]|_")
_SECOND_SENTENCE = re.compile(r"\D\. \D")
_SPACED_HYPHEN = re.compile(r"\s-\s")

SEEN, LONG, NEGATED, UNCLEAN = 1, 2, 4, 8
KEPT, NOT_REACHED = -1, -2


@dataclass(frozen=True, slots=True)
class FilterRules:
    """Which rules are in force. `max_characters`: longer sentences are dropped; None: none is too long."""

    max_characters: int | None = MAX_CHARACTERS
    negation: bool = True
    duplicates: bool = True
    clean: bool = True

    def reason(self, text: str) -> str | None:
        """Why the sentence is dropped, in words; None: it is kept, unless it is the copy of a better one."""
        if self.max_characters is not None and len(text) > self.max_characters:
            return f"{len(text)} characters, over {self.max_characters}"
        if self.negation and (found := _NEGATION.search(text)):
            return f"negation: {found.group()!r}"
        return unclean(text) if self.clean else None


def unclean(text: str) -> str | None:
    """What makes a sentence not clean, in words, or None.

    Clean: the first character is a letter or digit; then letters, digits, ; : , ( ) % - & . ' " and white
    space alone; no second sentence (a full stop, a space, and no digits around them); no spaced hyphen.
    """
    if not _OPENING.match(text):
        return f"begins with {text[0]!r}" if text else "empty"
    if found := _UNEXPECTED.search(text):
        return f"holds {found.group()!r}"
    if found := _SECOND_SENTENCE.search(text):
        return f"a second sentence begins after {text[: found.start() + 1][-20:]!r}"
    return "a hyphen between spaces" if _SPACED_HYPHEN.search(text) else None


def duplicate_key(text: str) -> str:
    """What duplicates share: letters, digits and . - ^ ; & %, without URLs and last full stops."""
    return _NOT_IN_KEY.sub("", _URL.sub("", text)).rstrip(".")


class SentenceFilter:
    """The rules over a corpus's sentences, each of them judged once and remembered."""

    def __init__(self, corpus: Corpus, rules: FilterRules | None = None) -> None:
        """Rules: all of them, unless given."""
        self.rules = rules or FilterRules()
        self._texts = corpus.texts
        # One byte a sentence, and eight where duplicates are looked for: pages nobody touches take no memory.
        self._judged = np.zeros(len(corpus), np.uint8)
        self._keys = np.zeros(len(corpus) if self.rules.duplicates else 0, np.int64)

    def judge(self, ids: Ints, lists: Ints, wanted: int) -> Verdicts:
        """What becomes of each hit: int8, shape (h,): KEPT, NOT_REACHED, or the number of the rule in RULES.

        `ids`: sentences, several lists end to end, each best first; `lists`: the number of each hit's list,
        rising. Of duplicates in a list the first stays that no other rule drops. The best `wanted` of each
        list are kept; what stands after the last of them isn't reached.
        """
        marks = self._marks(ids)
        verdicts = np.full(len(ids), KEPT, np.int8)
        verdicts[(marks & NEGATED) != 0] = RULES.index("negation")
        verdicts[(marks & LONG) != 0] = RULES.index("long")
        copies = self._copies(ids, lists, verdicts == KEPT, (marks & UNCLEAN) == 0)
        verdicts[copies] = RULES.index("duplicate")
        verdicts[(verdicts == KEPT) & ((marks & UNCLEAN) != 0)] = RULES.index("unclean")
        kept = verdicts == KEPT
        verdicts[_kept_before(kept, lists) >= wanted] = NOT_REACHED
        return verdicts

    def key(self, sentence: int) -> int:
        """A number that duplicates share; where duplicates are no matter, the sentence itself."""
        if not self.rules.duplicates:
            return sentence
        if not self._judged[sentence]:
            self._judge(sentence)
        return int(self._keys[sentence])

    def _copies(self, ids: Ints, lists: Ints, left: Mask, clean: Mask) -> Mask:
        """Which of what is `left` repeats one that stands before it in its list and is clean."""
        copies = np.zeros(len(ids), np.bool_)
        if self.rules.duplicates and len(ids):
            at = np.flatnonzero(left)
            keys = self._keys[ids[at]]
            # Stable: of equal keys in one list the first comes first.
            order = np.lexsort((keys, lists[at]))
            new = np.ones(len(order), np.bool_)
            new[1:] = (keys[order][1:] != keys[order][:-1]) | (lists[at][order][1:] != lists[at][order][:-1])
            if len(order):
                copies[at[order[_kept_before(clean[at][order], np.cumsum(new)) > 0]]] = True
        return copies

    def _marks(self, ids: Ints) -> npt.NDArray[np.uint8]:
        new = np.unique(ids[self._judged[ids] == 0])
        for sentence in new.tolist():
            self._judge(sentence)
        marks: npt.NDArray[np.uint8] = self._judged[ids]
        return marks

    def _judge(self, sentence: int) -> None:
        text, rules = self._texts[sentence], self.rules
        marks = SEEN
        if rules.max_characters is not None and len(text) > rules.max_characters:
            marks |= LONG
        if rules.negation and _NEGATION.search(text):
            marks |= NEGATED
        if rules.clean and unclean(text) is not None:
            marks |= UNCLEAN
        if rules.duplicates:
            digest = hashlib.blake2b(duplicate_key(text).encode("utf-8", "surrogatepass"), digest_size=8)
            self._keys[sentence] = int.from_bytes(digest.digest(), "little", signed=True)
        self._judged[sentence] = marks


def _kept_before(kept: Mask, lists: Ints) -> Ints:
    total: Ints = np.cumsum(kept) - kept
    new = np.ones(len(lists), np.bool_)
    new[1:] = lists[1:] != lists[:-1]
    starts = np.flatnonzero(new)
    before: Ints = total - np.repeat(total[starts], np.diff(np.append(starts, len(lists))))
    return before
