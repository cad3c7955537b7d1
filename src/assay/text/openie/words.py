"""Closed classes of words that the rules of Open IE go by."""

from __future__ import annotations

CONDITION = frozenset(
    "if unless when whenever while until till once after before as provided providing whereas".split()
)
"""Words that open a clause which says when, or under what condition, another holds."""
HYPOTHETICAL = frozenset("if unless provided providing".split())
"""Those whose clause isn't said to be true: it gives no tuple of its own."""
ABLE = frozenset("able unable likely unlikely ready willing".split())
"""Adjectives that join a verb as an auxiliary does: "are able to hear"."""
KINDS = frozenset(
    "kind type sort form example part member mixture source cause result product stage property unit"
    " variety".split()
)
"""Nouns that with "of" are a relation: "is a kind" of."""
ASKING = frozenset(
    "ask tell order help cause force allow teach train persuade encourage want require enable get lead expect"
    " permit invite warn urge advise remind command signal push drive trigger stimulate".split()
)
"""Verbs whose object does what the infinitive behind it says: "asked the boy to wait"."""
LIGHT = frozenset({
    ("take", "place"), ("take", "part"), ("take", "care"), ("take", "advantage"), ("give", "birth"),
    ("give", "rise"), ("give", "way"), ("play", "role"), ("play", "part"), ("make", "use"), ("lose", "track"),
    ("make", "contact"), ("pay", "attention"), ("have", "effect"), ("have", "influence"), ("have", "access"),
    ("keep", "track"),
})  # fmt: skip
"""Verb and object that are one relation: "takes place"."""
LINKING = frozenset(
    "also too however therefore thus hence then instead only even just still yet ever not n't never often so"
    " furthermore moreover otherwise perhaps maybe actually".split()
)
"""Adverbs that join or weigh a sentence and are no argument of its verb."""
CAUSING = frozenset("make let help have see watch hear feel".split())
"""Verbs with a noun and what it does behind them, without "to": "makes ice melt"."""
SAYING = frozenset("say think believe know suppose argue claim report state explain".split())
"""Verbs that what is said may stand before."""
RELATIVE = frozenset("that which who whom".split())
NEGATIVE = frozenset("no neither".split())
"""Determiners that deny the clause."""
