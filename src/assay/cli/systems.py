"""Questions and the systems that answered them, as `assay score` and `assay compare` name them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.question_options import QuestionOptions
from assay.cli.type_options import TypeOptions
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.questions.model import Answer, Question, QuestionSet

QuestionsArgument = Annotated[
    str, typer.Argument(metavar="QUESTIONS", help="The question file, with keys.", show_default=False)
]
_PREDICTIONS = typer.Argument(
    metavar="PREDICTIONS",
    help="Predictions files of any format, NAME=FILE to name one, or run folders.",
    show_default=False,
)
PredictionsArgument = Annotated[list[str], _PREDICTIONS]
OptionalPredictions = Annotated[list[str] | None, _PREDICTIONS]
MoreQuestions = Annotated[
    list[str] | None,
    typer.Option("--questions", metavar="FILE", help="One more question file; may be repeated."),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN", help="Questions with the same value stand or fall together (QASC: fact1)."
    ),
]
Seed = Annotated[int, typer.Option(min=0, metavar="N", help="Seed of everything that is drawn.")]
Json = Annotated[bool, typer.Option("--json", help="Print strict JSON; scores are points, 0 to 1.")]


@dataclass(frozen=True, slots=True)
class SystemOptions(TypeOptions):
    """How files are read and which of their questions count; question options beside them."""

    more_questions: MoreQuestions = None
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=VALUE", help="Only these questions; repeated: all must hold."),
    ] = None
    allow_missing: Annotated[
        bool,
        typer.Option("--allow-missing", help="A question without a prediction is unanswered: 0 points."),
    ] = False
    allow_extra: Annotated[
        bool,
        typer.Option("--allow-extra", help="Predictions for other questions are left out and counted."),
    ] = False
    letters_for_digits: Annotated[
        bool,
        typer.Option("--letters-for-digits", help="On questions labelled 1, 2, ... A stands for 1; counted."),
    ] = False
    log_filter: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Which filter's answers of a harness log that has several."),
    ] = None
    epoch: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Which epoch's answers of an Inspect log that has several."),
    ] = None
    length_normalised: Annotated[
        bool,
        typer.Option(
            "--length-normalised",
            help="Divide a harness log's likelihoods by the choice's length (acc_norm).",
        ),
    ] = False


@dataclass(frozen=True, slots=True)
class Systems:
    """Questions, each system's answers to them in their order, all questions before `only`, the types of
    taxonomies by kind of tag, and notes."""

    questions: tuple[Question, ...]
    answers: dict[str, tuple[Answer, ...]]
    all_questions: QuestionSet
    types: dict[str, tuple[str, ...]]
    notes: tuple[str, ...]

    def levels(self, columns: Sequence[str], only: Sequence[str] | None) -> dict[str, tuple[str, ...]]:
        """Groups of each column that have a row in any case: the types of a taxonomy, and those that `only`
        emptied."""
        from assay.scoring.columns import column

        emptied = {name: column(self.all_questions, name).levels for name in columns} if only else {}
        return {**emptied, **{name: self.types[name] for name in columns if name in self.types}}


def named_files(arguments: Sequence[str]) -> dict[str, str]:
    """Files by system name: NAME=FILE, a file by its stem, a run folder by its solvers.

    What a run asked its solvers besides, for a partition or an experiment (NAME@...), is no system.
    Files of the same stem go by their whole paths. Raises AssayError for a name given twice or a folder
    without answers.
    """
    pairs: list[tuple[str, str]] = []
    for argument in arguments:
        name, equals, file = argument.partition("=")
        if Path(argument).is_dir():
            answers = sorted((Path(argument) / "answers").glob("*.jsonl"))
            if not answers:
                raise AssayError("no answers/*.jsonl in this folder: no run", file=argument)
            stems = {answer.stem for answer in answers}
            pairs += [(one.stem, str(one)) for one in answers if not _asked_besides(one.stem, stems)]
        elif equals and name and file and not Path(argument).exists():
            pairs.append((name, file))
        else:
            pairs.append((_stem(argument), argument))
    names = [name for name, _ in pairs]
    named = [(name if names.count(name) == 1 else file, file) for name, file in pairs]
    twice = [name for name, _ in named if [other for other, _ in named].count(name) > 1]
    if twice:
        raise AssayError(f"system {twice[0]} is named twice", hint="name each: NAME=FILE")
    return dict(named)


def _asked_besides(stem: str, stems: Collection[str]) -> bool:
    """Whether answers are those of a solver of the run, asked once more under another condition."""
    solver, at, _ = stem.partition("@")
    return bool(at) and solver in stems


def _stem(file: str) -> str:
    name = Path(file).name
    for ending in (".gz", ".zst", ".xz"):
        name = name.removesuffix(ending)
    return Path(name).stem or file


def read_systems(
    questions: str, predictions: Sequence[str], options: SystemOptions, how: QuestionOptions
) -> Systems:
    """Read question files and every system's predictions; all answers are matched before `only` selects."""
    from assay.questions import read_predictions, read_questions

    reading = read_questions([questions, *(options.more_questions or ())], **how.settings())
    tagged = options.tag(reading.questions)
    asked, notes = tagged.questions, [*reading.notes, *tagged.notes]
    inside = _selected(asked, options.only or ())
    answers = {}
    for name, file in named_files(predictions).items():
        read = read_predictions(
            file,
            asked,
            allow_missing=options.allow_missing,
            allow_extra=options.allow_extra,
            letters_for_digits=options.letters_for_digits,
            log_filter=options.log_filter,
            epoch=options.epoch,
            length_normalised=options.length_normalised,
        )
        notes += [f"{name}: {note}" for note in read.notes]
        answers[name] = tuple(read.answers[place] for place in inside)
    if options.only:
        notes.append(f"{len(inside):,} of {len(asked):,} questions where {', '.join(options.only)}")
    chosen = tuple(asked[place] for place in inside)
    return Systems(chosen, answers, asked, tagged.levels, tuple(notes))


def _selected(questions: QuestionSet, only: Sequence[str]) -> list[int]:
    from assay.scoring.columns import places_of

    wanted = []
    for condition in only:
        name, equals, value = condition.partition("=")
        if not equals:
            raise AssayError(f"--only {condition}: COLUMN=VALUE is due")
        wanted.append((name, value))
    return places_of(questions, wanted)
