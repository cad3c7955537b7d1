"""What Open IE finds in a sentence: a subject, a relation, its arguments, each as tokens of the parse."""

from __future__ import annotations

from dataclasses import dataclass

from assay.text.parsing import Parse


@dataclass(frozen=True, slots=True)
class Phrase:
    """Some words of a sentence: indices of tokens, at least one, rising; not always side by side."""

    tokens: tuple[int, ...]

    def text(self, parse: Parse) -> str:
        """The words as they stand in the sentence; one space where words between them are left out."""
        written = []
        for index, following in zip(self.tokens, (*self.tokens[1:], None), strict=True):
            token = parse.tokens[index]
            apart = token.space or following != index + 1
            written.append(token.text + (" " if apart and following is not None else ""))
        return "".join(written)


@dataclass(frozen=True, slots=True)
class Argument:
    """What stands in a relation to the subject; `preposition`: the word or words before it ("by", "to")."""

    phrase: Phrase
    preposition: str | None = None


@dataclass(frozen=True, slots=True)
class Extraction:
    """One tuple: (subject; relation; arguments).

    `subject` is None where the sentence names none ("Heat the water."). `relation`: the verb with its
    auxiliaries, without a negation; an argument's preposition stands with the argument. `negated`: the
    sentence denies it. `condition`: the clause ("when it is heated") under which it is said to hold.
    """

    subject: Phrase | None
    relation: Phrase
    arguments: tuple[Argument, ...]
    negated: bool = False
    condition: Phrase | None = None


def written(extraction: Extraction, parse: Parse) -> str:
    """A tuple on a line: `(Metals; expand) [when they are heated]`; `not` before a relation denied."""
    fields = [
        "" if extraction.subject is None else extraction.subject.text(parse),
        ("not " if extraction.negated else "") + extraction.relation.text(parse),
    ]
    for argument in extraction.arguments:
        text = argument.phrase.text(parse)
        fields.append(text if argument.preposition is None else f"{argument.preposition}: {text}")
    line = f"({'; '.join(fields)})"
    if extraction.condition is None:
        return line
    return f"{line} [{extraction.condition.text(parse)}]"
