"""Exact match and F1 against torchmetrics' SQuAD on real predictions.

python bench/span_scores.py PREDICTIONS PASSAGES...
"""

from __future__ import annotations

import sys

from torchmetrics.functional.text import squad

from assay.passages.exactness import exact_match, f1
from assay.passages.predictions import read_spans
from assay.passages.reading import read_passages


def main(predictions: str, files: list[str]) -> None:
    asked = [one for one in read_passages(files).questions if one.answers]
    found = read_spans(predictions, asked)
    theirs = squad(
        [{"prediction_text": found[one.id], "id": one.id} for one in asked],
        [
            {"answers": {"answer_start": [0] * len(one.answers), "text": list(one.references)}, "id": one.id}
            for one in asked
        ],
    )
    ours = {
        "exact_match": sum(exact_match(found[one.id], one.references) for one in asked),
        "f1": sum(f1(found[one.id], one.references) for one in asked),
    }
    for name, total in ours.items():
        share = 100 * total / len(asked)
        print(f"{name}: ours {share:.4f}, torchmetrics {float(theirs[name]):.4f}, n {len(asked):,}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
