"""What `assay retrieve --method premises` says beside the file: who has premises, and what was dropped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def print_premises(record: Mapping[str, Any]) -> None:
    """The figures as tables and lines."""
    from assay.cli.output import print_lines, print_notes, print_table

    about, dropped = record["premises"], record["dropped"]
    total = sum(about["questions_by_choices"].values())
    print_table(
        "Questions by how many of their choices have a premise",
        {"choices": "left", "questions": "right", "percent": "right"},
        [
            [n, f"{count:,}", f"{100 * count / max(1, total):.1f}"]
            for n, count in about["questions_by_choices"].items()
        ],
        foot=f"{about['sentences']:,} premises; all choices have one for {about['questions_with_all']:,} "
        f"questions, the key for {about['key_has_one']:,} of {about['questions_with_key']:,}",
    )
    print_table(
        "Sentences dropped, by rule",
        {"rule": "left", "sentences": "right"},
        [[rule, f"{count:,}"] for rule, count in dropped.items()],
    )
    if record["dropped_file"] is not None:
        print_lines([f"Each of them, and why, in {record['dropped_file']}"])
    without, capped = about["questions_without"], about["capped_choices"]
    if without:
        print_notes([f"{without:,} questions have no premise for any choice: their evidence is empty"])
    if capped:
        print_notes(
            [f"for {capped:,} choices the filter left fewer than k, and `fetched` kept it from further hits"]
        )
