"""Types of questions as `assay describe` shows them: tables, JSON, a picture, a sheet to fill in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.questions.model import Question
    from assay.questions.types.tagging import Tagged
    from assay.scoring.annotators import Annotation
    from assay.scoring.types import Share, TypeTable


@dataclass(frozen=True, slots=True)
class Types:
    """A table a taxonomy, and how people agree, where several gave tags of its kind."""

    tables: tuple[TypeTable, ...]
    annotations: tuple[Annotation, ...]

    @classmethod
    def of(cls, tagged: Tagged, groups: Mapping[str, Sequence[Question]]) -> Types:
        """Count the types of every taxonomy, and of kinds without one how people agree."""
        from assay.scoring.annotators import annotation
        from assay.scoring.types import type_table

        parts = list(groups.items())
        tables = tuple(
            type_table(tagged.questions, kind, one, parts) for kind, one in tagged.taxonomies.items()
        )
        ids = [question.id for question in tagged.questions]
        kinds = dict.fromkeys([*tagged.taxonomies, *(kind for one in tagged.files for kind in one.kinds)])
        found = (
            annotation(kind, tagged.files, tagged.levels.get(kind, _labels(tagged, kind)), ids)
            for kind in kinds
        )
        return cls(tables, tuple(one for one in found if one is not None))


def _labels(tagged: Tagged, kind: str) -> list[str]:
    labels = {label for one in tagged.files for label in one.columns.get(kind, ())}
    labels |= {label for one in tagged.files for tags in one.by_id.values() for label in tags.get(kind, ())}
    return sorted(labels)


def print_types(types: Types) -> None:
    """Every table: shares, examples, types together; then agreement."""
    for table in types.tables:
        _shares(table)
        _examples(table)
        _together(table)
    for one in types.annotations:
        _annotation(one)


def _shares(table: TypeTable) -> None:
    from assay.cli.output import print_table

    columns = {table.kind: "left", "questions": "right", "share": "right", "95% interval": "right"}
    columns["alone"] = "right"
    groups = [share.group for share in table.rows[0].shares[1:]]
    columns |= {f"{group}: share [interval]": "right" for group in groups}
    columns["definition"] = "left"
    rows = [
        [
            row.name, f"{row.n:,}", *_share(row.shares[0]), f"{row.alone:,}",
            *(_share_in_a_cell(share) for share in row.shares[1:]), row.definition,
        ]
        for row in table.rows
    ]  # fmt: skip
    per = ", ".join(f"{number}: {count:,}" for number, count in table.by_labels.items())
    title = f"Types of {table.taxonomy}: {table.labelled:,} of {table.questions:,} questions labelled"
    print_table(title, columns, rows, foot=f"questions by number of types: {per}" if per else None)


def _share(share: Share) -> tuple[str, str]:
    if share.share is None or share.low is None or share.high is None:
        return "-", "-"
    return f"{100 * share.share:.1f}%", f"{100 * share.low:.1f} to {100 * share.high:.1f}"


def _share_in_a_cell(share: Share) -> str:
    said, interval = _share(share)
    return said if said == "-" else f"{said} [{interval}]"


def _examples(table: TypeTable) -> None:
    from assay.cli.output import print_table
    from assay.questions.types.sheet import in_a_line

    rows = [
        [row.name, row.example.id, in_a_line(row.example)] for row in table.rows if row.example is not None
    ]
    if rows:
        title = f"{table.taxonomy}: an example of each, with its key starred"
        print_table(title, dict.fromkeys([table.kind, "id", "question"], "left"), rows)


def _together(table: TypeTable) -> None:
    from assay.cli.output import print_table

    if not any(number > 1 for number in table.by_labels):
        return
    columns = {table.kind: "left"} | {str(place): "right" for place in range(1, len(table.rows) + 1)}
    rows = [
        [f"{place} {row.name}", *map("{:,}".format, row.together)] for place, row in enumerate(table.rows, 1)
    ]
    print_table(f"{table.taxonomy}: questions of two types at once", columns, rows)


def _annotation(one: Annotation) -> None:
    from assay.cli.output import print_table
    from assay.cli.score_tables import ends, percent

    columns = {one.kind: "left", "questions": "right"}
    columns |= dict.fromkeys([*(f"given: {name}" for name in one.annotators), "same"], "right")
    columns |= {"alpha": "right", "95% interval": "right", "kappa": "right"}
    rows = [
        [
            row.name,
            f"{row.n:,}",
            *("-" if count is None else f"{count:,}" for count in row.given or [None] * len(one.annotators)),
            percent(row.same),
            percent(row.alpha),
            ends(row.low, row.high),
            percent(row.kappa),
        ]
        for row in one.types
    ]
    foot = "same: pairs that say the same, percent; alpha: Krippendorff's; kappa: Cohen's, of two; times 100"
    print_table(f"Agreement of {len(one.annotators)} people on {one.n:,} questions", columns, rows, foot=foot)


def types_record(types: Types) -> dict[str, Any]:
    """Tables and agreement as JSON values, by kind; an example by its id. Shares are from 0 to 1."""
    from assay.scoring.record import as_record

    record: dict[str, Any] = {}
    for table in types.tables:
        rows = []
        for row in table.rows:
            told = {name: as_record(getattr(row, name)) for name in ("name", "definition", "shares", "alone")}
            told["example"] = None if row.example is None else row.example.id
            told["together"] = {
                other.name: count for other, count in zip(table.rows, row.together, strict=True)
            }
            rows.append(told)
        record.setdefault("types", {})[table.kind] = {
            "taxonomy": table.taxonomy,
            "questions": table.questions,
            "labelled": table.labelled,
            "without": table.without,
            "by_labels": {str(number): count for number, count in table.by_labels.items()},
            "types": rows,
        }
    for one in types.annotations:
        record.setdefault("annotation", {})[one.kind] = as_record(one)
    return record


def write_plot(types: Types, path: Path) -> str:
    """The shares as an SVG file; what was done, in words. AssayError where there is nothing to draw."""
    from assay.report.charts.shares import shares_picture
    from assay.storage import write_text

    if path.suffix.lower() != ".svg":
        raise AssayError("--plot writes SVG: a name that ends in .svg is due", file=path)
    if not types.tables:
        raise AssayError("--plot draws the types of a taxonomy: name it by --taxonomy")
    write_text(path, shares_picture(types.tables))
    return f"wrote {path}"


def write_sheet(tagged: Tagged, path: Path, drawn: int | None = None, seed: int = 0) -> str:
    """The sheet of the only taxonomy, of all questions or so many `drawn`; what was done, in words.

    AssayError where it isn't the only one, or where the file is there: it may hold what somebody filled in.
    """
    from assay.questions.types.sheet import sample, sheet
    from assay.storage import write_text

    if len(tagged.taxonomies) != 1:
        raise AssayError(f"--sheet is of one taxonomy, {len(tagged.taxonomies)} are named: --taxonomy NAME")
    if path.exists():
        raise AssayError(
            "is there, and may hold what somebody filled in", file=path, hint="name another by --sheet"
        )
    ((kind, taxonomy),) = tagged.taxonomies.items()
    questions = tagged.questions if drawn is None else sample(tagged.questions, drawn, seed)
    write_text(path, sheet(questions, kind, taxonomy))
    return f"wrote {path}: fill in 1 and 0, and read it with --tags {kind}={path}"
