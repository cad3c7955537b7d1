"""Artifacts as `assay check --artifacts` shows them: options, tables, CSV and gates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.question_options import pairs
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.construction.artifacts.figures import Artifacts, Figure, GroupArtifacts
    from assay.questions.model import Answer, Question
    from assay.scoring.export import Cell
    from assay.scoring.gates import GateResult

KINDS = ("rule", "place", "probe", "reader")
ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class ArtifactOptions:
    """What is looked for, in what groups, and what must hold."""

    artifacts: Annotated[
        bool,
        typer.Option(
            "--artifacts",
            help="Also measure how far shortcuts get above chance: length, place, tell-tale words, probes.",
        ),
    ] = False
    by: Annotated[
        str,
        typer.Option("--by", metavar="COLUMN", help="Artifacts by this column, its values side by side."),
    ] = "file"
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="COLUMN",
            help="Cluster the artifacts' intervals, and keep clusters in one fold (QASC: fact1; answer: the "
            "key's text).",
        ),
    ] = None
    fail_above: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-above",
            metavar="[NAME=]POINTS",
            help="Gate: no shortcut, or the one named, may get further above chance; same-choices, "
            "repeated-keys, duplicates: questions. May be repeated.",
        ),
    ] = None
    fail_bound: Annotated[
        str,
        typer.Option(
            "--fail-bound",
            metavar="BOUND",
            help="What must not be above: lower (the interval's lower end), or score.",
        ),
    ] = "lower"
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write the gates as JUnit XML.")
    ] = None
    cue: Annotated[
        list[str] | None,
        typer.Option(
            "--cue",
            metavar="NAME=PATTERN",
            help="Tell-tale words of your own, a regular expression on the lower-cased choice.",
        ),
    ] = None
    reader: Annotated[
        list[str] | None,
        typer.Option(
            "--reader",
            metavar="NAME=FILE",
            help="Predictions of a reader that didn't see all, beside our probes. May be repeated.",
        ),
    ] = None
    language: Annotated[
        str, typer.Option("--language", metavar="NAME", help="The stemmer and stop list of the shortcuts.")
    ] = "english"
    folds: Annotated[
        int, typer.Option("--folds", min=0, metavar="N", help="Folds of the probes; 0: no probes.")
    ] = 5
    seed: Annotated[
        int, typer.Option("--seed", min=0, metavar="N", help="Seed of the folds and of draws.")
    ] = 0
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the shortcuts' figures as CSV.")
    ] = None
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Draw the artifacts: a page of its own.")
    ] = None

    def check(self, files: Sequence[str]) -> None:
        """AssayError for an option without the one it belongs to, or that would write over an input."""
        from assay.cli.written import check_written

        given = {
            "--fail-above": self.fail_above, "--cue": self.cue, "--reader": self.reader, "--csv": self.csv,
            "--cluster": self.cluster, "--html": self.html,
        }  # fmt: skip
        for name, value in given.items():
            if value and not self.artifacts:
                raise AssayError(f"{name} belongs to --artifacts, which isn't given")
        outputs = {"--csv": self.csv, "--html": self.html, "--junit": self.junit}
        check_written(outputs, [*files, *(self.reader or ())])
        if self.junit is not None and not self.fail_above:
            raise AssayError("no gate for --junit to report", hint="add --fail-above")

    def measure(self, questions: Sequence[Question]) -> Artifacts:
        """The artifacts of checked questions, in groups."""
        from assay.cli.progress import progress
        from assay.construction.artifacts.figures import artifacts
        from assay.construction.artifacts.settings import ArtifactSettings
        from assay.settings import read_settings

        given = {"language": self.language, "folds": self.folds, "seed": self.seed}
        return artifacts(
            _groups(questions, self.by),
            read_settings(ArtifactSettings, given, "artifacts"),
            cluster=self.cluster,
            cues=pairs(self.cue, "--cue"),
            readers=self._readers(questions),
            progress=progress(),
        )

    def _readers(self, questions: Sequence[Question]) -> dict[str, Mapping[str, Answer]]:
        from assay.cli.systems import named_files
        from assay.construction.artifacts.gates import ALL, COUNTS
        from assay.questions import read_predictions
        from assay.questions.model import QuestionSet

        asked, files = QuestionSet(questions), named_files(self.reader or ())
        for name in files:
            if name in (ALL, *COUNTS):
                raise AssayError(f"--reader {name}: --fail-above has its own meaning for this name")
        return {
            name: {answer.question_id: answer for answer in read_predictions(file, asked).answers}
            for name, file in files.items()
        }


def _groups(questions: Sequence[Question], by: str) -> dict[str, list[Question]]:
    """Questions by the values of a column; several values: in each. Files go by their names alone."""
    from assay.scoring.columns import FILE, NO_VALUE, column

    found: dict[str, list[Question]] = {}
    for question, values in zip(questions, column(questions, by).values, strict=True):
        for value in values or (NO_VALUE,):
            found.setdefault(value, []).append(question)
    names = {value: Path(value).name if by == FILE else value for value in found}
    if len(set(names.values())) < len(names):
        # Files of the same name in different folders.
        return found
    return {names[value]: of for value, of in found.items()}


def gate_results(found: Artifacts, options: ArtifactOptions) -> list[GateResult]:
    """One result for each group and each shortcut (or count) that has a threshold; the last one given holds.

    AssayError for a name that is no shortcut here, or a threshold that is no number in range.
    """
    from assay.construction.artifacts.gates import ALL, COUNTS, artifact_gates, gate_names

    thresholds: dict[str, float] = {}
    names = gate_names(found)
    for text in options.fail_above or ():
        name, equals, points = text.rpartition("=")
        name = name if equals else ALL
        if name not in names and name != ALL:
            raise AssayError(f"--fail-above {text}: no shortcut {name!r}", hint="one of: " + ", ".join(names))
        try:
            thresholds[name] = float(points)
        except ValueError:
            raise AssayError(f"--fail-above {text}: {points!r} is not a number of points") from None
        if name in COUNTS and not 0 <= thresholds[name] < math.inf:
            raise AssayError(f"--fail-above {text}: a number of questions is due, 0 or more")
    bound: Any = options.fail_bound
    return artifact_gates(found, thresholds, bound)


def print_artifacts(found: Artifacts) -> None:
    """The shortcuts' table, one group in full or several side by side, the keys' places, the counts."""
    from assay.cli.output import print_lines, print_notes

    if found.hidden:
        print_notes([f"artifacts: {found.hidden:,} questions without a key left out"])
    print_notes(f"{group.group}: {note}" for group in found.groups for note in group.notes)
    if len(found.groups) == 1:
        _print_one(found.groups[0], found)
    else:
        print_side_by_side(found)
    _print_keys(found)
    print_lines(
        f"{group.group}: {figure.name} goes by {', '.join(_told(figure))}"
        for group in found.groups
        for figure in group.figures
        if figure.name == "choice-only" and figure.telling
    )


def _told(figure: Figure) -> list[str]:
    return [f"{name} ({weight:+.2f})" for name, weight, _ in figure.telling[:8]]


def _foot(found: Artifacts) -> str:
    said = "above chance: score less the mean of 1/choices over the same questions; ties share the point"
    return said + ("" if found.cluster is None else f"; intervals clustered by {found.cluster}")


def _print_one(group: GroupArtifacts, found: Artifacts) -> None:
    from assay.cli.output import print_table
    from assay.cli.score_tables import ends, p_value, percent

    rows = [
        [
            figure.name,
            f"{figure.n:,}",
            percent(figure.score.mean),
            percent(figure.chance),
            percent(figure.above.mean, signed=True),
            ends(figure.above.low, figure.above.high, signed=True),
            p_value(figure.p),
            p_value(figure.holm_p),
        ]
        for figure in group.figures
    ]
    names = ["shortcut", "n", "score", "chance", "above chance", "95% interval", "p", "p (Holm)"]
    columns = dict.fromkeys(names, "right") | {"shortcut": "left"}
    print_table(f"Artifacts of {group.group}, percent", columns, rows, foot=_foot(found))


def print_side_by_side(found: Artifacts) -> None:
    """Points above chance, a column a group."""
    from assay.cli.output import print_table

    rows = [
        ["questions", *(f"{group.n:,}" for group in found.groups)],
        ["chance", *(f"{100 * _chance(group):.2f}" for group in found.groups)],
    ]
    figures = [{figure.name: figure for figure in group.figures} for group in found.groups]
    rows += [
        [name, *(_cell(of.get(name), group.n) for of, group in zip(figures, found.groups, strict=True))]
        for name in _in_order(found)
    ]
    columns = {"shortcut": "left", **{group.group: "right" for group in found.groups}}
    foot = f"{_foot(found)}; *: Holm-corrected p < {ALPHA:g}; [n]: it says something about so many questions"
    print_table("Artifacts: points above chance, with 95% intervals", columns, rows, foot=foot)


def _in_order(found: Artifacts) -> list[str]:
    """Every shortcut of any group: rules, places, probes, readers, each in the order of first appearance."""
    kinds = {figure.name: figure.kind for group in found.groups for figure in group.figures}
    return sorted(kinds, key=lambda name: KINDS.index(kinds[name]))


def _chance(group: GroupArtifacts) -> float:
    """Over all its questions: what position, longest and the like are compared with."""
    return group.figures[0].chance


def _cell(figure: Figure | None, of: int) -> str:
    from assay.cli.score_tables import NONE, ends, percent

    if figure is None:
        return NONE
    star = "*" if figure.holm_p is not None and figure.holm_p < ALPHA else ""
    few = f" [{figure.n:,}]" if figure.n < of else ""
    interval = ends(figure.above.low, figure.above.high, signed=True)
    return f"{percent(figure.above.mean, signed=True)} ({interval}){star}{few}"


def _print_keys(found: Artifacts) -> None:
    from assay.cli.output import print_table
    from assay.cli.score_tables import p_value
    from assay.construction.artifacts.gates import counts

    most = max(len(group.keys.counts) for group in found.groups)
    rows = []
    for place in range(most):
        cells = [
            f"{group.keys.counts[place]:,} ({group.keys.expected[place]:,.1f})"
            if place < len(group.keys.counts)
            else "-"
            for group in found.groups
        ]
        rows.append([f"keys at place {place + 1} (expected)", *cells])
    rows.append(["even places, p", *(p_value(group.keys.p) for group in found.groups)])
    counted = {
        "questions with the same choice twice": "same-choices",
        "with the key twice": "repeated-keys",
        "stems that stood before": "duplicates",
    }
    for said, name in counted.items():
        rows.append([said, *(f"{counts(group)[name]:,}" for group in found.groups)])
    if len(found.groups) > 1:
        rows.append(["stems that stand in another column", *(f"{g.elsewhere:,}" for g in found.groups)])
    columns = {"": "left", **{group.group: "right" for group in found.groups}}
    print_table("Keys, equal choices and duplicates", columns, rows)


def artifact_cells(found: Artifacts) -> tuple[list[str], list[list[Cell]]]:
    """A row a group and shortcut, for CSV; shares in 0..1."""
    columns = [
        "group", "shortcut", "kind", "n", "score", "score_low", "score_high", "chance", "above", "above_low",
        "above_high", "p", "holm_p",
    ]  # fmt: skip
    rows: list[list[Cell]] = [
        [
            group.group, one.name, one.kind, one.n, one.score.mean, one.score.low, one.score.high, one.chance,
            one.above.mean, one.above.low, one.above.high, one.p, one.holm_p,
        ]
        for group in found.groups
        for one in group.figures
    ]  # fmt: skip
    return columns, rows
