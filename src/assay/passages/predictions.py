"""Predicted spans as the official scripts take them: one JSON object, question id to text."""

from __future__ import annotations

from collections.abc import Sequence

from assay.compression import DamagedStream
from assay.errors import AssayError, Fault, FaultyInput
from assay.passages.passage import PassageQuestion
from assay.questions.records import BadJson, parse_json
from assay.questions.sources import open_source


def read_spans(path: str, questions: Sequence[PassageQuestion]) -> dict[str, str]:
    """The predictions of the file; a question without one is for the caller to count.

    Raises AssayError when it isn't one JSON object, and FaultyInput, every fault listed, for an id that none
    of the questions has, or a prediction that is no text.
    """
    with open_source(path) as source:
        try:
            found = parse_json(source.open().read().decode("utf-8-sig"))
        except (BadJson, UnicodeDecodeError, DamagedStream) as error:
            raise AssayError(f"no JSON object of predictions: {error}", file=path) from None
    if not isinstance(found, dict):
        raise AssayError("predictions must be one JSON object, question id to text", file=path)
    known = {one.id for one in questions}
    faults = [
        Fault("none of the questions has this id", path, None, question_id)
        if question_id not in known
        else Fault("the prediction must be a text", path, None, question_id)
        for question_id, text in found.items()
        if question_id not in known or not isinstance(text, str)
    ]
    if faults:
        raise FaultyInput(faults)
    return found
