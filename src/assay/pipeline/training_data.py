"""Files to the examples that a reader is trained on, by what it reads; what is left out is counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from assay.entailment.reading import read_pairs
from assay.errors import AssayError
from assay.passages.checking import distinct_texts
from assay.passages.passage import PassageQuestion
from assay.passages.passage import fingerprint as passages_fingerprint
from assay.passages.places import reachable
from assay.passages.reading import read_passages
from assay.passages.tokens import tokens
from assay.questions.model import Choice, Question, QuestionSet
from assay.questions.reading import read_questions
from assay.solvers.neural.examples import Examples, examples_of, fingerprint
from assay.solvers.neural.reader import Reads, Trainable, sentences_read, what_it_reads
from assay.solvers.neural.trained_on import digests

Use = Literal["train", "dev"]


@dataclass(frozen=True, slots=True)
class Data:
    """One set, of one file or several; where it is questions, with the evidence file made for them."""

    files: tuple[str, ...]
    evidence: Path | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A set as read. `examples` all have a key; `notes` are for a person, `record` for the card.

    `digests`: of the questions that were read, or that what was read was made of.
    """

    examples: tuple[Any, ...]
    record: Mapping[str, Any]
    digests: frozenset[str]
    notes: tuple[str, ...] = ()


def read_part(use: Use, data: Data, reader: Trainable, *, limit: int | None, allow_missing: bool) -> Part:
    """The set as the reader's examples, of its first `limit` records.

    Raises AssayError for files that can't be read or are faulty, evidence that is missing or isn't
    wanted, and where nothing has a key.
    """
    return PARTS[what_it_reads(type(reader))](use, data, reader, limit, allow_missing)


def _questions(use: Use, data: Data, reader: Trainable, limit: int | None, allow_missing: bool) -> Part:
    sentences = sentences_read(reader)
    reading = read_questions(data.files)
    questions = reading.questions if limit is None else QuestionSet(reading.questions[:limit])
    if sentences and data.evidence is None:
        raise AssayError(
            f"the reader reads {sentences} sentences of evidence a choice, and there are none for {use}",
            file=data.files[0],
            hint=f"--{use}-evidence FILE, as assay retrieve writes it; or --set sentences=0 to read none",
        )
    found = examples_of(questions, data.evidence, sentences, allow_missing=allow_missing)
    if not found.examples:
        raise no_key(use, data, f"none of the {len(questions):,} questions has a key")
    evidence = data.evidence if sentences else None
    record = {
        "use": use,
        "questions": names(data),
        "fingerprint": questions.fingerprint,
        "evidence": None if evidence is None else evidence.name,
        "evidence_sha256": found.evidence_sha256,
        "examples": len(found.examples),
        "without_key": found.without_key,
        "without_evidence": found.without_evidence,
    }
    notes = (*reading.notes, *_notes(use, data, found, sentences))
    return Part(found.examples, record, digests(questions), notes)


def _pairs(use: Use, data: Data, reader: Trainable, limit: int | None, allow_missing: bool) -> Part:
    if data.evidence is not None:
        raise AssayError(f"pairs have their premises: --{use}-evidence is for readers of questions")
    reading = read_pairs(data.files)
    read = reading.pairs if limit is None else reading.pairs[:limit]
    pairs = tuple(pair for pair in read if pair.key is not None)
    if not pairs:
        raise no_key(use, data, f"none of the {len(read):,} pairs has a label")
    record = {
        "use": use,
        "pairs": names(data),
        "fingerprint": fingerprint(pairs),
        "examples": len(pairs),
        "entails": sum(pair.key == 1 for pair in pairs),
        "without_key": len(read) - len(pairs) + reading.without_gold,
    }
    made_of = frozenset(pair.question for pair in pairs if pair.question is not None)
    return Part(pairs, record, made_of, tuple(f"{use}: {note}" for note in reading.notes))


def _passages(use: Use, data: Data, reader: Trainable, limit: int | None, allow_missing: bool) -> Part:
    """Dev keeps what can't be reached in the tokens that are read: it counts, as what is got wrong."""
    if data.evidence is not None:
        raise AssayError("passages have no evidence: they are what is read", file=data.evidence)
    reading = read_passages(data.files)
    questions = reading.questions[:limit]
    most = int(reader.settings.tokens)
    keyed = [one for one in questions if one.key is not None]
    cuts = [tokens(one.passage) for one in keyed]
    out = {
        one.id
        for one, cut in zip(keyed, cuts, strict=True)
        if use == "train" and len(cut) > most and not reachable(cut.first(most), one.key or ())
    }
    examples = tuple(one for one in keyed if one.id not in out)
    if not examples:
        raise no_key(use, data, f"none of the {len(questions):,} questions has reference answers in reach")
    longer = sum(len(cut) > most for cut in cuts)
    counted = {
        f"questions of more than {most:,} tokens are read to the {most:,}th": longer,
        "questions whose answers lie beyond are left out": len(out),
    }
    record = {
        "use": use,
        "passages": names(data),
        "fingerprint": passages_fingerprint(questions),
        "examples": len(examples),
        "without_key": len(questions) - len(keyed),
        "longer": longer,
        "out_of_reach": len(out),
        "left_out": dict(reading.left_out),
    }
    notes = [f"{use}: {note}" for note in reading.notes]
    notes += [f"{use}: {count:,} {what}" for what, count in counted.items() if count]
    return Part(examples, record, frozenset().union(*map(_digests, questions)), tuple(notes))


def _digests(one: PassageQuestion) -> frozenset[str]:
    """As if it were a question with choices, one of which is the reference: SciQ's questions are both."""
    return digests(
        Question(one.id, one.question, (Choice("A", text),), "A") for text in distinct_texts(one.answers)
    )


PARTS: Mapping[Reads, Callable[[Use, Data, Trainable, int | None, bool], Part]] = {
    "questions": _questions,
    "pairs": _pairs,
    "passages": _passages,
}


def names(data: Data) -> list[str]:
    """The files' names without their folders."""
    return [Path(path).name for path in data.files]


def no_key(use: Use, data: Data, what: str) -> AssayError:
    """The error for a set of which nothing can be trained on or chosen by."""
    hint = "--no-dev trains without, and keeps the last weights" if use == "dev" else None
    return AssayError(f"{use}: {what}", file=data.files[0], hint=hint)


def _notes(use: Use, data: Data, found: Examples, sentences: int) -> list[str]:
    notes = []
    if found.without_key:
        notes.append(f"{use}: {found.without_key:,} questions without a key are left out")
    if found.without_evidence:
        notes.append(f"{use}: {found.without_evidence:,} questions have no evidence and are read without")
    if found.other_evidence:
        notes.append(f"{use}: the evidence holds {found.other_evidence:,} questions that aren't asked")
    if data.evidence is not None and not sentences:
        notes.append(f"{use}: the reader reads no evidence; {data.evidence} is not used")
    return notes
