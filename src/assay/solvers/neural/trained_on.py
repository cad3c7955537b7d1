"""Which questions a reader was trained on: short digests in its folder, so that others can be told apart."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from assay.errors import AssayError
from assay.questions.duplicates import TOLD_BY, question_digest
from assay.questions.model import Question
from assay.storage import to_json

FILE = "trained-on.json"


@dataclass(frozen=True, slots=True)
class TrainedOn:
    """Digests (hex) of stem and answer, other choices aside, of the questions trained on and chosen by.

    `whole` False: it started from weights of which nothing is known.
    """

    train: frozenset[str] = frozenset()
    dev: frozenset[str] = frozenset()
    whole: bool = True

    def and_before(self, start: Path | None) -> TrainedOn:
        """With what the model folder that it starts from was trained on."""
        if start is None:
            return self
        before = read_trained_on(start)
        if before is None:
            return replace(self, whole=False)
        return TrainedOn(self.train | before.train, self.dev | before.dev, before.whole)

    def to_json(self) -> str:
        """The file's text: digests sorted, so that nothing shows the order of the questions."""
        return to_json(
            {"digest": TOLD_BY, "whole": self.whole, "train": sorted(self.train), "dev": sorted(self.dev)}
        )


def digests(questions: Iterable[Question]) -> frozenset[str]:
    """Of the questions that have a key."""
    return frozenset(question_digest(question) for question in questions if question.answer is not None)


def read_trained_on(folder: str | Path) -> TrainedOn | None:
    """The record of a model folder; None where it has none. Raises AssayError when it is damaged."""
    path = Path(folder) / FILE
    if not path.is_file():
        return None
    try:
        record = json.loads(path.read_bytes())
        return TrainedOn(frozenset(record["train"]), frozenset(record["dev"]), bool(record["whole"]))
    except (ValueError, RecursionError, KeyError, TypeError):
        raise AssayError(
            "no record of questions", file=path, hint="copy the folder again from where it is whole"
        ) from None


def seen_by(folder: str | Path, questions: Iterable[Question]) -> list[Question]:
    """The questions that the model of the folder was trained on or chosen by.

    Raises AssayError when its folder doesn't say on what it was trained.
    """
    record = read_trained_on(folder)
    if record is None or not record.whole:
        raise AssayError(
            "doesn't say which questions it was trained on"
            if record is None
            else "started from a model that doesn't say which questions it was trained on",
            file=folder,
            hint="train it anew: assay train keeps a record now",
        )
    known: Mapping[str, None] = dict.fromkeys(record.train | record.dev)
    return [question for question in questions if question_digest(question) in known]
