"""Questions as the Hugging Face hub has them (allenai/ai2_arc, allenai/qasc), as JSON lines and as Parquet.

Flat records: "question" (or "question_stem") is the stem, "choices" {"text": [...], "label": [...]}, facts
and other fields beside them; an empty "answerKey" is a hidden one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import IO, Any

from assay.questions.formats.fields import (
    FACTS,
    FORMATTED,
    answer_key,
    choices_of,
    facts_of,
    facts_record,
    formatted,
    lost_of,
    record_id,
    text_of,
    without_formatted,
)
from assay.questions.formats.format import Format, Head, Log, Record, each_record
from assay.questions.formats.writers import write_json_lines
from assay.questions.model import Origin, Question

_STEMS = ("question_stem", "question")
_KNOWN = {"id", "choices", "answerKey", *_STEMS, *FACTS}
ROW_GROUP = 10_000


def is_flat(record: Record) -> bool:
    """Whether a record has the hub's shape: lists of texts and of labels under "choices"."""
    choices = record.get("choices")
    if not isinstance(choices, Mapping) or not any(name in record for name in _STEMS):
        return False
    return isinstance(choices.get("text"), list) or isinstance(choices.get("label"), list)


def flat_question(record: Record, line: int, log: Log) -> Question | None:
    """A question of the hub's shape."""
    question_id = record_id(record.get("id"), line, log)
    choices = choices_of(record.get("choices"), line, question_id, log)
    if choices is None:
        return None
    stem = next((record[name] for name in _STEMS if name in record), None)
    question = Question(
        id=question_id,
        stem=text_of(stem, "stem", line, question_id, log),
        choices=choices,
        answer=answer_key(record.get("answerKey"), line, question_id, log),
        facts=facts_of(record, line, question_id, log),
        origin=Origin(log.file or "", line),
    )
    metadata = {key: value for key, value in record.items() if key not in _KNOWN}
    return replace(question, metadata=without_formatted(question, metadata))


def _record(question: Question) -> dict[str, Any]:
    return {
        "id": question.id,
        "question": question.stem,
        "choices": {"text": [c.text for c in question.choices], "label": list(question.labels)},
        "answerKey": question.answer or "",
        **facts_record(question.facts),
    }


def _write_lines(questions: Iterable[Question], file: IO[bytes]) -> None:
    write_json_lines(map(_record, questions), file)


def _write_parquet(questions: Iterable[Question], file: IO[bytes]) -> None:
    """All rows are held (as Arrow has them) until it is known whether any question has facts."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    text = pa.string()
    choices = pa.struct([("text", pa.list_(text)), ("label", pa.list_(text))])
    plain = [("id", text), ("question", text), ("choices", choices), ("answerKey", text)]
    whole = pa.schema([*plain, *((name, text) for name in (*FACTS, FORMATTED))])
    batches, held, any_facts = [], [], False
    for question in questions:
        any_facts = any_facts or question.facts is not None
        held.append({**_record(question), FORMATTED: formatted(question)})
        if len(held) == ROW_GROUP:
            batches.append(pa.RecordBatch.from_pylist(held, whole))
            held = []
    batches.append(pa.RecordBatch.from_pylist(held, whole))
    table = pa.Table.from_batches(batches, whole)
    if not any_facts:
        table = table.select([name for name, _ in plain])
    pq.write_table(table, file, row_group_size=ROW_GROUP)


def _recognises_lines(head: Head) -> bool:
    return head.kind != "parquet" and any(is_flat(record) for record in head.records)


def _recognises_parquet(head: Head) -> bool:
    return head.kind == "parquet" and any(is_flat(record) for record in head.records)


def _lost(question: Question) -> list[str]:
    return lost_of(question, facts=True)


_read = each_record(flat_question)
HF_JSONL = Format(
    "hf-jsonl",
    "Hugging Face, JSON lines",
    "jsonl",
    _recognises_lines,
    _read,
    _write_lines,
    _lost,
)
HF_PARQUET = Format(
    "hf-parquet",
    "Hugging Face, Parquet",
    "parquet",
    _recognises_parquet,
    _read,
    _write_parquet,
    _lost,
)
