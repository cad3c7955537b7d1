"""n-grams of terms: unigrams, bigrams, trigrams, and skip-bigrams (one word skipped)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from assay.errors import AssayError
from assay.evidence.compiled import compiled
from assay.text.analysis import is_stop, surface

Kind = Literal["unigram", "bigram", "trigram", "skip-bigram"]
KINDS: tuple[Kind, ...] = get_args(Kind)

WILDCARD = "_"
"""Stands for any one token in an n-gram; no analyser makes a term of it."""

TERM_BITS = 21
FIRST_TERM = 2
ANY_TERM = 1
"""A code holds three term numbers of TERM_BITS bits, the first word's highest; 0: none."""
MOST_TERMS = (1 << TERM_BITS) - FIRST_TERM


@dataclass(frozen=True)
class Ngrams:
    """Distinct n-grams, numbered from 0.

    `terms[i]` has the number i + FIRST_TERM in the codes; `codes`: uint64, shape (n,).
    """

    terms: tuple[str, ...]
    codes: npt.NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.codes)

    def texts(self, ngrams: npt.NDArray[np.int32]) -> list[str]:
        """n-grams as a person reads them: "light _ plant"."""
        shown = ["", WILDCARD, *map(surface, self.terms)]
        codes = self.codes[ngrams]
        mask = np.uint64((1 << TERM_BITS) - 1)
        numbers = (codes >> np.uint64(2 * TERM_BITS), codes >> np.uint64(TERM_BITS) & mask, codes & mask)
        return [
            f"{shown[a]} {shown[b]} {shown[c]}".rstrip(" ")
            for a, b, c in zip(*(part.tolist() for part in numbers), strict=True)
        ]


@dataclass(frozen=True)
class Groups:
    """Groups of n-grams, each group's distinct. Group g is `members[starts[g]:starts[g + 1]]`.

    `members`: int32 numbers of n-grams, in order of first appearance; `starts`: int64, shape (groups + 1,).
    """

    ngrams: Ngrams
    members: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def of(self, group: int) -> npt.NDArray[np.int32]:
        """The n-grams of one group."""
        return self.members[self.starts[group] : self.starts[group + 1]]


def ngrams_of_texts(texts: Iterable[Sequence[str]], kinds: Collection[Kind] = KINDS) -> Groups:
    """The distinct n-grams of each text, given as its stream of all terms; one group a text.

    Stop words may not start or end an n-gram; a trigram's middle word, and the word a skip-bigram skips,
    may be one (ARC, section 3.2, and the PMI solver of ARC-Solvers).
    Raises AssayError for an unknown kind, or when one call holds over MOST_TERMS distinct terms.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise AssayError(f"n-gram kind must be one of {', '.join(KINDS)}. Got {kind!r}")
    numbers = _Numbers()
    flat: list[int] = []
    starts = [0]
    for terms in texts:
        flat.extend(map(numbers.__getitem__, terms))
        starts.append(len(flat))
    _check_size(numbers)
    stop = np.array([False] * FIRST_TERM + [is_stop(term) for term in numbers], dtype=np.bool_)
    codes, members, member_starts = _extract(
        np.array(flat, dtype=np.uint64),
        np.array(starts, dtype=np.int64),
        stop,
        np.array([kind in kinds for kind in KINDS]),
    )
    return Groups(Ngrams(tuple(numbers), codes), members, member_starts)


def ngrams_of_parts(ngrams: Iterable[Sequence[str]]) -> tuple[Ngrams, npt.NDArray[np.int32]]:
    """n-grams from their parts, 1 to 3 terms each, the middle one of three possibly WILDCARD.

    Returns the distinct n-grams and the number of each one given. Stop words may stand anywhere.
    Raises AssayError for any other shape.
    """
    terms = _Numbers()
    known: dict[int, int] = {}
    given: list[int] = []
    for parts in ngrams:
        if not 1 <= len(parts) <= 3 or WILDCARD in (parts[0], parts[-1]):
            raise AssayError(
                f"an n-gram must be 1 to 3 terms, {WILDCARD!r} only between two. Got {' '.join(parts)!r}"
            )
        code = 0
        for part in [*parts, None, None][:3]:
            number = 0 if part is None else ANY_TERM if part == WILDCARD else terms[part]
            code = code << TERM_BITS | number
        given.append(known.setdefault(code, len(known)))
    _check_size(terms)
    return Ngrams(tuple(terms), np.array(list(known), dtype=np.uint64)), np.array(given, dtype=np.int32)


class _Numbers(dict[str, int]):
    """Terms to their numbers, the next one to a term that is new."""

    def __missing__(self, term: str) -> int:
        number = self[term] = len(self) + FIRST_TERM
        return number


def _check_size(numbers: dict[str, int]) -> None:
    if len(numbers) > MOST_TERMS:
        raise AssayError(
            f"{len(numbers):,} distinct terms at once, {MOST_TERMS:,} is the most", hint="use smaller batches"
        )


@compiled
def _extract(
    tokens: npt.NDArray[np.uint64],
    starts: npt.NDArray[np.int64],
    stop: npt.NDArray[np.bool_],
    kinds: npt.NDArray[np.bool_],
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    size = 16
    while size < 8 * tokens.size:
        size *= 2
    keys = np.zeros(size, np.uint64)
    values = np.empty(size, np.int32)
    mask = np.uint64(size - 1)
    codes = np.empty(4 * tokens.size, np.uint64)
    members = np.empty(4 * tokens.size, np.int32)
    member_starts = np.zeros(starts.size, np.int64)
    last_group = np.full(4 * tokens.size, -1, np.int32)
    one, two = np.uint64(TERM_BITS), np.uint64(2 * TERM_BITS)
    distinct = filled = 0
    for group in range(starts.size - 1):
        end = starts[group + 1]
        for i in range(starts[group], end):
            if stop[tokens[i]]:
                continue
            for kind in range(4):
                last = i + (kind if kind < 3 else 2)
                if not kinds[kind] or last >= end or stop[tokens[last]]:
                    continue
                code = tokens[i] << two
                if kind == 1:
                    code |= tokens[last] << one
                elif kind == 2:
                    code |= tokens[i + 1] << one | tokens[last]
                elif kind == 3:
                    code |= np.uint64(ANY_TERM) << one | tokens[last]
                slot = (code * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20) & mask
                while keys[slot] != 0 and keys[slot] != code:
                    slot = (slot + np.uint64(1)) & mask
                if keys[slot] == 0:
                    keys[slot] = code
                    values[slot] = distinct
                    codes[distinct] = code
                    distinct += 1
                ngram = values[slot]
                if last_group[ngram] != group:
                    last_group[ngram] = group
                    members[filled] = ngram
                    filled += 1
        member_starts[group + 1] = filled
    return codes[:distinct].copy(), members[:filled].copy(), member_starts
