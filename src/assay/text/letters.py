"""Texts compared by their letters and digits: white space, marks and case aside."""

from __future__ import annotations

import re

_MARKS = re.compile(r"[\W_]+")


def letters_and_digits(text: str) -> str:
    """The letters and digits of a text, without case: texts with the same say the same."""
    return _MARKS.sub("", text.casefold())
