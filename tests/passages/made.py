"""Made-up passage questions for tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assay.passages.passage import PassageQuestion, Span

PASSAGE = "The Amber Tower stands in Lowmere. It was built in 1212 by masons from Lowmere."


def about(passage: str, *texts: str, id: str = "q1", group: str | None = "Tower", ask: str = "Where?"):
    """A question whose answers stand where their texts are first found."""
    return PassageQuestion(id, passage, ask, tuple(Span(passage.index(text), text) for text in texts), group)


def squad(*articles: tuple[str, list[tuple[str, list[dict[str, Any]]]]]) -> dict[str, Any]:
    """A SQuAD document of (title, [(context, qas)])."""
    data = [
        {"title": title, "paragraphs": [{"context": context, "qas": qas} for context, qas in paragraphs]}
        for title, paragraphs in articles
    ]
    return {"version": "1.1", "data": data}


def asked(id: str, *answers: tuple[int, str], question: str = "Where?", **more: Any) -> dict[str, Any]:
    """One of `qas`."""
    given = [{"answer_start": start, "text": text} for start, text in answers]
    return {"id": id, "question": question, "answers": given, **more}


def written(path: Path, value: Any) -> str:
    """A JSON file; a list of objects as lines where the name says so."""
    text = "".join(json.dumps(one) + "\n" for one in value) if path.suffix == ".jsonl" else json.dumps(value)
    path.write_text(text, encoding="utf-8")
    return str(path)
