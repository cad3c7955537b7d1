"""What the support graphs in answers files are: statuses, choices without one, questions without any.

PYTHONPATH=src python bench/support_graphs.py QUESTIONS ANSWERS
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from assay.questions import read_questions
from assay.questions.answers import answer_from_record
from assay.questions.model import GraphEvidence


def main(questions: str, answers: str) -> None:
    known = read_questions([questions]).questions
    counts: Counter[str] = Counter()
    facts: Counter[int] = Counter()
    for line in Path(answers).read_text("utf-8").splitlines():
        record = json.loads(line)
        answer = answer_from_record(known.by_id(record["id"]), record)
        graphs = [[one for one in own if isinstance(one, GraphEvidence)] for own in answer.evidence or ()]
        counts["questions"] += 1
        counts["questions without a graph: a tie of all"] += not any(graphs)
        for own in graphs:
            counts["choices"] += 1
            counts["choices without a graph"] += not own
            for graph in own:
                counts[f"graphs: {graph.status}"] += 1
                facts[len(graph.facts)] += 1
    for what, count in counts.items():
        print(f"{what}: {count:,}")
    print("graphs by facts:", ", ".join(f"{size}: {count:,}" for size, count in sorted(facts.items())))


if __name__ == "__main__":
    main(*sys.argv[1:])
