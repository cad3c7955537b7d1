"""The folder that `assay distractors` writes: questions, provenance of every choice, the check list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from assay import __version__
from assay.construction.distractors.also_right import Suspicion, SuspicionSettings
from assay.construction.distractors.selection import Extended, Placed
from assay.construction.distractors.settings import DistractorSettings
from assay.construction.distractors.verdicts import Verdicts, list_records, table
from assay.errors import AssayError
from assay.questions.formats.registry import format_named
from assay.questions.reading import FileReading
from assay.questions.sources import STDIN
from assay.questions.writing import write_questions
from assay.storage import sha256_of, to_json, write_json, write_text

RECORD, CHOICES, POOLS = "distractors.json", "choices.jsonl", "pools.jsonl"
LIST, TABLE = "check.jsonl", "check.csv"
OURS = (RECORD, CHOICES, POOLS, LIST, TABLE)
FORMAT = "assay-distractors-1"


@dataclass(frozen=True)
class Made:
    """All that came out. `attacks`: adversaries' settings with their spreads; `left_out` by reason."""

    files: tuple[FileReading, ...]
    extended: tuple[Extended, ...]
    suspicions: tuple[Suspicion, ...]
    verdicts: Verdicts
    settings: DistractorSettings
    suspicion: SuspicionSettings
    chance: str | None
    attacks: Mapping[str, Mapping[str, Any]]
    left_out: Mapping[str, int]
    pool_sizes: tuple[int, ...]


def output_name(file: FileReading, format: str | None) -> str:
    """What a question file is called in the folder: its own name, with another ending in another format."""
    name = "questions.jsonl" if file.path == STDIN else Path(file.path).name
    if format in (None, file.format):
        return name
    return f"{name.split('.')[0] or name}.{format_named(format).kind}"


def check_outputs(
    folder: Path, given: Sequence[str], files: Sequence[FileReading], format: str | None
) -> None:
    """Raises AssayError when two files would be written to one name, or an input would be written over."""
    if format is not None:
        format_named(format)
    if folder.exists() and not folder.is_dir():
        raise AssayError("is a file; a folder is due", file=folder)
    names = [output_name(file, format) for file in files]
    for name in names:
        if names.count(name) > 1 or name in OURS:
            raise AssayError(f"{name} would be written twice into {folder}", hint="rename one of the files")
        if any((folder / name).resolve() == Path(one).resolve() for one in given):
            raise AssayError("is one of the inputs: name another folder", file=folder / name)


def write_made(
    made: Made, folder: Path, format: str | None, tell: Callable[[str], None]
) -> Mapping[str, Any]:
    """Write all files; distractors.json, which names them with their SHA-256, comes last and is returned."""
    (folder / RECORD).unlink(missing_ok=True)
    names = []
    for file in made.files:
        own = [one.question for one in made.extended if _file(one) == file.path]
        form = format or file.format
        name = output_name(file, format)
        written = write_questions(own, folder / name, form)
        for lost, count in written.lost.items():
            tell(f"not carried by {form}: {lost} ({count:,} questions)")
        names.append(name)
    write_text(folder / CHOICES, "".join(f"{to_json(record)}\n" for record in _choices(made)))
    write_text(folder / POOLS, "".join(f"{to_json(record)}\n" for record in _pools(made)))
    records = list_records(made.suspicions, made.verdicts)
    write_text(folder / LIST, "".join(f"{to_json(record)}\n" for record in records))
    write_text(folder / TABLE, table(records))
    whole = {name: sha256_of(folder / name) for name in (*names, CHOICES, POOLS, LIST, TABLE)}
    record = {**_summary(made), "files": whole}
    write_json(folder / RECORD, record)
    return record


def _file(one: Extended) -> str:
    return one.question.origin.file if one.question.origin else ""


def _numbers(values: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 6) for name, value in values.items() if abs(value) != float("inf")}


def _choices(made: Made) -> Iterator[dict[str, Any]]:
    """A record a choice, in the questions' order."""
    for one in made.extended:
        for placed in one.placed:
            yield {"id": one.question.id, "fold": one.fold, **_choice(placed), "seed": made.settings.seed}


def _choice(placed: Placed) -> dict[str, Any]:
    record: dict[str, Any] = {
        "label": placed.choice.label,
        "text": placed.choice.text,
        "from": placed.origin,
        "author_label": placed.author_label,
    }
    if placed.candidate is not None:
        candidate = placed.candidate
        record |= {"source": candidate.source, "dissimilarity_rank": candidate.rank}
        record |= {"overlap": round(candidate.overlap, 6), "place": placed.place}
    judged = placed.judged
    if judged.scores:
        record |= {"scores": _numbers(judged.scores), "differences": _numbers(judged.differences)}
        record |= {"difference": round(judged.difference, 6), "preferred_by": list(judged.preferred_by)}
    return record


def _pools(made: Made) -> Iterator[dict[str, Any]]:
    """A record a question: its candidates in the order of the ranking, with what became of each."""
    for one in made.extended:
        yield {
            "id": one.question.id,
            "dropped": dict(one.dropped),
            "missing": one.missing,
            "candidates": [
                {
                    "source": ranked.candidate.source,
                    "text": ranked.candidate.text,
                    "fate": ranked.fate,
                    "overlap": round(ranked.candidate.overlap, 6),
                    "differences": _numbers(ranked.judged.differences),
                    "preferred_by": list(ranked.judged.preferred_by),
                }
                for ranked in one.ranking
            ],
        }


def _summary(made: Made) -> dict[str, Any]:
    """The figures of the whole, as JSON values; counts are of questions or choices."""
    added = [placed for one in made.extended for placed in one.placed if placed.origin == "question"]
    sizes = made.pool_sizes
    dropped = Counter(why for one in made.extended for why in one.dropped.values())
    fates = Counter(ranked.fate for one in made.extended for ranked in one.ranking)
    return {
        "format": FORMAT,
        "assay": __version__,
        "settings": asdict(made.settings),
        "suspicion": asdict(made.suspicion),
        "random": made.chance,
        "adversaries": {name: dict(settings) for name, settings in made.attacks.items()},
        "questions": {
            Path(file.path).name: sum(_file(one) == file.path for one in made.extended) for file in made.files
        },
        "ways": dict(sorted(Counter(str(len(one.question.choices)) for one in made.extended).items())),
        "added": len(added),
        "short": {one.question.id: one.missing for one in made.extended if one.missing},
        "pool": {
            "smallest": min(sizes, default=0),
            "mean": round(sum(sizes) / len(sizes), 2) if sizes else 0.0,
            "left_out": dict(sorted(made.left_out.items())),
        },
        "candidates": dict(sorted(fates.items())),
        "author_dropped": dict(sorted(dropped.items())),
        "preferred_by": dict(sorted(Counter(str(len(one.judged.preferred_by)) for one in added).items()))
        if made.attacks
        else {},
        "reasons_to_look": dict(
            sorted(Counter(why for one in made.suspicions for why in one.reasons).items())
        ),
        "questions_dropped": sorted(made.verdicts.dropped),
    }
