"""A question's sentences of evidence as one paragraph, for readers of passages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from assay.questions.model import Evidence, SentenceEvidence

_ENDED = re.compile(r"[.!?\u2026\u3002][\"'\u201d\u2019)\]]*$")


def pooled(evidence: Iterable[Sequence[Evidence]], most: int = 0) -> tuple[SentenceEvidence, ...]:
    """The distinct sentences of all choices, the highest score first, equal ones by text; the best `most`.

    0: all. So the paragraph depends neither on the order of the choices nor on which of them is right.
    """
    best: dict[str, SentenceEvidence] = {}
    for pieces in evidence:
        for piece in pieces:
            if isinstance(piece, SentenceEvidence) and (text := " ".join(piece.text.split())):
                known = best.get(text)
                if known is None or piece.score > known.score:
                    best[text] = piece
    ordered = sorted(best.items(), key=lambda item: (-item[1].score, item[0]))
    return tuple(piece for _, piece in (ordered[:most] if most else ordered))


def paragraph(sentences: Iterable[str]) -> str:
    """The sentences one after the other, a full stop added to those that end with no sign of an end."""
    texts = (" ".join(sentence.split()) for sentence in sentences)
    return " ".join(text if _ENDED.search(text) else f"{text}." for text in texts if text)
