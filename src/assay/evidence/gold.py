"""Gold evidence: what a reader would be given by a perfect search, the facts that people named as reasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from assay.errors import AssayError
from assay.questions.explanations import Fact, Joined
from assay.questions.model import Answer, Question, SentenceEvidence
from assay.text.sentences import with_full_stop

ROLE = "gold"
SCORE = 1.0
"""Of every gold sentence: none is better than another."""
FIRST = ("CENTRAL",)
"""WorldTree's facts of these roles stand before the others, for readers that read the first few."""


def gold_facts(joined: Joined, roles: Sequence[str] = ()) -> dict[str, tuple[Fact, ...]]:
    """The facts of each question that has some, by its id; of `roles` alone, where any is named.

    In the file's order, but that WorldTree's central ones come first. Raises AssayError for a role that no
    fact has.
    """
    found = {name: joined.facts(name) for name in joined.by_id}
    known = {fact.role for facts in found.values() for fact in facts}
    for role in roles:
        if role not in known:
            there = ", ".join(sorted(one for one in known if one)) or "none"
            raise AssayError(f"no fact has the role {role!r}", hint=f"there are: {there}")
    kept = {}
    for name, facts in found.items():
        own = [fact for fact in facts if not roles or fact.role in roles]
        own.sort(key=lambda fact: fact.role not in FIRST)
        if own:
            kept[name] = tuple(own)
    return kept


def gold_evidence(
    questions: Iterable[Question], facts: dict[str, tuple[Fact, ...]], *, joined: bool = False
) -> Iterator[Answer]:
    """One record a question, in order: every choice has the same sentences, all of the question's facts.

    `joined`: the facts are one text, full stops added, since a reader that takes the best single sentence
    can't use two. A question without facts has empty evidence.
    """
    for question in questions:
        own = facts.get(question.id, ())
        if joined and own:
            own = (Fact(" ".join(with_full_stop(fact.text) for fact in own)),)
        pieces = tuple(SentenceEvidence(fact.text, SCORE, None, fact.role, ROLE) for fact in own)
        yield Answer(question.id, "unanswered", evidence=(pieces,) * len(question.choices))
