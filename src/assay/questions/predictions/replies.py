"""A label from what a model wrote: read, or said to be empty, refused or unparsed; never guessed.

The rules, in order; the first that applies decides.
1. Nothing but white space: empty.
2. The last explicit statement ("Answer: B", "the answer is B, C and D", "\\boxed{B}") that names labels or a
   choice's text. One that names a label the question doesn't have is a statement too: unparsed.
   Where there is none, the last "B is correct".
3. The whole reply, or its last line, is a label, a set of labels, or the text of a choice.
4. The reply opens with a marked label ("B) copper") and no other line opens with another; or its last
   sentence ends on one ("so it is B.").
5. A refusal in the first person: refused. Everything else: unparsed.

A label counts only where it stands alone: never the first letter of a word, never an article ("A bat").
"""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assay.questions.formats.fields import LETTERS
from assay.questions.model import Question

SEPARATORS = re.compile(r"\s*(?:,\s*(?:and|or)\s+|[,;&/+]|\band\b|\bor\b)\s*", re.IGNORECASE)
EXPLICIT = re.compile(
    r"\banswers?\b(?:\s*\([^()\n]{0,20}\))?"
    r"(?:\s+(?:here|choices?|options?|letters?|labels?|to\s+th[ei][^:=\n.]{0,40}))?"
    r"\s*(?:[:=]|\b(?:is|are|would\s+be|must\s+be|should\s+be)\b\s*:?)"
    r"|\b(?:correct|right|best|final)\s+(?:choice|option|one|letter|label)\s*(?:[:=]|\b(?:is|are)\b\s*:?)"
    r"|\\boxed(?=\{)|<answer>",
    re.IGNORECASE,
)
LEAD = re.compile(
    r"^(?:(?:the\s+)?(?:choices?|options?|letters?|labels?|answers?)\s+|both\s+)", re.IGNORECASE
)
# What may follow a label without making it the first word of something else.
AFTER = re.compile(r"(?:[.,;:!?)\]}]|\s+[-–—(]|\s+(?:is|are|because|since|due|which)\b|\n|$)")
ENDING = re.compile(
    r"(?:\b(?:is|be|option|choice|choose|pick|select|answer)|[:=]|->|=>|→|∴)\s*[(\[]?([^\W_]{1,3})[)\]]?[.!]*$",
    re.IGNORECASE,
)
CALLED_RIGHT = re.compile(
    r"(?<![^\W_])([^\W_]{1,3})[)\]]?\s{1,3}(?:is|are)\s{1,3}(?:the\s{1,3})?(?:correct|right|best)\b"
)
STATEMENTS = 200
"""How many explicit statements are looked at, from the last: a model in a loop writes thousands."""
LINE = 1000
"""A longer part isn't read as labels; nor as a choice's text, unless a choice is about as long."""
REFUSAL = re.compile(
    r"\b(?:i|we)\b[^.!?\n]{0,30}?"
    r"\b(?:can\s?not|can't|won't|will\s+not|unable|not\s+able|decline|refuse|not\s+allowed)\b[^.!?\n]{0,40}?"
    r"\b(?:help|assist|answer|comply|provide|respond|fulfil\w*|discuss|engage|continue|do\s+that)"
    r"|^\W*(?:i['’]m|i\s+am|we['’]re)\s+(?:very\s+|so\s+)?sorry\b",
    re.IGNORECASE,
)
LATEX = re.compile(r"^\\(?:text|math)[a-z]*\{")
# Zero-width characters, and the full stop of Chinese and Japanese; NFKC does the full-width letters.
UNSEEN = str.maketrans({"\u3002": ".", **dict.fromkeys("\u00ad\u200b\u200e\u200f\u2060\ufeff")})
MARKUP = str.maketrans("", "", '*_`#~$"“”«»')

Found = Literal["answered", "empty", "unparsed", "refused"]


@dataclass(frozen=True, slots=True)
class Reply:
    """What was read: labels in the question's order, or why there are none.

    `stranger` is a label-like word that an explicit statement named and the question doesn't have.
    """

    status: Found
    chosen: tuple[str, ...] = ()
    stranger: str | None = None


def read_reply(question: Question, text: str, *, letters_for_digits: bool = False) -> Reply:
    """Read the label, or the set of labels, that the text answers the question with.

    `letters_for_digits`: on a question labelled 1, 2, 3, ... a letter stands for the digit of its place.
    """
    if not text.strip():
        return Reply("empty")
    reader = _Reader(question, letters_for_digits)
    plain = _plain(text)
    explicit = _explicit(reader, plain)
    if explicit is not None:
        return explicit
    for match in reversed(list(CALLED_RIGHT.finditer(plain))):
        if chosen := reader.exactly(match[1]):
            return Reply("answered", chosen)
    lines = [line.strip() for line in plain.split("\n") if line.strip()]
    for part in (plain, "" if not lines or reader.lists_choices(lines) else lines[-1]):
        chosen = reader.labels(part) or reader.text(part)
        if chosen:
            return Reply("answered", chosen)
    if lines and (chosen := reader.opening(lines) or reader.ending(lines[-1])):
        return Reply("answered", chosen)
    return Reply("refused" if REFUSAL.search(plain.replace("’", "'")) else "unparsed")


def _explicit(reader: _Reader, plain: str) -> Reply | None:
    for match in reversed(deque(EXPLICIT.finditer(plain), maxlen=STATEMENTS)):
        rest = plain[match.end() : match.end() + reader.longest].lstrip(" \t{")
        # A heading, with the answer on the next line.
        rest = LATEX.sub("", rest.lstrip())
        line = rest.split("\n", 1)[0].split("</", 1)[0].rstrip(" }")
        chosen = reader.labels(line) or reader.text(line) or reader.leading(line)
        if chosen:
            return Reply("answered", chosen)
        if stranger := reader.stranger(line):
            return Reply("unparsed", stranger=stranger)
    return None


def _plain(text: str) -> str:
    """Without markdown marks and typographic quotes; line ends as \\n."""
    return _seen(text).replace("\r\n", "\n").replace("\r", "\n").translate(MARKUP)


def _seen(text: str) -> str:
    """As it looks: NFKC, without zero-width characters."""
    return unicodedata.normalize("NFKC", text.translate(UNSEEN))


def _key(text: str) -> str:
    """For comparing texts: NFKC, white space as one space, no end marks, no markdown; case kept."""
    joined = " ".join(_seen(text).translate(MARKUP).split())
    return joined.rstrip(".!;,: ").strip() or joined


class _Reader:
    """The question's labels and texts, ready to be found."""

    def __init__(self, question: Question, letters_for_digits: bool) -> None:
        self._order = question.labels
        self._exact = {
            **{_seen(label): label for label in question.labels},
            **{label: label for label in question.labels},
        }
        if letters_for_digits:
            self._exact = {**letters_by_place(question), **self._exact}
        folded: dict[str, set[str]] = {}
        for written, label in self._exact.items():
            folded.setdefault(written.casefold(), set()).add(label)
        self._folded = {key: next(iter(labels)) for key, labels in folded.items() if len(labels) == 1}
        self._texts = [(choice.label, _key(choice.text)) for choice in question.choices]
        self.longest = LINE + 2 * max((len(choice.text) for choice in question.choices), default=0)

    def exactly(self, word: str) -> tuple[str, ...]:
        """The label that a word is, to the letter."""
        return (self._exact[word],) if word in self._exact else ()

    def label(self, word: str) -> str | None:
        """The label that a word is, brackets and end marks aside; case is ignored where it can be."""
        bare = LEAD.sub("", word.strip()).strip(" \t()[]{}.:!?'")
        for candidate in (word.strip(), bare):
            if candidate in self._exact:
                return self._exact[candidate]
        return self._folded.get(bare.casefold())

    def labels(self, part: str) -> tuple[str, ...]:
        """All labels of a part that names nothing else ("B", "(b)", "B, C and D", "option B"), or none."""
        if len(part) > self.longest:
            return ()
        words = [word for word in SEPARATORS.split(LEAD.sub("", part.strip())) if word.strip(" .!?")]
        found = [self.label(word) for word in words]
        if not found or None in found:
            return ()
        return tuple(label for label in self._order if label in found)

    def text(self, part: str) -> tuple[str, ...]:
        """The choices whose text the part is, or a label followed by its own text; exact case goes first."""
        wanted = _key(part) if len(part) <= self.longest else ""
        if not wanted:
            return ()
        same = [label for label, text in self._texts if text == wanted]
        if same:
            return tuple(same)
        alike = [label for label, text in self._texts if text.casefold() == wanted.casefold()]
        if len(alike) == 1:
            return tuple(alike)
        for label, text in self._texts:
            marked = re.match(r"[(\[]?([^\W_]{1,3})[)\].:,-]*\s+(.+)", wanted, re.DOTALL)
            if (
                marked
                and text
                and self.label(marked[1]) == label
                and _key(marked[2]).casefold() == text.casefold()
            ):
                return (label,)
        return ()

    def leading(self, line: str) -> tuple[str, ...]:
        """The label that opens a line and stands alone there ("B, because ...", "(B) copper")."""
        bare = LEAD.sub("", line.strip())
        word = re.match(r"[(\[{]?([^\W_]{1,3})(?![^\W_])[)\]}]?", bare)
        if word is None:
            return ()
        bracketed = word[0][0] in "([{" or word[0][-1] in ")]}"
        label = self.label(word[1])
        alone = bracketed or AFTER.match(bare, word.end()) is not None
        following = bare[word.end() :]
        # "A, B or something else" names more than the first.
        more = re.match(r"\s*(?:,|;|&|/|and\b|or\b)\s*\(?([^\W_]{1,3})(?![^\W_])", following)
        if label is None or not alone or (more is not None and self.label(more[1]) is not None):
            return ()
        return (label,)

    def stranger(self, line: str) -> str | None:
        """A single letter or number that stands where a label should and isn't one."""
        word = re.fullmatch(r"[(\[{]?([A-Z]|\d{1,2})[)\]}]?[.!]*", LEAD.sub("", line.strip()))
        return word[1] if word and self.label(word[1]) is None else None

    def opening(self, lines: Sequence[str]) -> tuple[str, ...]:
        """The label that marks the first line ("B) copper"), unless other lines are marked by others."""
        label = self._mark(lines[0])
        return (label,) if label is not None and not self.lists_choices(lines) else ()

    def lists_choices(self, lines: Sequence[str]) -> bool:
        """Whether the lines are marked by several labels, as when a reply repeats the choices."""
        return len({self._mark(line) for line in lines} - {None}) > 1

    def _mark(self, line: str) -> str | None:
        found = re.match(r"[(\[]?([^\W_]{1,3})[)\].:]\s", line + "\n")
        return self.label(found[1]) if found else None

    def ending(self, line: str) -> tuple[str, ...]:
        """The label on which a last line ends, after a word that points at it ("so it is B.")."""
        found = ENDING.search(line.strip()[-LINE:])
        label = self.label(found[1]) if found and not found[1].islower() else None
        return (label,) if label is not None else ()


def letters_by_place(question: Question) -> dict[str, str]:
    """Letter to label for a question labelled by whole numbers from 1 on; empty for any other."""
    if question.labels != tuple(str(number + 1) for number in range(len(question.labels))):
        return {}
    return dict(zip(LETTERS, question.labels, strict=False))
