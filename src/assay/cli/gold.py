"""`assay gold`: the facts that people named as reasons, as evidence."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.question_options import QuestionFiles, QuestionOptions, SentencesFile
from assay.cli.spread import spread


@spread
def gold(
    questions: QuestionFiles,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Evidence file, for any reader.")
    ],
    facts: Annotated[
        list[Path] | None,
        typer.Option(
            "--facts",
            metavar="FILE",
            help="Explanations of WorldTree or EntailmentBank; again for more. Without it the facts that the "
            "questions carry (OpenBookQA, QASC).",
        ),
    ] = None,
    sentences: SentencesFile = None,
    roles: Annotated[
        str | None,
        typer.Option(
            "--roles", metavar="NAME,...", help="Only facts of these roles, such as CENTRAL; or fact1."
        ),
    ] = None,
    joined: Annotated[
        bool, typer.Option("--joined", help="Join a question's facts to one text, full stops added.")
    ] = False,
    keep_without: Annotated[
        bool,
        typer.Option("--keep-without", help="Keep questions without gold facts, with empty evidence."),
    ] = False,
    to_questions: Annotated[
        Path | None,
        typer.Option(
            "--to-questions",
            metavar="FILE",
            help="Write the questions that stand in the evidence file here, as Assay's own JSON lines.",
        ),
    ] = None,
    *,
    how: QuestionOptions,
    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Make evidence of gold facts: what a reader can do when the search is perfect.

    Every choice of a question gets the same sentences, in the role "gold". Explanations join their questions
    by id, or by stem and right answer where the file has no ids. Questions without gold facts are left out,
    unless asked for, and counted.
    """
    from assay.cli.output import print_json, print_lines, print_notes
    from assay.cli.written import check_written
    from assay.evidence.gold import gold_evidence, gold_facts
    from assay.questions import read_questions
    from assay.questions.answers import answer_to_json
    from assay.questions.explanations import join, of_own_facts, read_explanations
    from assay.questions.writing import write_questions
    from assay.storage import write_text

    outputs = {"--output": output, "--to-questions": to_questions}
    check_written(outputs, [*questions, *(facts or ()), sentences])
    reading = read_questions(questions, **how.settings())
    asked, notes = reading.questions, list(reading.notes)
    if facts:
        read = [read_explanations(path, sentences) for path in facts]
        notes += [note for one in read for note in one.notes]
        found = join(asked, [explanation for one in read for explanation in one.explanations])
    else:
        found = of_own_facts(asked)
    wanted = [role.strip() for role in roles.split(",")] if roles is not None else []
    by_id = gold_facts(found, wanted)
    kept = [question for question in asked if keep_without or question.id in by_id]
    answers = gold_evidence(kept, by_id, joined=joined)
    lines = (answer_to_json(*pair) + "\n" for pair in zip(kept, answers, strict=True))
    write_text(output, "".join(lines))
    if to_questions is not None:
        write_questions(kept, to_questions, "assay")
    summary = {
        "evidence": str(output),
        "questions": len(kept),
        "with_facts": len(by_id),
        "facts": sum(map(len, by_id.values())),
        "without_facts": len(asked) - len(by_id),
        "without_kept": keep_without,
        "explained_more_than_once": len(found.repeated),
        "explanations_of_others": len(found.unused),
    }
    if json:
        print_json({**summary, "notes": notes})
        return
    print_notes(notes)
    if found.repeated:
        print_notes(
            [f"{len(found.repeated):,} questions are explained more than once: all of their facts count"]
        )
    if found.unused:
        print_notes([f"{len(found.unused):,} explanations are of other questions"])
    print_lines(
        [
            f"{summary['facts']:,} gold facts of {len(by_id):,} questions in {output}; "
            f"{summary['without_facts']:,} questions have none and are "
            + ("kept with empty evidence" if keep_without else "left out")
        ]
    )
