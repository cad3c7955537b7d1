"""Which questions can't be answered without a picture: by the source's own word, or by theirs."""

from __future__ import annotations

import re

from assay.questions.model import Question

_PICTURE = r"(?:diagram|picture|figure|graph|chart|image|illustration|drawing|photo(?:graph)?)s?"
_SHOWN = r"(?:below|above|shown|at\s+(?:the\s+)?(?:right|left))"
WORDING = re.compile(
    # "the diagram below", "a graph of the sales is shown"
    rf"\b(?:{_PICTURE}|map|table)\b(?:\s+\w+){{0,5}}?\s+{_SHOWN}\b"
    # "shown in the figure", "use the graph", "according to this chart"
    rf"|\b(?:in|from|on|use|using|study|see|to|at|examine)\s+(?:the|this|these)\s+(?!same\b)(?:\w+\s+)?{_PICTURE}\b"
    r"|\b(?:pictured|drawn)\s+(?:here|below|above)\b"
    # "the plant shown below", unless what is shown may be the text that follows ("below. birth -> growth")
    r"|\bshown\s+(?:here|below|above)\b(?!.*[.?!:]\s+\S)",
    re.IGNORECASE | re.DOTALL,
)
_YES = (True, 1, "1", "true", "yes")


def needs_diagram(question: Question) -> str | None:
    """Why the question needs a picture, or None.

    Its metadata "diagram" decides where it says yes (ARC's csv has that column); else its wording may
    ("the diagram below"), in the stem or, since a choice may be the picture, in a choice.
    """
    if any(question.metadata.get("diagram") == yes for yes in _YES):
        return "its source says that it has a diagram"
    for text in (question.stem, *(choice.text for choice in question.choices)):
        found = WORDING.search(text)
        if found is not None:
            return f"it says {' '.join(found.group().split())!r}"
    return None
