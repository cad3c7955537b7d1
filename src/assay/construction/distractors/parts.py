"""Questions in parts that share no source fact, so that what is trained on one part can attack another."""

from __future__ import annotations

from collections.abc import Sequence

from assay.construction.distractors.pool import PARTS, drawn
from assay.construction.distractors.similarity import fact_names
from assay.construction.linked import linked
from assay.errors import AssayError
from assay.questions.model import Question


def parts_by_fact(questions: Sequence[Question], parts: int, seed: int) -> list[int]:
    """The part, from 0, of each question: questions that share a fact, directly or through others, together.

    A question without facts is a group of its own. Groups go, the largest first, to the smallest part.
    Raises AssayError when there are fewer groups than parts, or fewer than 2 parts are asked for.
    """
    if parts < 2:
        raise AssayError(
            f"at least 2 parts are due, so that each can be attacked from the others. Got {parts}."
        )
    groups = linked([fact_names(question) for question in questions])
    if len(groups) < parts:
        raise AssayError(
            f"{len(groups):,} groups of questions that share facts can't make {parts} parts",
            hint="ask for fewer parts",
        )
    names = [min(questions[place].id for place in group) for group in groups]
    order = sorted(
        range(len(groups)), key=lambda number: (-len(groups[number]), drawn(seed, PARTS, names[number]))
    )
    sizes, part_of = [0] * parts, [0] * len(questions)
    for number in order:
        part = sizes.index(min(sizes))
        sizes[part] += len(groups[number])
        for place in groups[number]:
            part_of[place] = part
    return part_of
