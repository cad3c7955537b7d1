"""Open information extraction: the tuples (subject; relation; arguments) that a sentence states."""

from __future__ import annotations

from assay.text.openie.extraction import Argument, Extraction, Phrase
from assay.text.openie.rules import tuples
from assay.text.openie.texts import TextTuple, texts
from assay.text.openie.tree import Tree
from assay.text.parsing import Parse

__all__ = ["RULES", "Argument", "Extraction", "Phrase", "TextTuple", "extract", "texts", "written"]

RULES = 1
"""Raised by every change of the rules that changes a tuple: stored tuples say which rules made them."""


def extract(parse: Parse) -> tuple[Extraction, ...]:
    """The tuples of a sentence, in the order of their relations; none where it states none.

    The same parse gives the same tuples, and any tree is taken, also one that no grammar would give.
    """
    return tuple(tuples(Tree(parse)))


def written(extraction: Extraction, parse: Parse) -> str:
    """A tuple on a line; see `TextTuple.written`."""
    return texts(extraction, parse).written
