"""Tables that `assay split` and `assay leaks` share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.cli.output import print_table

if TYPE_CHECKING:
    from assay.construction.folds.balance import Balance


def print_balance(lying: Sequence[Balance], folds: Sequence[str]) -> None:
    """How columns lie over the folds."""
    rows = [
        [each.column, f"{len(each.counts):,}"]
        + [
            f"{100 * far:.2f} / {100 * most:.2f}"
            for far, most in zip(each.distance, each.farthest, strict=True)
        ]
        for each in lying
    ]
    title = "Balance: distance from all questions' shares, and the value farthest off, in points"
    print_table(title, {"column": "left", "values": "right"} | dict.fromkeys(folds, "right"), rows)
