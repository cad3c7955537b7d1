"""What a choice is, as far as the place in a statement goes: a clause, a phrase, an adjective, a number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from assay.text.statements import verbs, words
from assay.text.statements.words import bare

UNITS_OF_TIME = frozenset(
    "second seconds minute minutes hour hours day days week weeks month months year years".split()
)


@dataclass(frozen=True)
class Answer:
    """A choice as written, white space squeezed, with what can be told of it from its words alone."""

    written: str
    known: frozenset[str]
    """Bare words that the stem writes in lower case."""
    named: frozenset[str] = frozenset()
    """Bare words that the stem writes with a capital inside a sentence."""

    @cached_property
    def end(self) -> str:
        """Its own last mark: ".", "!", "?" or none."""
        return self.written[-1] if self.written.endswith((".", "!", "?")) else ""

    @cached_property
    def text(self) -> str:
        """Without its final full stop ("U.S." keeps it), as it stands inside a sentence."""
        text = self.written
        if text.endswith(".") and not text.endswith("..") and not _abbreviated(text):
            text = text[:-1].rstrip() or text
        first, _, rest = text.partition(" ")
        lowered = {bare(first)} if bare(first) in verbs.BASES else set()
        # The capital of a whole sentence says nothing, unless the stem knows the word as a name.
        if self.is_clause and self.end == "." and not rest[:1].isupper():
            lowered = {bare(first)}
        return words.small(text, self.known | (lowered - self.named))

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """Its bare words."""
        return tuple(map(bare, self.written.split()))

    @property
    def first(self) -> str:
        """Its first bare word; "" where there is none."""
        return self.tokens[0] if self.tokens else ""

    @cached_property
    def is_clause(self) -> bool:
        """Whether it has a subject and a finite verb of its own."""
        return is_clause(self.tokens, sentence=self.end == "." and self.written[:1].isupper())

    @cached_property
    def is_gerund(self) -> bool:
        """Whether it opens with a verb in -ing, an adverb before it allowed."""
        return (
            any(verbs.is_gerund(word) for word in self.tokens[: 2 if words.is_adverb(self.first) else 1])
            and not self.is_clause
        )

    @cached_property
    def is_infinitive(self) -> bool:
        """Whether it opens with to and a verb."""
        return self.first == "to" and len(self.tokens) > 1 and self.tokens[1] not in words.DETERMINERS

    @cached_property
    def is_bare_verb(self) -> bool:
        """Whether it opens with the plain form of a verb: "use a magnet"."""
        return self.first in verbs.BASES and (
            self.first not in verbs.NOUNS_TOO
            or (len(self.tokens) > 1 and self.tokens[1] in words.DETERMINERS | words.PREPOSITIONS)
        )

    @property
    def is_prepositional(self) -> bool:
        """Whether it opens with a preposition."""
        return (
            self.first in words.PREPOSITIONS | {"following"} and not self.is_infinitive and not self.is_clause
        )

    @cached_property
    def is_plural(self) -> bool | None:
        """Whether, as a subject, it asks for a plural verb; None where its words don't tell."""
        if self.is_clause or self.is_gerund or self.is_infinitive or not self.tokens:
            return False if self.tokens else None
        if self.first in verbs.THIRDS and verbs.THIRDS[self.first] not in verbs.NOUNS_TOO:
            return None
        if self.tokens[:2] == ("all", "of") or self.first == "both":
            return True
        phrase = self.tokens
        for place, word in enumerate(self.tokens[1:], 1):
            after_noun = word in words.PREPOSITIONS or word in {"of", "that", "which", "who"}
            if after_noun or verbs.is_gerund(word) or verbs.is_participle(word) or words.is_adverb(word):
                phrase = self.tokens[:place]
                break
        if "and" in phrase[1:-1] and self.tokens[len(phrase) :].count("and") == 0:
            return None if words.is_adjective(self.text) else True
        if self.first in {"a", "an", "this", "one", "each"}:
            return False
        head = phrase[-1]
        if (
            head.endswith("s")
            and not head.endswith(("ss", "us", "is", "ics", "'s", "as", "os"))
            and len(head) > 3
        ):
            return None if head in {"species", "series", "lens", "venus", "mars", "means"} else True
        return None


def _abbreviated(text: str) -> bool:
    last = text.split()[-1]
    return len(last) > 2 and last.count(".") > 1


def is_clause(tokens: tuple[str, ...], *, sentence: bool) -> bool:
    """Whether bare words hold a subject and a finite verb that no relative pronoun, to or preposition
    explains away.

    `sentence`: they are written as one, with a capital and a full stop, so that a doubtful verb counts.
    """
    if len(tokens) < 2 or tokens[0] in {"to", "that", "because", "which", "who"}:
        return False
    if tokens[0] in verbs.THIRDS and tokens[1] in words.PREPOSITIONS | words.DETERMINERS:
        return False
    if tokens[0] in words.SUBJECTS and tokens[1] not in {"and", "or"}:
        return True
    if (
        tokens[0] in words.PREPOSITIONS
        or tokens[0] in words.SUBORDINATORS
        or tokens[0] in {"how", "what", "where"}
    ):
        return sentence and any(word in words.AUXILIARIES for word in tokens[1:])
    plain = sentence and tokens[0] in {"a", "an", "each"} and not set(tokens) & words.PREPOSITIONS
    ends_as_verb = tokens[-1].endswith("s") and not tokens[-1].endswith(("ss", "us", "is"))
    if plain and ends_as_verb and len(tokens) > 2:
        # No plural noun ends what opens so: "A door slams."
        return True
    for place, word in enumerate(tokens[1:], 1):
        before = tokens[place - 1]
        if word in {"that", "which", "who", "where", "when", "because", "if", "whose", "what", "how"}:
            return False
        if before in words.ARTICLES or before in words.PREPOSITIONS or before == "to":
            continue
        if word in words.AUXILIARIES and word != "cannot":
            return True
        last = place == len(tokens) - 1
        doubtful = (word in verbs.THIRDS and verbs.THIRDS[word] in verbs.NOUNS_TOO) or (
            word in verbs.PASTS and word in verbs.PARTICIPLES
        )
        if word in verbs.THIRDS and not before.endswith("s") and not verbs.is_gerund(before):
            follows = tokens[place + 1] if not last else ""
            sure = word in {"causes", "helps", "makes", "needs", "uses"} and not last
            if (
                not doubtful
                or sure
                or sentence
                or follows in words.DETERMINERS
                or (place > 1 and words.is_adverb(before))
            ):
                return True
        if word in verbs.PASTS and (not doubtful or sentence) and not verbs.is_gerund(tokens[0]):
            return True
        if (
            sentence
            and word in verbs.BASES - verbs.NOUNS_TOO
            and 0 < place < 5
            and tokens[0] not in verbs.BASES
        ):
            return not verbs.is_gerund(tokens[0])
        plural = (
            before.endswith("s") and not before.endswith(("ss", "'s")) and before not in {"gas", "as", "its"}
        )
        if plural and word in verbs.BASES and (word not in verbs.NOUNS_TOO or sentence) and place < 5:
            return not verbs.is_gerund(tokens[0]) and tokens[0] not in verbs.BASES
    return False
