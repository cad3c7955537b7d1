"""What an edge of a statement graph can be called: relations of clauses and phrases, and prepositions."""

from __future__ import annotations

OTHER = "other"
"""The label of whatever has none of its own."""
SUBJECT, OBJECT, SUBJECT_OBJECT = "subj", "obj", "subj-obj"
NEGATION, CONDITION = "neg", "condition"
CLAUSE, RELATIVE, CONJUNCT, ADVERB = "clause", "relative", "conj", "adverb"
ATTRIBUTE, COMPOUND, NUMBER, POSSESSOR, APPOSITION = "attribute", "compound", "number", "possessor", "appos"

PREPOSITIONS = (
    *("about", "above", "across", "after", "against", "along", "among", "around", "as", "at", "before"),
    *("below", "between", "by", "during", "for", "from", "in", "inside", "into", "like", "near", "of"),
    *("off", "on", "out", "over", "than", "through", "to", "toward", "under", "with", "within", "without"),
)
LABELS = (
    *(OTHER, SUBJECT, OBJECT, SUBJECT_OBJECT, NEGATION, CONDITION, CLAUSE, RELATIVE, CONJUNCT, ADVERB),
    *(ATTRIBUTE, COMPOUND, NUMBER, POSSESSOR, APPOSITION),
    *PREPOSITIONS,
)
"""All labels; an edge's number is its label's place here."""

_NUMBERS = {label: number for number, label in enumerate(LABELS)}
_SAME = {"towards": "toward", "onto": "on", "upon": "on", "amongst": "among", "beneath": "below"}


def preposition_label(word: str) -> str:
    """The label of a preposition however it is written; of several words the last counts ("out of": of)."""
    last = word.lower().split()[-1:]
    word = _SAME.get(last[0], last[0]) if last else OTHER
    return word if word in PREPOSITIONS else OTHER


def label_number(label: str) -> int:
    """The place in LABELS. Raises KeyError for what isn't there."""
    return _NUMBERS[label]
