"""SQuAD's JSON (Rajpurkar et al. 2016; 2.0: 2018): articles of paragraphs of questions with their answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.passages.checking import Log, shown
from assay.passages.passage import PassageQuestion

IMPOSSIBLE = "without an answer (is_impossible)"


def read_squad(document: Any, log: Log) -> None:
    """Take up the questions of a SQuAD document. Those of 2.0 that have no answer are left out, counted."""
    for number, article in enumerate(_list(document, "data", "the document", log), 1):
        name = f"article {number}"
        title = article.get("title") if isinstance(article, dict) else None
        if title is not None and not isinstance(title, str):
            log.fault(f"{name}: its title must be a text. Got {shown(title)}")
            title = None
        for place, paragraph in enumerate(_list(article, "paragraphs", name, log), 1):
            _read_paragraph(paragraph, title, f"{name}, paragraph {place}", log)


def _read_paragraph(paragraph: Any, title: str | None, name: str, log: Log) -> None:
    questions = _list(paragraph, "qas", name, log)
    if not isinstance(paragraph, dict):
        return
    passage = log.text(paragraph.get("context"), "the context", None, None, f"{name}: ")
    for record in questions:
        made = _question(record, passage, title, f"{name}: ", log)
        if made is not None:
            log.questions.append(made)


def _question(record: Any, passage: str, title: str | None, where: str, log: Log) -> PassageQuestion | None:
    if not isinstance(record, dict):
        log.fault(f"{where}a question must be an object. Got {shown(record)}")
        return None
    question_id = log.text(record.get("id"), "a question's id", None, None, where)
    question = log.text(record.get("question"), "the question", None, question_id, where)
    if record.get("is_impossible") is True:
        log.left_out[IMPOSSIBLE] += 1
        return None
    answers = _list(record, "answers", where.removesuffix(": "), log) if record.get("answers") else []
    spans = []
    for answer in answers:
        if not isinstance(answer, dict):
            log.fault(f"{where}an answer must be an object. Got {shown(answer)}", None, question_id)
            continue
        start, text = answer.get("answer_start"), answer.get("text")
        # A faulty context was said once; that nothing stands in it need not be said again.
        span = log.span(start, text, passage, None, question_id, where) if passage.strip() else None
        if span is not None:
            spans.append(span)
    return PassageQuestion(question_id, passage, question, tuple(spans), title)


def _list(record: Any, name: str, where: str, log: Log) -> list[Any]:
    found = record.get(name) if isinstance(record, dict) else None
    if isinstance(found, list):
        return found
    what = f"{where} has no list {name!r}" if isinstance(record, dict) else f"{where} must be an object"
    log.fault(what)
    return []


def squad_document(questions: Iterator[PassageQuestion]) -> dict[str, Any]:
    """The questions as a SQuAD document: an article a group, a paragraph a passage, as they first appear."""
    articles: dict[str | None, dict[str, list[dict[str, Any]]]] = {}
    for one in questions:
        answers = [{"answer_start": span.start, "text": span.text} for span in one.answers]
        asked = {"id": one.id, "question": one.question, "answers": answers}
        articles.setdefault(one.group, {}).setdefault(one.passage, []).append(asked)
    data = [
        {
            **({} if group is None else {"title": group}),
            "paragraphs": [{"context": passage, "qas": asked} for passage, asked in paragraphs.items()],
        }
        for group, paragraphs in articles.items()
    ]
    return {"version": "1.1", "data": data}
