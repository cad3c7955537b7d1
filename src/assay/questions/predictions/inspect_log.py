"""Inspect logs (.json): samples with their choices, and the answer of a scorer or the model's own words."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

from assay.questions.formats.fields import letter
from assay.questions.model import Answer, Choice, Question
from assay.questions.predictions.objects import Record
from assay.questions.predictions.prediction import Found, Reading, WrittenReply, order_by_text
from assay.questions.predictions.replies import read_reply
from assay.questions.records import lines
from assay.questions.sources import Source

HIGHEST_VERSION = 2
"""The newest log format that is read; a newer one is refused whole."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample: its choices in the log's order and the reply, labelled A, B, C, ... by place."""

    question_id: str
    line: None
    stem: str | None
    texts: tuple[str, ...]
    reply: str
    said: str | None
    refused: bool

    def answer(self, question: Question, reading: Reading, tally: Counter[str]) -> Answer:
        """The scorer's letters, else what the reply says, brought over by the choices' texts."""
        order = order_by_text(question, self.texts)
        letters = tuple(Choice(letter(place), text) for place, text in enumerate(self.texts))
        asked = Question(self.question_id, "", letters)
        read = read_reply(asked, self.said) if self.said else read_reply(asked, self.reply)
        status = "refused" if self.refused and not read.chosen else read.status
        chosen = tuple(
            choice.label
            for choice, place in zip(question.choices, order, strict=True)
            if letters[place].label in read.chosen
        )
        return Answer(question.id, status, chosen)


def read_inspect(source: Source, found: Found, first: str) -> None:
    """The samples of one epoch. Asks which where there are several."""
    text = "\n".join(line for _, line in lines(source, found.report))
    try:
        log = json.loads(text)
    except json.JSONDecodeError as error:
        found.fault(f"not JSON: {error.msg}", error.lineno)
        return
    except (ValueError, RecursionError) as error:
        found.fault(f"not JSON: {error}")
        return
    version = log.get("version") if isinstance(log, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or version > HIGHEST_VERSION:
        found.fault(f"log version {version}: versions up to {HIGHEST_VERSION} are read", 1)
        return
    if log.get("status") not in (None, "success"):
        found.notes.append(f"the log's status is {log['status']!r}, not success")
    samples = log.get("samples")
    if not isinstance(samples, list):
        found.fault("no samples: was the log written without them?")
        return
    for number, sample in enumerate(_of_one_epoch(samples, found), 1):
        _read_sample(sample, number, found)


def _of_one_epoch(samples: list[Any], found: Found) -> list[Any]:
    wanted = found.reading.epoch
    given = [sample.get("epoch", 1) for sample in samples if isinstance(sample, dict)]
    epochs = sorted({epoch for epoch in given if isinstance(epoch, int)})
    if wanted is not None:
        kept = [sample for sample in samples if isinstance(sample, dict) and sample.get("epoch", 1) == wanted]
        if samples and not kept:
            found.fault(f"no epoch {wanted}: the log has {', '.join(map(str, epochs))}")
        return kept
    if len(epochs) > 1:
        found.fault(f"the log holds an answer an epoch: choose one of {', '.join(map(str, epochs))}")
        found.hint = "--epoch names it"
        return []
    return samples


def _read_sample(sample: Any, number: int, found: Found) -> None:
    name = sample.get("id") if isinstance(sample, dict) else None
    if isinstance(name, bool) or not isinstance(name, (str, int)) or not str(name).strip():
        found.fault(f"sample {number} has no id")
        return
    output = sample.get("output")
    reply, stopped = _reply(output if isinstance(output, dict) else {})
    texts = sample.get("choices")
    stem = sample.get("input")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts) or not texts:
        found.add(WrittenReply(str(name), None, reply))
        return
    found.add(
        Sample(
            question_id=str(name),
            line=None,
            stem=stem if isinstance(stem, str) else None,
            texts=tuple(texts),
            reply=reply,
            said=_said(sample.get("scores")),
            refused=stopped == "content_filter",
        )
    )


def _reply(output: Record) -> tuple[str, str | None]:
    """The model's words and why it stopped."""
    choices = output.get("choices")
    first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    stopped = first.get("stop_reason")
    completion = output.get("completion")
    message = first.get("message")
    if not isinstance(completion, str):
        content = message.get("content") if isinstance(message, dict) else None
        parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
        texts = [part.get("text") for part in parts if isinstance(part, dict) and part.get("type") == "text"]
        completion = "\n".join(text for text in texts if isinstance(text, str))
    return completion, stopped if isinstance(stopped, str) else None


def _said(scores: Any) -> str | None:
    """The answer that the choice scorer read, else that of the first scorer with one."""
    if not isinstance(scores, dict):
        return None
    ordered = [scores[name] for name in sorted(scores, key=lambda name: name != "choice")]
    answers = [score.get("answer") for score in ordered if isinstance(score, dict)]
    return next((answer for answer in answers if isinstance(answer, str) and answer.strip()), None)
