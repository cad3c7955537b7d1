"""Entailment: a choice is right as far as a premise entails its statement (Clark et al. 2018, section 5.1).

Built without PyTorch until a solver is made: the networks live in `solvers.neural`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import tee
from typing import TYPE_CHECKING, Any, cast

from assay.corpus.model import Corpus
from assay.entailment.pair import Pair
from assay.errors import need_neural
from assay.questions.model import Answer, Question, QuestionSet, SentenceEvidence
from assay.questions.ties import choose
from assay.solvers.offered import StatementSettings, offered, won
from assay.solvers.premise_source import Pieces, PremiseSource
from assay.solvers.settings import REQUIRED, read_settings, searched_corpus, setting
from assay.text.statements import Method, statement

if TYPE_CHECKING:
    from assay.solvers.neural.pair_scorer import PairScorer

EMPTY = SentenceEvidence("", 0.0)
"""The premise of a choice that has none, where such a choice is to be read all the same."""
DECIMALS = 4
"""Probabilities that are equal to so many are a tie (the ARC baselines' own rule)."""


@dataclass(frozen=True, kw_only=True)
class EntailmentSettings(StatementSettings):
    """Which network, what it is asked, and where premises are from."""

    model: str = setting(REQUIRED, "folder of a network over pairs, as assay train writes it")
    without: str = setting(
        "zero",
        "a choice without a premise scores 0, or its statement is read against an empty premise",
        one_of=("zero", "read"),
    )
    precision: str = setting(
        "fp32", "of the network's products; bf16 is faster where there is hardware", one_of=("fp32", "bf16")
    )


class EntailmentSolver:
    """Score of a choice: the highest P(entails) of a premise and its statement; 0 without a premise.

    The answer's evidence is the premise that won, with that probability as its score.
    """

    declared = EntailmentSettings

    def __init__(self, name: str, settings: EntailmentSettings, corpus: Corpus | None = None) -> None:
        """`corpus`: to retrieve from, where there is no evidence file.

        Raises AssayError when PyTorch is missing, the model folder isn't whole or reads no pairs, the
        evidence file can't be read, or there is neither file nor corpus.
        """
        self.name = name
        self._given = settings
        self._premises = PremiseSource(
            f"solver {name!r}", settings.evidence, corpus, allow_missing=settings.allow_missing
        )
        self._scorer = _scorer(settings)

    @classmethod
    def build(cls, name: str, settings: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> EntailmentSolver:
        """Raises AssayError for wrong settings or settings that contradict each other, and as `__init__`."""
        owner = f"solver {name!r}"
        read = read_settings(cls.declared, settings, owner)
        return cls(name, read, searched_corpus(corpora, read.corpus, read.evidence, owner))

    @property
    def settings(self) -> Mapping[str, Any]:
        """Fingerprints of the weights and of the premises, and every constant."""
        own = {name: getattr(self._given, name) for name in _DECIDING}
        return {"solver": "entailment", **self._scorer.settings, "evidence": self._premises.settings, **own}

    def check(self, known: QuestionSet, asked: Sequence[Question] | None = None) -> tuple[str, ...]:
        """Counts questions without premises. Raises AssayError for those that the file lacks."""
        questions = tuple(known) if asked is None else asked
        if self._given.without == "read":
            return self._premises.check(questions, "their statements are read alone")
        return self._premises.check(questions)

    def seen(self, questions: Iterable[Question]) -> list[Question]:
        """Those of the questions that the pairs it was trained on or chosen by were made of.

        Raises AssayError when its model folder doesn't say.
        """
        from assay.solvers.neural.trained_on import seen_by

        return seen_by(self._given.model, questions)

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """One answer a question, in order. Raises AssayError for a question that the evidence file lacks."""
        asked, shown = tee(questions)
        held: deque[list[list[SentenceEvidence]]] = deque()

        def groups() -> Iterator[list[Pair]]:
            for question, pieces in self._premises.of(shown):
                own = self._offered(pieces)
                held.append(own)
                yield list(self._pairs(question, own))

        for question, found in zip(asked, self._scorer.probabilities(groups()), strict=True):
            yield self._answer(question, held.popleft(), found)

    def _offered(self, pieces: Pieces) -> list[list[SentenceEvidence]]:
        """For each choice what its statement is held against: premises, single or joined."""
        given = self._given
        found = offered(pieces, given.premises, given.most, given.combine)
        return [own or [EMPTY] for own in found] if given.without == "read" else found

    def _pairs(self, question: Question, held: list[list[SentenceEvidence]]) -> Iterator[Pair]:
        """Each distinct premise and statement once; the network sees a question's pairs together."""
        texts = dict.fromkeys(pair for pairs in self._texts(question, held) for pair in pairs)
        for number, (premise, hypothesis) in enumerate(texts):
            yield Pair(f"{question.id}:{number}", premise, hypothesis, None)

    def _texts(
        self, question: Question, held: list[list[SentenceEvidence]]
    ) -> Iterator[list[tuple[str, str]]]:
        for choice, pieces in zip(question.choices, held, strict=True):
            asked = statement(question.stem, choice.text, cast(Method, self._given.statements)).text
            yield [(piece.text, asked) for piece in pieces]

    def _answer(
        self, question: Question, held: list[list[SentenceEvidence]], found: Sequence[float]
    ) -> Answer:
        texts = list(self._texts(question, held))
        known = dict(zip(dict.fromkeys(pair for pairs in texts for pair in pairs), found, strict=True))
        scores, evidence = [], []
        for pieces, pairs in zip(held, texts, strict=True):
            values = [round(known[pair], DECIMALS) for pair in pairs]
            best = max(values, default=0.0)
            scores.append(best)
            evidence.append((won(pieces[values.index(best)], best),) if pieces and pieces != [EMPTY] else ())
        return Answer(
            question.id, "answered", choose(question, tuple(scores)), tuple(scores), tuple(evidence)
        )


_DECIDING = ("statements", "combine", "premises", "most", "allow_missing", "without")


def _scorer(settings: EntailmentSettings) -> PairScorer:
    need_neural("an entailment solver")
    from assay.solvers.neural.pair_scorer import pair_scorer

    return pair_scorer(settings.model, bf16=settings.precision == "bf16")
