"""Gold facts in a corpus: which are there, which are missing, and which the sentence filter would drop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assay.corpus.model import Corpus
from assay.evidence.sentence_filter import FilterRules
from assay.progress import SILENT, Progress
from assay.questions.model import Question
from assay.scoring.recall import fact_key, has_gold

PIECE = 100_000


@dataclass(frozen=True, slots=True)
class GoldFact:
    """One gold fact of one question. `sentence`: its id in the corpus, None: it is missing.

    `dropped`: why the sentence filter drops it, in words; None: it doesn't, or the fact is missing.
    """

    question_id: str
    fact: str
    text: str
    sentence: int | None
    dropped: str | None


def gold_facts(
    corpus: Corpus, questions: Sequence[Question], rules: FilterRules, *, progress: Progress = SILENT
) -> tuple[GoldFact, ...]:
    """Both facts of each question with a key and two facts, matched by letters and digits; reads all texts.

    Of several sentences that match, the first that the filter keeps stands for the fact, else the first.
    """
    wanted = [
        (question.id, fact, text)
        for question in questions
        if has_gold(question) and question.facts is not None
        for fact, text in (("fact1", question.facts.seed), ("fact2", question.facts.second))
        if text
    ]
    found = find_facts(corpus, {fact_key(text) for _, _, text in wanted}, rules, progress=progress)
    return tuple(
        GoldFact(question_id, fact, text, *found.get(fact_key(text), (None, None)))
        for question_id, fact, text in wanted
    )


def find_facts(
    corpus: Corpus, keys: set[str], rules: FilterRules, *, progress: Progress = SILENT
) -> dict[str, tuple[int, str | None]]:
    """The sentence that has the letters and digits of each key (`fact_key`), and why the filter drops it.

    None: it is kept. Keys that no sentence has aren't there. Of several sentences the first that is kept
    stands for the key, else the first. Reads all texts once.
    """
    found: dict[str, tuple[int, str | None]] = {}
    with progress.task("looking for the gold facts", len(corpus), "sentences") as advance:
        for start in range(0, len(corpus), PIECE):
            numbers = range(start, min(start + PIECE, len(corpus)))
            for number in numbers:
                text = corpus.texts[number]
                key = fact_key(text)
                if key in keys and (key not in found or found[key][1] is not None):
                    reason = rules.reason(text)
                    if key not in found or reason is None:
                        found[key] = (number, reason)
            advance(len(numbers))
    return found


def with_both(facts: Iterable[GoldFact]) -> set[str]:
    """The ids of the questions whose two facts are both in the corpus and kept by the filter."""
    ids, lacking = set(), set()
    for fact in facts:
        ids.add(fact.question_id)
        if fact.sentence is None or fact.dropped is not None:
            lacking.add(fact.question_id)
    return ids - lacking
