"""`assay split`: questions to train, dev and test, or any folds, with as little leak as can be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.question_options import Metadata, QuestionOptions
from assay.cli.spread import spread

if TYPE_CHECKING:
    from assay.construction.folds.comparison import Way
    from assay.pipeline.splitting import SplitPlan


@spread
def split(
    questions: Annotated[
        list[str], typer.Argument(metavar="QUESTIONS", help="Question files of any known format.")
    ],
    to: Annotated[
        Path,
        typer.Option("--to", metavar="FOLDER", help="Where the folds go, a file each, with folds.json."),
    ],
    folds: Annotated[
        str,
        typer.Option(
            metavar="SIZES", help="Names and shares in percent, or numbers of questions: NAME=SIZE,NAME=SIZE."
        ),
    ] = "train=78,dev=11,test=11",
    slack: Annotated[
        str | None,
        typer.Option(
            metavar="PERCENT",
            help="Percent of all questions that a fold may be off; else 1 for shares, 0 for numbers.",
        ),
    ] = None,
    by: Annotated[
        str,
        typer.Option(
            metavar="COLUMN",
            help="Questions of one value stay together: fact1, metadata, a tag; 'none': only duplicates.",
        ),
    ] = "fact1",
    alone: Annotated[
        bool, typer.Option("--alone", help="A question without a value of --by is a group of its own.")
    ] = False,
    together: Annotated[
        str,
        typer.Option(
            metavar="KEY",
            help="Equal questions stay together: one of the keys of 'assay check --duplicates', or 'none'.",
        ),
    ] = "stem_alnum",
    stratify: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMNS",
            help="Instead of the smallest cut: these columns (set,exam,grade) lie in each fold as in all.",
        ),
    ] = None,
    similarity: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE", help="How alike groups are: overlap, threshold, language, stop_words."
        ),
    ] = None,
    search: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="How folds are looked for: walks, steps, solver, effort, bound.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of everything that is drawn.")] = 0,
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="A limit by the clock. Folds that it ended are marked: another run may make others.",
        ),
    ] = None,
    compare: Annotated[
        bool, typer.Option("--compare", help="Also compare with random splits by question and by group.")
    ] = False,
    *,
    how: QuestionOptions,
    metadata: Metadata = None,
    json: Annotated[bool, typer.Option("--json", help="Print the record as strict JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Split questions into folds: each group whole in one fold, sizes kept, similarity across folds small.

    Groups are the questions of one seed fact. The cut is the tf-idf overlap of groups in different folds; a
    lower bound says how much smaller any cut could be. The same input gives the same bytes on any machine.
    """
    from assay.cli.output import print_json, print_notes
    from assay.cli.progress import progress
    from assay.pipeline.split_folder import check_folder
    from assay.pipeline.splitting import (
        RECORD,
        compared,
        made_before,
        make_folds,
        plan_key,
        write_folds,
    )
    from assay.questions import read_questions
    from assay.scoring.record import as_record

    plan = _plan(
        folds, slack, by, alone, together, stratify, similarity, [*(search or ()), f"seed={seed}"], seconds
    )
    reading = read_questions(questions, **how.settings(metadata))
    check_folder(to, questions, RECORD, "folds")
    before = made_before(to, plan_key(reading.questions, plan))
    ways: tuple[Way, ...] = ()
    if before is not None and not compare:
        record = before
    else:
        made = make_folds(reading.questions, plan, progress(quiet=quiet))
        ways = compared(made) if compare else ()
        record = write_folds(made, reading, to)
    if json:
        print_json({**record, "comparison": as_record(ways)} if compare else record)
        return
    print_notes([*reading.notes, *record["notes"]])
    _print(record, ways, to)


def _plan(
    folds: str,
    slack: str | None,
    by: str,
    alone: bool,
    together: str,
    stratify: str | None,
    similarity: list[str] | None,
    search: list[str],
    seconds: float | None,
) -> SplitPlan:
    from typing import cast

    from assay.cli.question_options import toml_pairs
    from assay.construction.folds.similarity import SimilaritySettings
    from assay.construction.folds.split import SplitSettings
    from assay.errors import AssayError
    from assay.pipeline.splitting import SplitPlan
    from assay.questions.duplicates import KeyKind
    from assay.settings import exact_number, read_settings

    try:
        off = None if slack is None else exact_number(slack.removesuffix("%"))
    except ValueError:
        raise AssayError(f"--slack must be a number, in percent. Got {slack!r}.") from None
    given = toml_pairs(search, "--set") | ({} if seconds is None else {"seconds": seconds})
    return SplitPlan(
        folds,
        off,
        None if by == "none" else by,
        alone,
        None if together == "none" else cast(KeyKind, together),
        tuple(name.strip() for name in stratify.split(",")) if stratify else (),
        read_settings(SimilaritySettings, toml_pairs(similarity, "--similarity"), "--similarity"),
        read_settings(SplitSettings, given, "--set"),
    )


def _print(record: dict[str, Any], ways: tuple[Way, ...], to: Path) -> None:
    from assay.cli.output import print_lines, print_table

    rows = [
        [
            name,
            f"{fold['questions']:,}",
            f"{fold['low']:,} to {fold['high']:,}",
            f"{fold['groups']:,}",
            fold["file"],
        ]
        for name, fold in record["folds"].items()
    ]
    columns = {"fold": "left", "questions": "right", "allowed": "right", "groups": "right", "file": "left"}
    print_table(f"{record['questions']:,} questions in {record['groups']:,} groups", columns, rows)
    if record["joined_by_duplicates"]:
        print_lines(
            [f"put together because they hold the same question: {record['joined_by_duplicates']:,} groups"]
        )
    if "cut" in record:
        print_lines(
            [
                f"cut {record['cut']:,.1f} of {record['similarity']:,.1f} ({record['edges']:,} edges); none "
                f"is below {record['bound']:,.1f} ({record['bound_by']}); {record['status']}, "
                f"gap {100 * record['gap']:.1f}%"
            ]
        )
    if record["balance"]:
        from assay.cli.fold_tables import print_balance
        from assay.construction.folds.balance import Balance

        print_balance([Balance(**each) for each in record["balance"]], list(record["folds"]))
    if ways:
        _print_ways(ways, list(record["folds"]))
    print_lines([f"wrote {to}"])


def _print_ways(ways: tuple[Way, ...], folds: list[str]) -> None:
    from assay.cli.output import print_table

    names = {"way": "left"} | dict.fromkeys(folds, "right")
    columns = names | dict.fromkeys(
        ("cut", "group elsewhere too", "near stem elsewhere", "near pairs"), "right"
    )
    rows = []
    for way in ways:
        sizes = [f"{size:,.0f}" for size in way.sizes]
        figures = (way.cut, way.torn, way.near, way.near_pairs)
        rows.append([way.way, *sizes, *(f"{figure:,.1f}" for figure in figures)])
    draws = max(way.draws for way in ways)
    print_table("Against random splits", columns, rows, foot=f"random: means of {draws} draws")
