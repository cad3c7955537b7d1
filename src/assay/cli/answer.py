"""`assay answer`: one solver's answers to question files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.question_options import QuestionFiles, QuestionOptions, toml_pairs
from assay.cli.spread import spread


@spread
def answer(
    questions: QuestionFiles,
    solver: Annotated[
        str,
        typer.Option(
            "--solver",
            metavar="KIND",
            help="guess-all, random, ir, pmi, shortcut, odd-one-out, vector-similarity, tableilp, reader, "
            "entailment, span, tuple-inference, predictions, or a plug-in: my.py:MySolver.",
        ),
    ],
    corpus: Annotated[
        list[str] | None,
        typer.Option(
            "--corpus",
            metavar="FOLDER",
            help="Corpus folder (see 'assay corpus import'), or NAME=FOLDER for several.",
        ),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A setting of the solver (TOML; plain text needs no quotes); again for more.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Answers file; a run that was cut off goes on in it. Else standard output.",
        ),
    ] = None,
    *,
    how: QuestionOptions,
    json: Annotated[bool, typer.Option("--json", help="Print a summary as JSON (with -o).")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress and no summary.")] = False,
) -> None:
    """Answer questions with one solver.

    Writes one JSON line a question: chosen labels, a score per choice, evidence. Questions need no key.
    """
    import sys
    import tempfile

    from assay.cli.output import print_json, print_lines, print_notes
    from assay.cli.progress import progress
    from assay.cli.written import check_written, texts_in
    from assay.errors import AssayError
    from assay.pipeline.answering import answer_all
    from assay.questions import read_questions
    from assay.solvers import registry
    from assay.solvers.solver import Checking

    if json and output is None:
        raise AssayError("--json prints a summary, so the answers need a file", hint="name one with -o")
    settings = toml_pairs(setting, "--set")
    if corpus and isinstance(settings.get("evidence"), str):
        raise AssayError(
            "what the solver reads is given twice: by --corpus, and by the setting evidence",
            hint="leave one of them away",
        )
    # Whatever a setting names (evidence, predictions, a stop list) is read too.
    check_written({"--output": output}, [*questions, *texts_in(settings)])
    reading = read_questions(questions, **how.settings())
    asked = reading.questions
    built = registry.build(solver, solver, settings, corpora_of(corpus or []))
    print_notes(reading.notes)
    if isinstance(built, Checking):
        print_notes(built.check(asked))
    if output is not None:
        done = answer_all(built, asked, output, progress=progress(quiet=quiet or json))
        summary = {"answers": str(output), "questions": len(done.answers), "reused": done.reused}
        if json:
            print_json(summary)
        elif not quiet:
            print_lines([f"{len(done.answers):,} answers in {output}, {done.reused:,} of them made before"])
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        answer_all(built, asked, path, progress=progress(quiet=quiet))
        sys.stdout.flush()
        sys.stdout.buffer.write(path.read_bytes())


def corpora_of(given: list[str]) -> dict[str, Any]:
    """Corpora by name, of options FOLDER or NAME=FOLDER. AssayError for a name given twice."""
    from assay.corpus import open_corpus
    from assay.errors import AssayError

    corpora = {}
    for entry in given:
        name, equals, folder = entry.partition("=")
        corpus = open_corpus(folder if equals else entry)
        name = name if equals else corpus.name
        if name in corpora:
            raise AssayError(f"two corpora are called {name}", hint="tell them apart: --corpus NAME=FOLDER")
        corpora[name] = corpus
    return corpora
