"""Plain tables: a question a row, choices in columns of their own (csv, tsv) or in a list (JSON, Parquet)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice, zip_longest
from typing import IO, Any

from assay.errors import AssayError
from assay.questions.formats.answer_readings import NAMES, Inference, answer_text, read_answer
from assay.questions.formats.columns import Plan, default_labels, plan_columns
from assay.questions.formats.containers import HEAD_LINES
from assay.questions.formats.fields import (
    choices_of,
    facts_of,
    facts_record,
    letter,
    lost_of,
    opaque,
    record_id,
    text_of,
    turned_to_text,
)
from assay.questions.formats.format import AnswerReading, Format, Head, Kind, Log, Record, Rows, Settings
from assay.questions.formats.place import id_by_position
from assay.questions.formats.writers import write_csv_rows, write_json_lines
from assay.questions.model import Choice, Origin, Question
from assay.questions.records import BadJson, parse_json


def _read(rows: Rows, settings: Settings, log: Log) -> Iterator[Question]:
    log.silent = True
    columns = tuple(dict.fromkeys(str(key) for _, record in islice(rows(), HEAD_LINES) for key in record))
    log.silent = False
    if not columns:
        # Whatever keeps it from having a row is said by a pass that isn't silent.
        for _ in rows():
            pass
        return
    plan = plan_columns(columns, settings.columns)
    if plan is None:
        found = ", ".join(map(str, columns[:50]))
        log.fault(f"no columns for stem and choices among: {found}", 1)
        return
    for name in plan.leaves_out(columns):
        log.note(f"column {name} is left out")
    if plan.id is None:
        log.note("no id column: ids are made from the file's name and the position")
    reading = settings.answers or _inferred(rows, plan, settings, log)
    for position, (line, record) in enumerate(rows(), 1):
        question = _question(record, line, position, plan, settings, reading, log)
        if question is not None:
            yield question


def _inferred(rows: Rows, plan: Plan, settings: Settings, log: Log) -> AnswerReading | None:
    if plan.answer is None:
        log.note("no answer column: the questions have no keys")
        return None
    inference = Inference()
    log.silent = True
    for line, record in rows():
        choices = _choices(record, line, "", plan, settings, log)
        if choices:
            inference.see(record.get(plan.answer), choices)
    log.silent = False
    return inference.decide(log)


def _question(
    record: Record,
    line: int,
    position: int,
    plan: Plan,
    settings: Settings,
    reading: AnswerReading | None,
    log: Log,
) -> Question | None:
    if plan.id is None:
        question_id = id_by_position(log.file, position)
    else:
        question_id = record_id(record.get(plan.id), line, log)
    choices = _choices(record, line, question_id, plan, settings, log)
    if choices is None:
        return None
    answer = None
    value = None if plan.answer is None else record.get(plan.answer)
    if reading is not None and answer_text(value):
        answer = read_answer(value, choices, reading)
        if answer is None:
            answer = _misread(value, choices, reading, line, question_id, log)
    return Question(
        id=question_id,
        stem=text_of(record.get(plan.stem), "stem", line, question_id, log),
        choices=choices,
        answer=answer,
        facts=facts_of({name: record.get(name) for name in plan.facts}, line, question_id, log),
        metadata={name: value for name, value in record.items() if value != "" and plan.keeps(name)},
        origin=Origin(log.file or "", line),
    )


def _misread(
    value: Any, choices: tuple[Choice, ...], reading: AnswerReading, line: int, question_id: str, log: Log
) -> str | None:
    text = answer_text(value)
    if reading == "label":
        return text
    log.fault(
        f"answer key {text} is not one of the {NAMES[reading]} of {len(choices)} choices", line, question_id
    )
    return choices[0].label if choices else None


def _choices(
    record: Record, line: int, question_id: str, plan: Plan, settings: Settings, log: Log
) -> tuple[Choice, ...] | None:
    if plan.listed:
        return _listed(record, line, question_id, plan, settings, log)
    labelled = bool(plan.labels)
    names: list[Any] = (
        [record.get(name) for name in plan.labels] if labelled else default_labels(plan.choices)
    )
    choices = []
    for name, column in zip_longest(names, plan.choices):
        text = text_of(record.get(column), f"choice {column}", line, question_id, log)
        label = opaque(name, "label of a choice", line, question_id, log)
        blank = not text.strip() or (not labelled and text.strip().casefold() == "nan")
        if blank and ((labelled and not label) or settings.drop_empty):
            if not labelled:
                log.count("blank choice cell left out")
            continue
        choices.append(Choice(label, "" if blank else text))
    return tuple(choices)


def _listed(
    record: Record, line: int, question_id: str, plan: Plan, settings: Settings, log: Log
) -> tuple[Choice, ...] | None:
    value = record.get(plan.choices[0])
    if isinstance(value, str) and settings.fewest_choices == 1 and not value.lstrip().startswith("["):
        # The correct answer alone, as a table without distractors has it.
        value = [value]
    elif isinstance(value, str):
        try:
            value = parse_json(value)
        except BadJson as error:
            log.fault(f"choices in one cell must be a JSON list: {error}", line, question_id)
            return None
    choices = choices_of(value, line, question_id, log)
    labels = record.get(plan.labels[0]) if plan.labels else None
    if choices is None or labels is None:
        return choices
    if not isinstance(labels, list) or len(labels) != len(choices):
        log.fault("labels are not a list as long as the choices", line, question_id)
        return None
    return tuple(
        Choice(opaque(label, "label of a choice", line, question_id, log), choice.text)
        for label, choice in zip(labels, choices, strict=True)
    )


def _rows_of(questions: Iterable[Question]) -> Iterator[list[str]]:
    """Header and cells. Labels have columns of their own unless all are A, B, ... and as many in each row."""
    held = list(questions)
    width = max((len(question.choices) for question in held), default=2)
    usual = tuple(letter(place) for place in range(width))
    nan = any(choice.text.strip().casefold() == "nan" for question in held for choice in question.choices)
    labelled = nan or any(question.labels != usual for question in held)
    facts = sorted({name for question in held for name in facts_record(question.facts)})
    metadata = list(dict.fromkeys(name for question in held for name in question.metadata))
    numbers = [str(place + 1) for place in range(width)]
    header = ["id", "question", *(f"choice_{number}" for number in numbers)]
    header += [f"label_{number}" for number in numbers] if labelled else []
    header += ["answer", *facts, *metadata]
    if len(set(header)) < len(header) or plan_columns(header) is None:
        raise AssayError(f"a metadata column has a name that the table needs: {', '.join(metadata)}")
    yield header
    for question in held:
        blank = [""] * (width - len(question.choices))
        row = [question.id, question.stem, *(choice.text for choice in question.choices), *blank]
        row += [*question.labels, *blank] if labelled else []
        known = facts_record(question.facts)
        row += [question.answer or "", *(known.get(name, "") for name in facts)]
        yield row + [_cell(question.metadata.get(name)) for name in metadata]


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _write_csv(questions: Iterable[Question], file: IO[bytes]) -> None:
    write_csv_rows(_rows_of(questions), file)


def _write_tsv(questions: Iterable[Question], file: IO[bytes]) -> None:
    for row in _rows_of(questions):
        if any(mark in cell for cell in row for mark in "\t\n\r"):
            raise AssayError(
                "a tab-separated table can't hold a tab or a line end in a cell", question_id=row[0]
            )
        file.write("\t".join(row).encode("utf-8", errors="backslashreplace") + b"\n")


def _flat_record(question: Question) -> dict[str, Any]:
    record = {"id": question.id, "question": question.stem, "choices": [c.text for c in question.choices]}
    usual = question.labels == tuple(letter(place) for place in range(len(question.choices)))
    record |= {} if usual else {"labels": list(question.labels)}
    record |= {} if question.answer is None else {"answer": question.answer}
    return record | facts_record(question.facts)


def _write_flat(questions: Iterable[Question], file: IO[bytes]) -> None:
    write_json_lines(map(_flat_record, questions), file)


def _recognises(kinds: tuple[Kind, ...], head: Head) -> bool:
    return head.kind in kinds and plan_columns(head.columns) is not None


def _lost(question: Question) -> list[str]:
    columns = tuple(question.metadata)
    return lost_of(question, facts=True, metadata=columns) + turned_to_text(question, columns)


def _lost_flat(question: Question) -> list[str]:
    return lost_of(question, facts=True)


CSV = Format(
    "csv", "a table, comma-separated", "csv", partial(_recognises, ("csv",)), _read, _write_csv, _lost
)
TSV = Format("tsv", "a table, tab-separated", "tsv", partial(_recognises, ("tsv",)), _read, _write_tsv, _lost)
FLAT = Format(
    "flat-jsonl",
    "a table as JSON lines, choices in a list",
    "jsonl",
    partial(_recognises, ("jsonl", "json", "parquet", "rows")),
    _read,
    _write_flat,
    _lost_flat,
)
