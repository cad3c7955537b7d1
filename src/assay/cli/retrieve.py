"""`assay retrieve`: evidence for each choice, and how much of the gold facts it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.question_options import QuestionFiles, QuestionOptions, toml_pairs
from assay.cli.spread import spread
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.evidence.premises import PremiseSettings
    from assay.evidence.retrieval import RetrievalSettings
    from assay.scoring.gold import GoldFact
    from assay.scoring.recall import Recall


@spread
def retrieve(
    questions: QuestionFiles,
    corpus: Annotated[
        Path, typer.Option("--corpus", metavar="FOLDER", help="Corpus folder (see 'assay corpus import').")
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Evidence file; a run that was cut off goes on in it."
        ),
    ],
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="NAME",
            help="single: the best sentences of stem + choice. two-step: pairs of a first fact and one that "
            "joins what it adds to what it leaves out. dense: the sentences whose vectors are nearest. "
            "hybrid: single and dense, joined by ranks. hybrid-two-step: two steps that look at both. "
            "premises: the best 8 of a question that hold their choice, for entailment solvers.",
        ),
    ] = "two-step",
    k: Annotated[
        int | None,
        typer.Option(
            "-k", metavar="N", help="Sentences a choice; 10 unless set. Premises: a question; 8 unless set."
        ),
    ] = None,
    preset: Annotated[
        str,
        typer.Option(
            "--preset",
            metavar="NAME",
            help="Where the settings start from: paper, lineage; best (not premises).",
        ),
    ] = "paper",
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A constant (TOML; plain text needs no quotes); again for more. docs/retrieval.md and "
            "docs/premises.md list all.",
        ),
    ] = None,
    rerank: Annotated[
        int | None,
        typer.Option(
            "--rerank",
            min=1,
            metavar="N",
            help="Judge the best N sentences (two-step: pairs) of single or two-step by vectors too.",
        ),
    ] = None,
    vectors: Annotated[
        Path | None,
        typer.Option(
            "--vectors",
            metavar="FOLDER",
            help="What 'assay corpus encode' wrote; by default the vectors in the corpus's folder.",
        ),
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            "--encoder", metavar="NAME", help="Encoder of the queries, by default the one of the vectors."
        ),
    ] = None,
    recall_at: Annotated[
        str | None,
        typer.Option(
            "--recall-at",
            metavar="N,N,...",
            help="Recall of the gold facts among so many sentences; by default 1,2,5,10,20 up to what there "
            "is, if the questions have facts.",
        ),
    ] = None,
    cluster: Annotated[
        str, typer.Option("--cluster", metavar="COLUMN", help="Cluster the intervals; none: don't.")
    ] = "fact1",
    gold: Annotated[
        Path | None,
        typer.Option(
            "--gold",
            metavar="FILE",
            help="Write a table of the gold facts: in the corpus, missing, or why the filter drops them.",
        ),
    ] = None,
    dropped: Annotated[
        Path | None,
        typer.Option(
            "--dropped",
            metavar="FILE",
            help="Premises: write what isn't one, and why (CSV, or JSON lines where it ends in .jsonl).",
        ),
    ] = None,
    dropped_hits: Annotated[
        int | None,
        typer.Option(
            "--dropped-hits",
            min=0,
            metavar="N",
            help="With --dropped: of so many best hits of stem + choice list those that lack the choice; 20 "
            "unless set.",
        ),
    ] = None,
    *,
    how: QuestionOptions,
    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Retrieve evidence for every choice, once, for any reader to use.

    Writes one JSON line a question, an answer that chooses nothing: for each choice its sentences, best
    first, with ids, scores and roles. Where questions have a key and two gold facts, prints the recall of
    both and of either among the key's sentences.
    """
    import time

    from assay.cli.encoders import open_vectors_with_encoder
    from assay.cli.output import print_json, print_notes
    from assay.cli.premises_table import print_premises
    from assay.cli.progress import progress
    from assay.cli.written import check_written, texts_in
    from assay.corpus import open_corpus
    from assay.evidence.dense_retrieval import DenseSettings
    from assay.evidence.methods import open_retriever
    from assay.evidence.premises import Premises
    from assay.pipeline.answering import answer_all
    from assay.pipeline.premises import premises_record
    from assay.questions import read_questions
    from assay.scoring.gold import gold_facts
    from assay.scoring.recall import has_gold, recall

    asked_for = toml_pairs(setting, "--set")
    outputs = {"--output": output, "--gold": gold, "--dropped": dropped}
    check_written(outputs, [*questions, *texts_in(asked_for)])
    reading = read_questions(questions, **how.settings())
    asked = reading.questions
    settings = _settings(method, k, rerank, preset, asked_for)
    _check_dropped(method, dropped, dropped_hits)
    wanted = (recall_at or gold) and not any(map(has_gold, asked))
    if wanted:
        raise AssayError(
            f"no recall: none of the {len(asked):,} questions has a key and two gold facts",
            hint="leave --recall-at and --gold away to retrieve alone",
        )
    ks = _ks(recall_at, settings.sentences)
    opened = open_corpus(corpus)
    by_words = not isinstance(settings, DenseSettings)
    if by_words and (vectors is not None or encoder is not None):
        raise AssayError(f"method {method!r} looks at no vectors: leave --vectors and --encoder away",
                         hint="or --rerank N")  # fmt: skip
    given = {} if by_words else open_vectors_with_encoder(opened, vectors, encoder)
    retriever = open_retriever(method, opened, settings, **given)
    print_notes(reading.notes)
    show = progress(quiet=json)
    started = time.monotonic()
    done = answer_all(retriever, asked, output, progress=show, what="evidence by")
    seconds = time.monotonic() - started
    facts: tuple[GoldFact, ...] = ()
    found = None
    if any(map(has_gold, asked)):
        facts = gold_facts(opened, asked, settings.rules, progress=show)
        found = recall(asked, done.answers, ks, cluster=None if cluster == "none" else cluster)
    if gold is not None:
        _write_gold(gold, facts)
    summary: dict[str, Any] = {
        "evidence": str(output),
        "questions": len(done.answers),
        "reused": done.reused,
        "settings": dict(retriever.settings),
        "queries": retriever.queries,
        "dropped": retriever.dropped,
    }
    about = None
    if isinstance(retriever, Premises):
        about = premises_record(retriever, asked, done, dropped, dropped_hits, progress=show)
        summary |= about
    if json:
        print_json({**summary, **_recall_record(found, facts)})
        return
    _print(summary, seconds)
    if about is not None:
        print_premises(about)
    if found is None:
        print_notes(["no recall: no question has a key and two gold facts"])
    else:
        _print_recall(found, facts)


def _check_dropped(method: str, dropped: Path | None, hits: int | None) -> None:
    from assay.evidence.premises import Premises

    if method != Premises.name and (dropped is not None or hits is not None):
        raise AssayError("--dropped and --dropped-hits are for --method premises")
    if hits is not None and dropped is None:
        raise AssayError("--dropped-hits goes with --dropped")


def _settings(
    method: str, k: int | None, rerank: int | None, preset: str, given: Mapping[str, Any]
) -> RetrievalSettings | PremiseSettings:
    from assay.evidence.methods import retrieval_settings

    if k is not None and "k" in given:
        raise AssayError("k is given twice: by -k and by --set")
    own = {name: value for name, value in (("k", k), ("rerank", rerank)) if value is not None}
    return retrieval_settings(method, {**given, **own}, preset=preset, rerank=rerank is not None)


def _ks(given: str | None, most: int) -> list[int]:
    from assay.scoring.recall import KS

    if given is None:
        return sorted({k for k in KS if k < most} | {most})
    parts = [part.strip() for part in given.split(",")]
    if not all(part.isascii() and part.isdecimal() and 1 <= int(part) <= most for part in parts):
        raise AssayError(
            f"--recall-at takes whole numbers from 1 to {most}, the sentences retrieved. Got {given!r}"
        )
    return sorted({int(part) for part in parts})


def _state(fact: GoldFact) -> str:
    if fact.sentence is None:
        return "missing"
    return "in the corpus" if fact.dropped is None else f"dropped: {fact.dropped}"


def _write_gold(path: Path, facts: Sequence[GoldFact]) -> None:
    from assay.storage import csv_line, write_text

    rows = [("question", "fact", "sentence", "state", "text")]
    rows += [
        (
            fact.question_id,
            fact.fact,
            "" if fact.sentence is None else str(fact.sentence),
            _state(fact),
            fact.text,
        )
        for fact in facts
    ]
    write_text(path, "".join(csv_line(row) for row in rows))


def _gold_counts(facts: Sequence[GoldFact]) -> dict[str, int]:
    """Distinct facts by what became of them, and the questions whose two facts can be found."""
    from assay.scoring.gold import with_both
    from assay.scoring.recall import fact_key

    by_key = {fact_key(fact.text): fact for fact in facts}
    return {
        "facts": len(by_key),
        "missing": sum(fact.sentence is None for fact in by_key.values()),
        "dropped": sum(fact.dropped is not None for fact in by_key.values()),
        "questions": len({fact.question_id for fact in facts}),
        "questions_with_both": len(with_both(facts)),
    }


def _recall_record(found: Recall | None, facts: Sequence[GoldFact]) -> dict[str, Any]:
    from assay.scoring.record import as_record

    if found is None:
        return {"recall": None, "gold": None}
    return {
        "recall": as_record(found.rows),
        "without_facts": found.without_facts,
        "without_key": found.without_key,
        "gold": _gold_counts(facts),
    }


def _print(summary: Mapping[str, Any], seconds: float) -> None:
    from assay.cli.output import print_lines, print_notes

    new = summary["questions"] - summary["reused"]
    print_lines(
        [f"Evidence for {summary['questions']:,} questions in {summary['evidence']}, "
         f"{summary['reused']:,} of them made before"]
    )  # fmt: skip
    if new and "premises" not in summary:
        dropped = ", ".join(f"{rule} {count:,}" for rule, count in summary["dropped"].items())
        print_lines([f"Hits that the sentence filter dropped: {dropped}"])
    if new:
        queries = summary["queries"]
        print_notes([f"{queries:,} queries in {seconds:.1f} s, {queries / max(seconds, 1e-3):,.0f} a second"])


def _print_recall(found: Recall, facts: Sequence[GoldFact]) -> None:
    from assay.cli.output import print_lines
    from assay.cli.recall_table import print_recall

    print_recall({None: found})
    counts = _gold_counts(facts)
    print_lines(
        [f"Of {counts['facts']:,} gold facts {counts['missing']:,} are missing from the corpus, and the "
         f"filter drops {counts['dropped']:,}: both can be found for {counts['questions_with_both']:,} of "
         f"{counts['questions']:,} questions"]
    )  # fmt: skip
