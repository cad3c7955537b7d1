"""Exact match and F1 of a predicted span by SQuAD's definition (Rajpurkar et al. 2016, section 6.1).

Both are the best over the references, of texts normalised as the official script does it: lower case,
ASCII punctuation removed, the words a, an and the removed, white space made single.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


def normalised(text: str) -> str:
    """The text as both measures compare it."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def exact_match(prediction: str, references: Sequence[str]) -> float:
    """1 where the prediction equals a reference, else 0; 0 without references."""
    found = normalised(prediction)
    return float(any(found == normalised(reference) for reference in references))


def f1(prediction: str, references: Sequence[str]) -> float:
    """The best F1, 0 to 1, of the prediction's words and a reference's as bags; 0 without references.

    Texts of which nothing is left by normalising share no word, so that their F1 is 0 though they match
    exactly: so it is in the script of version 1.1 (that of 2.0 calls it 1).
    """
    words = normalised(prediction).split()
    return max((_f1(words, normalised(reference).split()) for reference in references), default=0.0)


def _f1(found: Sequence[str], due: Sequence[str]) -> float:
    shared = (Counter(found) & Counter(due)).total()
    if not shared:
        return 0.0
    precision, recall = shared / len(found), shared / len(due)
    return 2 * precision * recall / (precision + recall)
