"""Statements (hypotheses): a stem and a choice as one sentence that is true if the choice is right."""

from __future__ import annotations

from assay.errors import AssayError
from assay.text.statements.grammatical import grammatical
from assay.text.statements.lineage import fill, fill_in_the_blank
from assay.text.statements.result import METHODS, Method, Statement

__all__ = ["METHODS", "Method", "Statement", "statement"]


def statement(stem: str, choice: str, method: Method = "grammatical") -> Statement:
    """The statement that `stem` and `choice` make.

    `method` "grammatical" (default): a sentence in the order of a statement, sentences before the question
    left out (they are in `background`); see `statements.grammatical`. "lineage": what the ARC baselines
    were published with (Clark et al. 2018, appendix B); see `statements.lineage`. Any text gives a
    statement; the same text always the same one. AssayError for another method.
    """
    if method == "grammatical":
        return grammatical(stem, choice)
    if method == "lineage":
        blanked, rule = fill_in_the_blank(stem)
        return Statement(fill(blanked, choice), rule, "lineage")
    raise AssayError(f"method must be one of {', '.join(METHODS)}. Got {method!r}")
