"""Files of premises and hypotheses, of any known form, as pairs; every fault with its file and line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from assay.entailment.formats import Layout, layout
from assay.entailment.labels import NO_GOLD, Labels
from assay.entailment.pair import Label, Pair
from assay.errors import AssayError, Fault, FaultyInput
from assay.questions.formats.containers import read_head
from assay.questions.formats.format import Log, Record
from assay.questions.sources import Source, open_source


@dataclass(frozen=True, slots=True)
class PairReading:
    """Pairs in the files' order. `notes`: what was decided, or left out, in words.

    `without_gold`: how many pairs had no gold label and are left out.
    """

    pairs: tuple[Pair, ...]
    notes: tuple[str, ...] = ()
    without_gold: int = 0


def read_pairs(
    paths: str | Path | Iterable[str | Path], labels: Mapping[str, str] | None = None
) -> PairReading:
    """The pairs of one or more files ("-": standard input): SciTail, SNLI, MultiNLI, SICK, GLUE, our own.

    The form is told from the content: JSON lines or a list, a table with a header (tabs, commas), Parquet, or
    SciTail's tables without one. In tables parted by tabs a quote is plain text. `labels`: what the files'
    own labels mean ("entails", "neutral", or "-" for none), where they aren't to be read as usual.
    A pair without an id is called by its line; where several files have an id in common, all are led by the
    number of their file. Raises FaultyInput with every fault: a repeated id, an empty premise or hypothesis,
    a label that isn't known or is missing where others have one, a missing cell.
    """
    listed = [paths] if isinstance(paths, str | Path) else list(paths)
    if not listed:
        raise AssayError("no file of pairs given")
    files: list[_File] = []
    faults: list[Fault] = []
    for path in listed:
        with open_source(path) as source:
            try:
                files.append(_read(source, Labels(labels)))
            except FaultyInput as error:
                faults += error.faults
    if faults:
        raise FaultyInput(faults)
    pairs = _joined(files)
    return PairReading(
        tuple(pairs),
        tuple(note for file in files for note in file.notes),
        sum(file.without_gold for file in files),
    )


@dataclass(slots=True)
class _File:
    pairs: list[Pair] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    without_gold: int = 0


def _joined(files: list[_File]) -> Iterator[Pair]:
    ids = [pair.id for file in files for pair in file.pairs]
    led = len(files) > 1 and len(set(ids)) < len(ids)
    for number, file in enumerate(files, 1):
        for pair in file.pairs:
            yield replace(pair, id=f"{number}:{pair.id}") if led else pair


def _read(source: Source, labels: Labels) -> _File:
    log = Log(source.name)
    form = layout(read_head(source), source, labels)
    file = _File()
    lines: dict[str, int] = {}
    hidden: list[tuple[int, str]] = []
    for line, record in form.records(log):
        made = _pair(line, record, form, labels, log)
        if made is None:
            continue
        pair, known = made
        if pair.id in lines:
            log.fault(f"id appears a second time (first on line {lines[pair.id]})", line, pair.id)
            continue
        lines[pair.id] = line
        if known == NO_GOLD:
            file.without_gold += 1
            continue
        if known is None:
            hidden.append((line, pair.id))
        file.pairs.append(pair)
    if len(hidden) < len(file.pairs):
        for line, pair_id in hidden:
            log.fault("no label, though other pairs of the file have one", line, pair_id)
    if not lines and not log.faults:
        log.fault("holds no pair", None)
    log.close()
    if log.faults:
        raise FaultyInput([replace(fault, question_id=None, what=_of_pair(fault)) for fault in log.faults])
    said = [*log.notes, *labels.notes(), *_repeats(file.pairs)]
    if hidden:
        said.append(f"{len(hidden):,} pairs without labels")
    file.notes = [f"{source.name}: {note}" for note in said]
    return file


def _of_pair(fault: Fault) -> str:
    return fault.what if fault.question_id is None else f"pair {fault.question_id}: {fault.what}"


def _pair(
    line: int, record: Record, form: Layout, labels: Labels, log: Log
) -> tuple[Pair, str | None] | None:
    """The pair of a record and its label, "-" where it has no gold one; None where a fault was reported."""
    columns = form.columns
    named = _value(record, columns["id"])
    pair_id = str(line) if named is None else str(named).strip()
    texts: dict[str, str] = {}
    for part in ("premise", "hypothesis"):
        value = _value(record, columns[part])
        if not isinstance(value, str):
            log.fault(f"{columns[part]!r} is {'missing' if value is None else 'no text'}", line, pair_id)
        elif not value.strip():
            log.fault(f"the {part} is empty", line, pair_id)
        else:
            texts[part] = value
    written = _value(record, columns["label"])
    meant = None if written is None else labels.read(written)
    if written is not None and meant is None:
        what = f"unknown label {str(written)[:40]!r}" if str(written).strip() else "the label is empty"
        log.fault(f"{what}; known: {labels.known}", line, pair_id)
    elif not pair_id:
        log.fault("the id is empty", line)
    elif len(texts) == 2:
        label: Label | None = meant if meant in ("entails", "neutral") else None
        digest = record.get("question") if _is_digest(record.get("question")) else None
        return Pair(pair_id, texts["premise"], texts["hypothesis"], label, digest), meant
    return None


def _value(record: Record, column: str | None) -> Any:
    return None if column is None else record.get(column)


def _is_digest(value: Any) -> bool:
    """Whether it is a question's digest; SciTail's own "question" is the question's text."""
    return isinstance(value, str) and len(value) == 32 and all(sign in "0123456789abcdef" for sign in value)


def _repeats(pairs: Iterable[Pair]) -> list[str]:
    """What stands twice: pairs with the same two texts, and of these with both labels."""
    labels: dict[tuple[str, str], set[str | None]] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for pair in pairs:
        texts = (pair.premise, pair.hypothesis)
        counts[texts] += 1
        labels.setdefault(texts, set()).add(pair.label)
    more = sum(count - 1 for count in counts.values())
    if not more:
        return []
    both = sum(len(found) > 1 for found in labels.values())
    return [f"{more:,} pairs repeat another's texts" + (f", {both:,} with another label" if both else "")]
