"""What a statement carries besides its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Method = Literal["grammatical", "lineage"]
Made = tuple[str, str]
"""A statement's text, and the name of the rule."""
METHODS: tuple[Method, ...] = get_args(Method)


@dataclass(frozen=True, slots=True)
class Statement:
    """A stem and a choice as one statement, true if the choice is right.

    `rule` says what made it, for people who ask why. `background` holds the sentences of the stem that
    `text` leaves out, as written: "" where it holds them all (always, by the lineage's rules).
    """

    text: str
    rule: str
    method: Method
    background: str = ""
