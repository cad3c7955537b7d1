"""`assay distractors`: adversarial choices for questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.question_options import QuestionOptions, toml_pairs
from assay.cli.spread import spread
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.pipeline.adversaries import Adversary, TrainedAdversary


class Keep(StrEnum):
    """Which of the author's distractors stay."""

    all = "all"
    hard = "hard"
    none = "none"


class Draw(StrEnum):
    """What chance chooses from."""

    pool = "pool"
    any = "any"


class Lessons(StrEnum):
    """Which choices the questions have that an adversary is trained on."""

    random = "random"
    author = "author"


@dataclass(frozen=True, slots=True)
class AdversaryOptions:
    """Who chooses, and what they were trained on."""

    adversary: Annotated[
        list[str] | None,
        typer.Option(
            "--adversary",
            metavar="[NAME=]KIND",
            help="A solver that says what misleads (ir, reader, ...; see assay answer); twice, as a rule.",
        ),
    ] = None
    train_adversary: Annotated[
        list[str] | None,
        typer.Option(
            "--train-adversary",
            metavar="[NAME=]READER",
            help="A reader (see assay train) that is trained on other parts of the questions, and attacks "
            "each part that it hasn't seen.",
        ),
    ] = None
    corpus: Annotated[
        list[str] | None,
        typer.Option("--corpus", metavar="FOLDER", help="Corpus folder, or NAME=FOLDER for several."),
    ] = None
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A setting of the pool and the selection; ADVERSARY.NAME=VALUE: of an adversary.",
        ),
    ] = None
    training: Annotated[
        list[str] | None,
        typer.Option(
            "--training",
            metavar="NAME=VALUE",
            help="A setting of every --train-adversary's training; ADVERSARY.NAME=VALUE: of one's.",
        ),
    ] = None
    parts: Annotated[
        int, typer.Option(min=2, metavar="N", help="Parts, without a fact in common, for --train-adversary.")
    ] = 2
    train_with: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Train on the questions of these files instead of on other parts."),
    ] = None
    train_choices: Annotated[
        Lessons, typer.Option(help="Train on questions with random choices added, or with the author's only.")
    ] = Lessons.random
    allow_seen: Annotated[
        bool, typer.Option("--allow-seen", help="Attack with adversaries that were trained on the questions.")
    ] = False


@spread
def distractors(
    questions: Annotated[
        list[str],
        typer.Argument(metavar="QUESTIONS", help="Question files with keys and source facts; each a fold."),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="Folder for the questions, provenance and check list; what was cut off there goes on.",
        ),
    ],
    ways: Annotated[
        int, typer.Option(min=2, metavar="N", help="Choices a question in the end, with the key.")
    ] = 8,
    author: Annotated[
        Keep,
        typer.Option(help="Which of the author's distractors stay: all, hard ones, none (from scratch)."),
    ] = Keep.all,
    *,
    who: AdversaryOptions,
    random: Annotated[
        Draw | None,
        typer.Option(help="No adversaries: draw from the pool, or from any answers of the fold (a control)."),
    ] = None,
    fold: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Column that names each question's fold.")
    ] = None,
    without_facts: Annotated[
        bool,
        typer.Option("--without-facts", help="Tell similar questions by question and answer, not by facts."),
    ] = False,
    validated: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Check list that came back with verdicts: what it rejects is replaced; again for more.",
        ),
    ] = None,
    allow_fewer: Annotated[
        bool, typer.Option("--allow-fewer", help="Questions may end with fewer choices; counted and listed.")
    ] = False,
    vectors: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Static vectors that find near-synonyms of the key for the check list; none: without.",
        ),
    ] = "glove",
    how: QuestionOptions,
    to: Annotated[
        str | None, typer.Option(metavar="FORMAT", help="Format to write; else each file's own.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of everything that is drawn.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print what was done as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress and no summary.")] = False,
) -> None:
    """Give questions more choices: other questions' answers that mislead adversaries (QASC, section 6).

    Writes each file with the new choices, choices.jsonl (where each comes from), pools.jsonl (what became of
    every candidate), check.csv and check.jsonl (for people: which added choices may be right as well).
    """
    from assay.cli.answer import corpora_of
    from assay.cli.output import print_json, say
    from assay.cli.progress import progress
    from assay.construction.distractors.settings import distractor_settings
    from assay.pipeline.distractors import DistractorPlan, make_distractors

    adversaries, own = _adversaries(who)
    given = {"ways": ways, "author": author.value, "seed": seed, **_similarity(without_facts)}
    twice = sorted(given.keys() & own.keys())
    if twice:
        raise AssayError(f"--set {twice[0]}: this setting has an option of its own")
    plan = DistractorPlan(
        files=questions,
        output=output,
        settings=distractor_settings({**given, **own}),
        adversaries=adversaries,
        corpora=corpora_of(who.corpus or []),
        chance=None if random is None else random.value,
        fold=fold,
        train_with=who.train_with or (),
        parts=who.parts,
        validated=validated or (),
        allow_fewer=allow_fewer,
        allow_seen=who.allow_seen,
        format=to,
        vectors=None if vectors == "none" else vectors,
        reading=how.settings(),
    )
    record = make_distractors(
        plan,
        progress=progress(quiet=quiet or json),
        tell=lambda line: None if quiet else say(f"assay: note: {line}"),
    )
    if json:
        print_json({"folder": str(output), **record})
    elif not quiet:
        _print(record, output)


def _similarity(without_facts: bool) -> dict[str, Any]:
    return {"similarity": "text" if without_facts else "facts"}


def _named(given: Sequence[str]) -> list[tuple[str, str]]:
    """Name and kind of each; a kind alone is its own name."""
    found = []
    for text in given:
        name, equals, kind = text.partition("=")
        found.append((name, kind) if equals else (text, text))
    return found


def _adversaries(who: AdversaryOptions) -> tuple[list[Adversary | TrainedAdversary], dict[str, Any]]:
    """The adversaries with their settings, and what is left: settings of the pool and the selection."""
    from assay.pipeline.adversaries import Adversary, TrainedAdversary

    asked, taught = _named(who.adversary or ()), _named(who.train_adversary or ())
    names = [name for name, _ in (*asked, *taught)]
    settings, own = _by_name(toml_pairs(who.setting, "--set"), names, "--set")
    training, shared = _by_name(
        toml_pairs(who.training, "--training"), [name for name, _ in taught], "--training"
    )
    if shared and not taught:
        raise AssayError("--training is for --train-adversary, and there is none")
    found: list[Adversary | TrainedAdversary] = [
        Adversary(name, kind, settings.get(name, {})) for name, kind in asked
    ]
    found += [
        TrainedAdversary(
            name, kind, settings.get(name, {}), {**shared, **training.get(name, {})}, who.train_choices.value
        )
        for name, kind in taught
    ]
    return found, own


def _by_name(
    given: Mapping[str, Any], names: Sequence[str], option: str
) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    by_name: dict[str, dict[str, Any]] = {}
    own: dict[str, Any] = {}
    for setting, value in given.items():
        name, dot, rest = setting.rpartition(".")
        if not dot:
            own[setting] = value
        elif name in names:
            by_name.setdefault(name, {})[rest] = value
        else:
            raise AssayError(
                f"{option} {setting}: no adversary is called {name!r}",
                hint=f"there are: {', '.join(names) or 'none'}",
            )
    return by_name, own


def _print(record: Mapping[str, Any], folder: Path) -> None:
    from assay.cli.output import print_lines, print_table

    pool = record["pool"]
    ways = ", ".join(f"{count:,} with {number}" for number, count in record["ways"].items())
    print_lines(
        [
            f"{sum(record['questions'].values()):,} questions: {ways} choices; {record['added']:,} added",
            f"candidates a question: {pool['mean']} in the mean, {pool['smallest']} at least",
        ]
    )
    print_table(
        "What became of the candidates",
        {"fate": "left", "candidates": "right"},
        [[fate, f"{count:,}"] for fate, count in record["candidates"].items()],
    )
    if record["preferred_by"]:
        print_table(
            "Adversaries that prefer an added choice to the key",
            {"adversaries": "right", "choices": "right"},
            [[number, f"{count:,}"] for number, count in record["preferred_by"].items()],
        )
    lines = [f"author's distractors that went, {why}: {n:,}" for why, n in record["author_dropped"].items()]
    if record["short"]:
        named = ", ".join(f"{name} ({missing})" for name, missing in record["short"].items())
        lines.append(f"short of choices, {len(record['short']):,} questions: {named}")
    if record["questions_dropped"]:
        lines.append(f"left out by verdict: {', '.join(record['questions_dropped'])}")
    lines += [f"to look at: {why}: {n:,} choices" for why, n in record["reasons_to_look"].items()]
    print_lines([*lines, f"wrote {folder}; check.csv is for people to fill in, --validated reads it back"])
