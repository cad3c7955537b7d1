"""What there is to say beside a file of premises: who has some, and what was dropped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assay.evidence.premises import Premises, coverage
from assay.evidence.premises_dropped import LISTED, write_dropped
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
