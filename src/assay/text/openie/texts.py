"""Tuples as texts: what is shown, stored and read again, without the parse they come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.text.openie.extraction import Extraction
from assay.text.parsing import Parse

APPOSITION = "[is]"
"""The relation of a noun to its apposition, which has no word in the sentence."""


@dataclass(frozen=True, slots=True)
class TextTuple:
    """A tuple as texts. `arguments`: each a preposition (None: without one) and a phrase.

    `subject` and `condition` are None where the sentence has none; `relation` may be APPOSITION.
    """

    subject: str | None
    relation: str
    arguments: tuple[tuple[str | None, str], ...]
    negated: bool = False
    condition: str | None = None

    @property
    def written(self) -> str:
        """On a line: `(Metals; expand) [when they are heated]`; `not` before a relation denied."""
        fields = [self.subject or "", ("not " if self.negated else "") + self.relation]
        fields += [
            text if preposition is None else f"{preposition}: {text}" for preposition, text in self.arguments
        ]
        line = f"({'; '.join(fields)})"
        return line if self.condition is None else f"{line} [{self.condition}]"

    @property
    def record(self) -> dict[str, Any]:
        """As JSON, with names."""
        return {
            "subject": self.subject,
            "relation": self.relation,
            "arguments": [{"preposition": preposition, "text": text} for preposition, text in self.arguments],
            "negated": self.negated,
            "condition": self.condition,
        }


def texts(extraction: Extraction, parse: Parse) -> TextTuple:
    """An extraction without its parse."""
    relation = extraction.relation.text(parse)
    return TextTuple(
        None if extraction.subject is None else extraction.subject.text(parse),
        relation if any(map(str.isalnum, relation)) else APPOSITION,
        tuple((one.preposition, one.phrase.text(parse)) for one in extraction.arguments),
        extraction.negated,
        None if extraction.condition is None else extraction.condition.text(parse),
    )
