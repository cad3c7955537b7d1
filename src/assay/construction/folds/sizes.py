"""How large the folds are to be: shares or counts, and how far from them a fold may end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.errors import AssayError
from assay.settings import exact_number

DEFAULT = "train=78,dev=11,test=11"
"""The shares of QASC (Khot et al. 2020, appendix B)."""
SLACK = Fraction(1)
"""In percent of all questions, the paper's."""
_FORM = "write NAME=SIZE,NAME=SIZE: shares that sum to 100, or numbers of questions that sum to them all"


@dataclass(frozen=True, slots=True)
class FoldSizes:
    """Names of the folds; the questions each is to hold, and the fewest and most it may (whole numbers)."""

    names: tuple[str, ...]
    targets: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]

    @property
    def total(self) -> int:
        """All questions."""
        return sum(self.targets)

    def allow(self, sizes: Sequence[int]) -> bool:
        """Whether every size lies within its range."""
        return all(low <= size <= high for low, size, high in zip(self.low, sizes, self.high, strict=True))

    def said(self) -> str:
        """The ranges as a message shows them."""
        ranges = zip(self.names, self.low, self.high, strict=True)
        return ", ".join(
            f"{name} {low:,}" if low == high else f"{name} {low:,} to {high:,}" for name, low, high in ranges
        )


def fold_sizes(wanted: str, total: int, slack: Fraction | None = None) -> FoldSizes:
    """The sizes that `wanted` ("train=78,dev=11,test=11") asks for among `total` questions.

    Sizes that sum to 100 are percent, of 100 questions too; that sum to `total`, numbers of questions.
    `slack`: percent of all questions that a fold may be off; None: SLACK for shares, 0 for numbers.
    Raises AssayError for another form, a name given twice, sizes that sum to neither, or a fold left empty.
    """
    names, given = _parsed(wanted)
    said = sum(given, Fraction(0))
    if said not in (total, 100):
        raise AssayError(
            f"the folds' sizes {wanted!r} sum to {_plain(said)}: neither to 100 (shares in percent) nor to "
            f"{total:,} (all questions)",
            hint="change one of them",
        )
    counted = said != 100
    exact = [size if counted else size * total / 100 for size in given]
    if counted and any(size.denominator != 1 for size in given):
        raise AssayError(f"{wanted!r} gives numbers of questions that are no whole numbers", hint=_FORM)
    if slack is None:
        slack = Fraction(0) if counted else SLACK
    if not 0 <= slack < 100:
        raise AssayError(f"the slack is a percentage of all questions from 0 to 100, got {_plain(slack)}")
    targets = _rounded(exact, total)
    off = slack * total / 100
    # A target is rounded to whole questions: with no slack it is the only size left.
    low = [min(math.ceil(size - off), target) for size, target in zip(exact, targets, strict=True)]
    high = [max(math.floor(size + off), target) for size, target in zip(exact, targets, strict=True)]
    for name, most in zip(names, high, strict=True):
        if most < 1:
            raise AssayError(
                f"fold {name} would hold none of the {total:,} questions",
                hint="make its share larger, or leave it out",
            )
    return FoldSizes(names, tuple(targets), tuple(max(1, size) for size in low), tuple(high))


def _parsed(wanted: str) -> tuple[tuple[str, ...], list[Fraction]]:
    sizes: dict[str, Fraction] = {}
    for part in wanted.split(","):
        name, equals, size = (piece.strip() for piece in part.partition("="))
        if not equals or not name:
            raise AssayError(f"{part.strip()!r} is no fold with its size", hint=_FORM)
        if name in (".", "..") or set(name) & set('/\\:*?"<>|\0') or name.startswith("."):
            raise AssayError(f"{name!r} can't be the name of a file, so it can't be a fold's", hint=_FORM)
        if name in sizes:
            raise AssayError(f"fold {name} is given twice in {wanted!r}")
        try:
            sizes[name] = exact_number(size.removesuffix("%"))
        except ValueError:
            raise AssayError(f"the size of fold {name} must be a number. Got {size!r}.", hint=_FORM) from None
        if sizes[name] <= 0:
            raise AssayError(f"the size of fold {name} must be more than 0. Got {size}.")
    if len(sizes) < 2:
        raise AssayError("a split needs at least two folds", hint=_FORM)
    return tuple(sizes), list(sizes.values())


def _rounded(exact: Sequence[Fraction], total: int) -> list[int]:
    """Whole numbers that sum to `total`: the largest remainders are rounded up, the first of equal ones."""
    whole = [math.floor(size) for size in exact]
    order = sorted(range(len(exact)), key=lambda fold: (whole[fold] - exact[fold], fold))
    for fold in order[: total - sum(whole)]:
        whole[fold] += 1
    return whole


def _plain(number: Fraction) -> str:
    return f"{float(number):,g}"
