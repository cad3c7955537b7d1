"""WorldTree's explanations: one JSON object of questions by id, with sentence ids and roles.

The file's choices and labels aren't read: of questions with five choices, or with digits for labels, they are
damaged. Questions come from ARC, by id.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.errors import AssayError, Fault, FaultyInput
from assay.questions.explanations.explanation import Explanation, Explanations, Fact


def worldtree(
    record: Mapping[str, Any], file: str, sentences: Mapping[str, str] | None, sentence_file: str | None
) -> Explanations:
    """The explanations in a WorldTree file's object; those without facts (its test questions) are counted.

    A sentence id without a text is left out, and counted. Raises FaultyInput for every record that isn't one
    of WorldTree, AssayError where no texts are given, or for none of the ids.
    """
    if sentences is None:
        raise AssayError(
            "explanations by sentence id: their texts are in a file of their own",
            file=file,
            hint="--sentences FILE, or sentences = FILE: one JSON object of texts by id",
        )
    faults: list[Fault] = []
    made, unexplained, unknown = [], 0, 0
    for question_id, entry in record.items():
        what = _fault(question_id, entry)
        if what is not None:
            faults.append(Fault(what, file, None, question_id))
            continue
        cited = entry.get("explanation") or {}
        facts = tuple(Fact(sentences[one], role, one) for one, role in cited.items() if one in sentences)
        unknown += len(cited) - len(facts)
        unexplained += not cited
        if facts:
            answer = str(entry.get("answer") or "")
            made.append(Explanation(question_id, entry["question"], answer, facts, file=file))
    if faults:
        raise FaultyInput(faults)
    if unknown and not made:
        raise AssayError("has none of the sentences that the explanations cite", file=sentence_file)
    notes = []
    if unexplained:
        notes.append(f"{file}: {unexplained:,} of {len(record):,} questions have no explanation")
    if unknown:
        notes.append(
            f"{file}: {unknown:,} facts left out, whose sentence ids have no text in {sentence_file}"
        )
    return Explanations(tuple(made), tuple(notes))


def is_worldtree(record: object) -> bool:
    """Whether a JSON value looks like WorldTree's: an object of objects with a question."""
    return (
        isinstance(record, dict)
        and bool(record)
        and any(isinstance(entry, dict) and "question" in entry for entry in record.values())
    )


def _fault(question_id: str, entry: object) -> str | None:
    if not isinstance(entry, dict):
        return "not an object with a question and its explanation"
    if entry.get("id", question_id) != question_id:
        return f"its record has another id, {entry['id']!r}"
    if not isinstance(entry.get("question"), str):
        return "no question"
    cited = entry.get("explanation")
    if cited is None:
        return None
    if not isinstance(cited, dict) or not all(isinstance(role, str) for role in cited.values()):
        return "its explanation is no object of roles by sentence id"
    return None


def sentence_texts(record: object, file: str) -> dict[str, str]:
    """Texts by sentence id. Raises AssayError for any other JSON value, naming the id."""
    if not isinstance(record, dict) or not record:
        raise AssayError("not one JSON object of texts by sentence id", file=file)
    for sentence_id, text in record.items():
        if not isinstance(text, str) or not text.strip():
            raise AssayError(f"sentence {sentence_id!r} has no text", file=file)
    return record
