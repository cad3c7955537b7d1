"""One paragraph of a question's sentences."""

import random

from assay.passages.paragraph import paragraph, pooled
from assay.questions.model import PairEvidence, SentenceEvidence


def piece(text: str, score: float) -> SentenceEvidence:
    return SentenceEvidence(text, score, role="premise")


def test_each_sentence_once_the_best_first() -> None:
    choices = [
        [piece("Iron rusts", 3.0), PairEvidence("a", "b", 1.0, 2)],
        [piece("Iron  rusts", 5.0), piece("Bats fly.", 4.0)],
        [],
        [piece("Ants dig.", 4.0), piece("", 9.0)],
    ]
    found = pooled(choices)
    assert [(one.text, one.score) for one in found] == [
        ("Iron  rusts", 5.0),
        ("Ants dig.", 4.0),
        ("Bats fly.", 4.0),
    ]
    assert pooled(choices, 2) == found[:2]
    for seed in range(5):
        assert pooled(random.Random(seed).sample(choices, 4)) == found
    assert pooled([[], []]) == ()


def test_full_stops_are_added_where_none_is() -> None:
    texts = ["Iron rusts", "Is it?", "So.", 'He said "so."', "(It is.)", "a  b\n", "", "3.5", "etc…"]
    assert paragraph(texts) == 'Iron rusts. Is it? So. He said "so." (It is.) a b. 3.5. etc…'
    assert paragraph([]) == ""
