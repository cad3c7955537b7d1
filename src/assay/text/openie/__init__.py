"""Open information extraction: the tuples (subject; relation; arguments) that a sentence states."""

from __future__ import annotations

from assay.text.openie.extraction import Argument, Extraction, Phrase, written
from assay.text.openie.rules import tuples
from assay.text.openie.tree import Tree
from assay.text.parsing import Parse

__all__ = ["Argument", "Extraction", "Phrase", "extract", "written"]


def extract(parse: Parse) -> tuple[Extraction, ...]:
    """The tuples of a sentence, in the order of their relations; none where it states none."""
    return tuple(tuples(Tree(parse)))
