"""What `assay retrieve --method premises` says beside the file: who has premises, and what was dropped."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.evidence.premises import Premises
    from assay.pipeline.answering import Answered
    from assay.progress import Progress
    from assay.questions.model import QuestionSet


def premises_record(
    premises: Premises,
    questions: QuestionSet,
    done: Answered,
    dropped: Path | None,
    dropped_hits: int | None,
    *,
    progress: Progress,
) -> dict[str, Any]:
    """The figures, the same whether the evidence was made at once, in parts, or before; writes `dropped`."""
    from assay.evidence.premises import Premises, coverage
    from assay.evidence.premises_dropped import LISTED, write_dropped

    counts = premises.dropped
    capped = premises.capped
    listed = LISTED if dropped_hits is None else dropped_hits
    if dropped is not None or done.reused:
        # Of questions whose evidence was made before nothing was counted: they are searched again.
        again = Premises(premises.corpus, premises.asked)
        what = "what was dropped, and why" if dropped is not None else "counting what was dropped before"
        asked = questions[: done.reused] if dropped is None else tuple(questions)
        with progress.task(what, len(asked), "questions") as advance:
            if dropped is not None:
                listing = write_dropped(dropped, again, asked, listed, advance=advance)
                counts, capped = {**dict.fromkeys(counts, 0), **listing}, again.capped
            else:
                for _ in again.find(asked):
                    advance(1)
                counts = {rule: count + again.dropped[rule] for rule, count in counts.items()}
                capped += again.capped
    found = coverage(questions, done.answers)
    return {
        "dropped": counts,
        "dropped_file": None if dropped is None else str(dropped),
        "dropped_hits": None if dropped is None else listed,
        "premises": {
            "sentences": found.sentences,
            "questions_by_choices": {str(n): count for n, count in found.by_choices.items()},
            "questions_without": found.by_choices.get(0, 0),
            "questions_with_all": found.all_choices,
            "questions_with_key": found.keyed,
            "key_has_one": found.key,
            "capped_choices": capped,
        },
    }


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
