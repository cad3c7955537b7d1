"""The table of recall, as `assay retrieve` and `assay recall` print it."""

from __future__ import annotations

from collections.abc import Mapping

from assay.cli.output import print_table
from assay.cli.score_tables import ends, percent
from assay.scoring.recall import Recall


def print_recall(found: Mapping[str, Recall] | Mapping[None, Recall]) -> None:
    """One row for each method and k; without a column of methods where there is one that has no name."""
    one = next(iter(found.values()))
    level = f"{100 * one.rows[0].both.confidence:g}% interval"
    named = None not in found
    columns = {"method": "left"} if named else {}
    columns |= {"k": "right", "both": "right", level: "right", "either": "right", f"{level} ": "right"}
    rows = [
        [
            *([str(name)] if named else []),
            f"{row.k}",
            percent(row.both.mean),
            ends(row.both.low, row.both.high),
            percent(row.either.mean),
            ends(row.either.low, row.either.high),
        ]
        for name, recall in found.items()
        for row in recall.rows
    ]
    clusters = one.rows[0].both.clusters
    foot = f"{len(one.questions):,} questions"
    foot += "" if clusters is None else f" in {clusters:,} clusters"
    foot += f"; left out: {one.without_facts:,} without two facts, {one.without_key:,} without a key"
    print_table(
        "Recall of the gold facts among the key's best k sentences, percent", columns, rows, foot=foot
    )
