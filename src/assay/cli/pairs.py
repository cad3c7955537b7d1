"""`assay pairs`: entailment pairs to train on, from questions whose evidence is known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.question_options import QuestionFiles, QuestionOptions, SentencesFile, toml_pairs
from assay.cli.spread import spread


@spread
def pairs(
    questions: QuestionFiles,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Write the pairs here (jsonl).")
    ],
    facts: Annotated[
        list[Path] | None,
        typer.Option(
            "--facts",
            metavar="FILE",
            help="Explanations of WorldTree or EntailmentBank; again for more. The facts that questions "
            "carry (OpenBookQA, QASC) and SciQ's support are used in any case.",
        ),
    ] = None,
    sentences: SentencesFile = None,
    evidence: Annotated[
        list[Path] | None,
        typer.Option(
            "--evidence",
            metavar="FILE",
            help="Evidence files, as assay retrieve writes them: near sentences that are neutral.",
        ),
    ] = None,
    never: Annotated[
        list[str] | None,
        typer.Option(
            "--never",
            metavar="FILE",
            help="Questions held out: neither these nor any with the same stem give pairs. Again for more.",
        ),
    ] = None,
    never_pairs: Annotated[
        list[str] | None,
        typer.Option(
            "--never-pairs",
            metavar="FILE",
            help="Pairs held out (SciTail's dev and test): no question that says what a hypothesis of "
            "theirs says gives pairs. Again for more.",
        ),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of what becomes a pair; again for more."),
    ] = None,
    *,
    how: QuestionOptions,
    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Make pairs of premise and hypothesis to train an entailment network on.

    The statement of the right choice is entailed by the question's facts: each that shares enough with it,
    all joined, and the steps of an explanation. Neutral are statements of wrong choices with the same facts
    and with sentences found for them, and the right one with sentences that don't say it. Each pair carries
    the digest of its question, so that a network knows what it was trained on.
    """
    from assay.cli.output import print_json, print_lines, print_notes, print_table
    from assay.cli.progress import progress
    from assay.cli.written import check_written
    from assay.entailment.making import PairSettings
    from assay.entailment.reading import read_pairs
    from assay.entailment.writing import write_pairs
    from assay.pipeline.making_pairs import Never, Sources, make_pairs
    from assay.questions import read_questions
    from assay.questions.model import QuestionSet
    from assay.settings import read_settings

    inputs = [*questions, *(facts or ()), sentences, *(evidence or ()), *(never or ())]
    inputs += never_pairs or ()
    check_written({"--output": output}, inputs)
    settings = read_settings(PairSettings, toml_pairs(setting, "--set"), "pairs")
    reading = read_questions(questions, **how.settings())
    held_out = Never(
        read_questions(never).questions if never else QuestionSet(()),
        [pair.hypothesis for pair in read_pairs(never_pairs).pairs] if never_pairs else (),
    )
    sources = Sources(facts or (), sentences, evidence or ())
    made = make_pairs(reading.questions, sources, held_out, settings, progress(quiet=json))
    write_pairs(output, made.pairs)
    notes = (*reading.notes, *made.notes)
    rows = sorted(made.counts.items(), key=lambda item: (item[0][1], item[0][0]))
    if json:
        counts = [{"kind": kind, "label": label, "pairs": number} for (kind, label), number in rows]
        record = {"pairs": len(made.pairs), "questions": made.questions, "counts": counts}
        print_json({**record, "notes": list(notes)})
        return
    print_notes(notes)
    columns = {"made of": "left", "label": "left", "pairs": "right"}
    print_table("Pairs", columns, [[kind, label, f"{number:,}"] for (kind, label), number in rows])
    print_lines([f"wrote {len(made.pairs):,} pairs of {made.questions:,} questions to {output}"])
