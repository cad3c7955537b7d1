"""`assay report`: the report page of a run, drawn again from what the run stored."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.output import print_json, print_lines


def report(
    run: Annotated[
        Path,
        typer.Argument(metavar="RUN", help="A run folder, or the report.json of one.", show_default=False),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The page to write; by default report.html in the run folder.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Say what was written as JSON.")] = False,
) -> None:
    """Draw a run's report: one HTML file that opens from disk and needs no network.

    Nothing is computed anew: the page shows what `assay run` stored in report.json.
    """
    from assay.errors import AssayError
    from assay.report.data import read_report_data
    from assay.report.page import write_report

    stored = run / "report.json" if run.is_dir() else run
    if run.is_dir() and not stored.exists():
        raise AssayError(
            "no report.json in this folder", file=run, hint="finish the run: assay run benchmark.toml"
        )
    data = read_report_data(stored)
    page = output or stored.with_name("report.html")
    write_report(data, page)
    if as_json:
        size = page.stat().st_size
        print_json({"report": str(page), "questions": len(data.questions), "bytes": size})
        return
    print_lines([data.sentence, f"Report: {page}"])
