"""`assay statements`: what entailment solvers are asked, a statement for every choice, and which rule made
it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.question_options import Metadata, QuestionOptions
from assay.cli.spread import spread


@spread
def statements(
    files: Annotated[
        list[str], typer.Argument(metavar="QUESTIONS", help='Question files; "-" is standard input.')
    ],
    *,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="NAME",
            help="grammatical: in the order of a statement; lineage: a blank filled, as in ARC's baselines.",
        ),
    ] = "grammatical",
    only: Annotated[
        str | None,
        typer.Option("--rule", metavar="NAME", help="Show only what this rule made, such as 'side by side'."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the statements here (jsonl), one a line."),
    ] = None,
    how: QuestionOptions,
    metadata: Metadata = None,
    json: Annotated[bool, typer.Option("--json", help="Print the statements as strict JSON.")] = False,
) -> None:
    """Make a statement of every question and choice, true if the choice is right (ARC paper, appendix B).

    Each carries the rule that made it, and the sentences of the stem that it leaves out. Then each rule is
    counted. With --output the statements go to a file, and only the counts are printed.
    """
    from collections import Counter

    from assay.cli.output import print_json, print_lines, print_notes, print_table
    from assay.errors import AssayError
    from assay.questions import read_questions
    from assay.questions.statements import statement_records
    from assay.storage import to_json, write_text

    reading = read_questions(files, **how.settings(metadata))
    made = statement_records(reading.questions, method)
    rules = Counter(str(one["rule"]) for one in made)
    if only is not None:
        if only not in rules:
            raise AssayError(
                f"--rule: no statement was made by {only!r}", hint=f"there are: {', '.join(sorted(rules))}"
            )
        made = [one for one in made if one["rule"] == only]
    if output is not None:
        write_text(output, "".join(to_json(one) + "\n" for one in made))
    counts = dict(sorted(rules.items(), key=lambda pair: (-pair[1], pair[0])))
    if json:
        record = {
            "method": method,
            "questions": len(reading.questions),
            "rules": counts,
            "notes": list(reading.notes),
        }
        print_json(record if output is not None else {**record, "statements": made})
        return
    print_notes(reading.notes)
    if output is None:
        columns = dict.fromkeys(("question", "choice", "statement", "rule"), "left")
        print_table(
            f"Statements, {method}",
            columns,
            [[str(one[name]) for name in ("id", "label", "statement", "rule")] for one in made],
        )
    print_table(
        "Rules", {"rule": "left", "statements": "right"}, [[rule, f"{n:,}"] for rule, n in counts.items()]
    )
    if output is not None:
        print_lines([f"wrote {len(made):,} statements to {output}"])
