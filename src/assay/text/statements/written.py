"""Parts joined into a written sentence: articles that agree, nothing said twice, one space, one full stop."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from assay.text.statements import verbs, words
from assay.text.statements.choices import Answer
from assay.text.statements.words import bare

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_VOWEL = re.compile(r"(?!(?:uni|use|usu|uti|eu|ewe|one\b|once\b))(?:[aeiou]|hour|honest|heir)", re.IGNORECASE)
_LETTER_NAMES = "AEFHILMNORSX"


def sentence(parts: Iterable[str], end: str = "") -> str:
    """The parts with one space between, a capital first, and `end` ("" for a full stop) after the last."""
    text = squeezed(" ".join(part for part in parts if part))
    text = text.rstrip(" ,;:") or text
    if not re.search(r"[.!?。！？؟…]['\"’”)\]]*$", text):
        text += end or ("。" if text and _CJK.match(text[-1]) else ".")
    return words.capital(text)


def squeezed(text: str) -> str:
    """One space between words, none at the ends or before a comma, a full stop or the like."""
    return re.sub(r"(?<=\w) (?=[,.;:!?](?:\s|$))", "", " ".join(text.split()))


def calm(tokens: Sequence[str]) -> list[str]:
    """Words that the stem shouts (NOT, EXCEPT, BEST) in lower case."""
    return [token.lower() if token.strip("*_,.:;?") in words.EMPHATIC else token for token in tokens]


def joined(before: Sequence[str], answer: Answer, text: str | None = None) -> list[str]:
    """`before` and then the answer: words of `before` that the answer repeats are dropped, a or an agrees
    with it."""
    before, text = list(before), answer.text if text is None else text
    said = [bare(token) for token in text.split()]
    for length in range(min(4, len(before), len(said)), 0, -1):
        tail = [bare(token) for token in before[-length:]]
        # A lone repeated word must be one that never follows itself: "water" may end one and open the other.
        if tail == said[:length] and (
            length > 1 or tail[0] in words.PREPOSITIONS | words.DETERMINERS | words.BE
        ):
            return [*before[:-length], text]
    if before and bare(before[-1]) in words.ARTICLES and not before[-1].endswith(","):
        if said and said[0] in words.ARTICLES | {"its", "their", "his", "her", "this", "these"}:
            return [*before[:-1], text]
        if bare(before[-1]) in {"a", "an"}:
            before[-1] = indefinite(text) if before[-1].islower() else indefinite(text).capitalize()
    return [*before, text]


def indefinite(text: str) -> str:
    """A or an before the text, by its letters: "an hour", "a unit", "an X-ray"."""
    first = text.split(" ", 1)[0].lstrip("\"'“‘(")
    spelled = first[1:2] == "-" or (1 < len(first) < 4 and first.isupper())
    if spelled and first[0].isalpha():
        return "an" if first[0].upper() in _LETTER_NAMES else "a"
    if first[:1] == "8" or first in {"11", "18"}:
        return "an"
    return "an" if _VOWEL.match(first) else "a"


def agreed(verb: str, plural: bool | None) -> str:
    """A finite verb as written, made to agree with its subject where that is known."""
    if plural is None:
        return verb
    plain = bare(verb)
    pairs = {"is": "are", "was": "were", "has": "have", "does": "do", "isn't": "aren't", "wasn't": "weren't"}
    pairs |= {"doesn't": "don't", "hasn't": "haven't"}
    if plural:
        found = pairs.get(plain) or verbs.THIRDS.get(plain)
    else:
        back = {many: one for one, many in pairs.items()}
        found = back.get(plain) or (verbs.third(plain) if plain in verbs.BASES and plain != "be" else None)
    return verb if found is None else re.sub(re.escape(plain), found, verb.lower(), count=1)


def colon(clause: list[str]) -> list[str]:
    """The clause with a colon after its last word."""
    return [*clause[:-1], clause[-1].rstrip(",;:") + ":"] if clause else clause
