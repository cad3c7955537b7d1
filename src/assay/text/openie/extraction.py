"""What Open IE finds in a sentence: a subject, a relation, its arguments, each as tokens of the parse."""

from __future__ import annotations

from dataclasses import dataclass

from assay.text.parsing import Parse

_WHOLE = {"ca": "can", "Ca": "Can", "wo": "will", "Wo": "Will", "sha": "shall", "Sha": "Shall"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """Some words of a sentence: indices of tokens, at least one, rising; not always side by side."""

    tokens: tuple[int, ...]

    def text(self, parse: Parse) -> str:
        """The words as they stand in the sentence; one space where words between them are left out.

        What is left of "can't" and "won't" without its negation is written whole.
        """
        written = []
        for index, following in zip(self.tokens, (*self.tokens[1:], None), strict=True):
            token = parse.tokens[index]
            word = _WHOLE.get(token.text, token.text) if token.tag == "MD" else token.text
            apart = token.space or following != index + 1
            written.append(word + (" " if apart and following is not None else ""))
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
    auxiliaries, without a negation; an argument's preposition stands with the argument. Between a noun and
    its apposition it is the comma or bracket, for want of a word. `negated`: the sentence denies it.
    `condition`: the clause ("when it is heated") under which it is said to hold.
    """

    subject: Phrase | None
    relation: Phrase
    arguments: tuple[Argument, ...]
    negated: bool = False
    condition: Phrase | None = None
