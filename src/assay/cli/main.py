"""The command `assay`: its verbs, and what becomes of an error."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from assay import __version__
from assay.cli.aflite import aflite
from assay.cli.answer import answer
from assay.cli.check import check
from assay.cli.compare import compare
from assay.cli.convert import convert
from assay.cli.corpus import corpus
from assay.cli.curves import curves
from assay.cli.describe import describe
from assay.cli.distractors import distractors
from assay.cli.entail import entail
from assay.cli.export import export
from assay.cli.gold import gold
from assay.cli.items import items
from assay.cli.leaks import leaks
from assay.cli.merge import merge
from assay.cli.output import print_error
from assay.cli.overlap import overlap
from assay.cli.pairs import pairs
from assay.cli.partition import partition
from assay.cli.passages import passages
from assay.cli.recall import recall
from assay.cli.report import report
from assay.cli.retrieve import retrieve
from assay.cli.run import run
from assay.cli.score import score
from assay.cli.spans import spans
from assay.cli.split import split
from assay.cli.statements import statements
from assay.cli.train import train
from assay.cli.tuples import tuples
from assay.errors import AssayError

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Build multiple-choice benchmarks that simple methods can't pass, and measure systems on them.",
    epilog="Example: assay run benchmark.toml",
)


def _version(show: bool) -> None:
    if show:
        typer.echo(f"assay {__version__}")
        raise typer.Exit


@app.callback()
def assay(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Build multiple-choice benchmarks that simple methods can't pass, and measure systems on them."""


for function, summary, example in (
    (run, "Questions and a corpus to Easy and Challenge, scores, a report.", "benchmark.toml"),
    (
        check,
        "List every fault; --artifacts: what gives keys away.",
        "ARC-Easy-*.jsonl --duplicates --artifacts --html artifacts.html",
    ),
    (
        aflite,
        "Leave out the questions that blind probes predict.",
        "train.jsonl --kept kept.jsonl --removed removed.jsonl --held-out dev.jsonl",
    ),
    (describe, "Say what a question set holds.", "ARC-Challenge-*.csv --aliases arc --html arc.html"),
    (convert, "Write question files in another format.", "ARC-Easy-Dev.csv --to hf-parquet -o dev.parquet"),
    (merge, "Make one question set of several sources.", "sources.toml -o merged.jsonl --diagrams drop"),
    (
        answer,
        "Answer questions with one solver.",
        "questions.jsonl --solver ir --corpus corpora/science -o ir.jsonl",
    ),
    (
        retrieve,
        "Find evidence for every choice, in one step or two.",
        "dev.jsonl --corpus corpora/science --method two-step -o evidence.jsonl",
    ),
    (
        gold,
        "Make evidence of the facts that people named.",
        "ARC-Easy-Dev.jsonl --facts worldtree/dev.json --sentences sentences.json -o gold.jsonl",
    ),
    (
        train,
        "Train a reader on questions and their evidence.",
        "mcq --train train.jsonl --train-evidence train-e.jsonl --dev dev.jsonl --dev-evidence dev-e.jsonl "
        "--to models/mcq",
    ),
    (curves, "Draw how trainings went.", "models/decomposable cross=models/cross -o curves.svg"),
    (
        pairs,
        "Make entailment pairs of questions with known evidence.",
        "obqa-train.jsonl --never ARC-Challenge-Test.jsonl --evidence premises.jsonl -o pairs.jsonl",
    ),
    (
        entail,
        "Judge entailment pairs, with baselines.",
        "models/decomposable scitail/test.jsonl --threshold-from scitail/dev.jsonl",
    ),
    (
        export,
        "Turn a trained reader into ONNX, for quicker reading.",
        "models/mcq --to models/mcq-int8 --int8",
    ),
    (
        statements,
        "Make a statement of every question and choice.",
        "ARC-Challenge-Dev.jsonl --method lineage -o statements.jsonl",
    ),
    (
        tuples,
        "Show the tuples that sentences state (Open IE).",
        '"Minerals are identified by their luster."',
    ),
    (
        recall,
        "Compare evidence files by the gold facts they hold.",
        "dev.jsonl single.jsonl two-step=evidence.jsonl --plot recall.svg",
    ),
    (
        overlap,
        "Count the words that questions share with their facts.",
        "dev.jsonl --stop-words nltk-english --csv overlap.csv",
    ),
    (
        partition,
        "Part questions into Easy and Challenge.",
        "questions.jsonl ir.jsonl pmi.jsonl --sets sets",
    ),
    (
        distractors,
        "Give questions more choices, chosen by adversaries.",
        "dev.jsonl test.jsonl --adversary ir --corpus corpora/science --adversary reader "
        "--set reader.sentences=0 -o eight",
    ),
    (
        split,
        "Split questions into folds that leak little.",
        "questions.jsonl --to folds --folds train=78,dev=11,test=11 --compare",
    ),
    (
        passages,
        "Say what passage files hold; split them by article.",
        "dev-v1.1.json --to squad --parts train=76,dev=8,test=16",
    ),
    (
        spans,
        "Score spans by exact match and F1, beside baselines.",
        "models/bidaf squad/test.jsonl -o spans.json",
    ),
    (
        leaks,
        "Say what leaks between folds.",
        "train.jsonl dev.jsonl test.jsonl --predictions reader.jsonl --fail fact=0",
    ),
    (
        score,
        "Score predictions, with intervals and gates.",
        "ARC-Challenge-Test.jsonl DGEM.csv GSA.csv --by choices",
    ),
    (
        items,
        "What many systems say about each question.",
        "ARC-Challenge-Test.jsonl GSA.csv DGEM.csv ir.jsonl --sort discrimination",
    ),
    (compare, "Compare systems in pairs.", "ARC-Challenge-Test.jsonl GSA.csv DGEM.csv"),
    (report, "Draw a run's report again.", "runs/science -o science.html"),
):
    verb = function.__name__
    app.command(verb, short_help=summary, epilog=f"Example: assay {verb} {example}")(function)
app.add_typer(corpus, name="corpus", short_help="Import text as a corpus; show what is in one.")


def main() -> None:
    """Run the command. Exit status 0 fine, 1 the check found faults, 2 bad input or wrong usage."""
    for stream in ("stdout", "stderr"):
        # Closed by whoever started us: there is nobody to tell.
        if getattr(sys, stream) is None:
            setattr(sys, stream, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (till the end)
    try:
        app()
    except SystemExit as leaving:
        # Typer's way with a reader of our output that left (head, less): 1 would mean faults were found.
        if leaving.code == 1 and isinstance(leaving.__context__, BrokenPipeError):
            sys.exit(0)
        raise
    except AssayError as error:
        print_error(error)
        sys.exit(error.exit_status)
    except BrokenPipeError:
        # The reader of our output left (head, less): nothing is wrong, and nothing more can be said.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        sys.stderr.write("assay: interrupted; run the same command again to go on\n")
        sys.exit(130)
    except MemoryError:
        print_error(AssayError("out of memory"))
        sys.exit(2)
    except OSError as error:
        name = error.filename if isinstance(error.filename, str) else None
        print_error(AssayError(error.strerror or str(error), file=name))
        sys.exit(2)
