"""Entailment: a choice is right as far as a premise entails its statement (Clark et al. 2018, section 5.1).

Built without PyTorch until a solver is made: the networks live in `solvers.neural`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, tee
from typing import TYPE_CHECKING, Any, cast

from assay.corpus.model import Corpus
from assay.entailment.pair import Pair
from assay.errors import need_neural
from assay.evidence.premises import ROLE
from assay.questions.model import Answer, Question, QuestionSet, SentenceEvidence
from assay.questions.ties import choose
from assay.solvers.premise_source import Pieces, PremiseSource, premises
from assay.solvers.settings import REQUIRED, read_settings, searched_corpus, setting
from assay.text.sentences import with_full_stop
from assay.text.statements import METHODS, Method, statement

if TYPE_CHECKING:
    from assay.solvers.neural.pair_scorer import PairScorer

COMBINATIONS = ("max", "pairs", "joined")
WHOSE = ("own", "pool")
DECIMALS = 4
"""Probabilities that are equal to so many are a tie (the ARC baselines' own rule)."""


@dataclass(frozen=True)
class EntailmentSettings:
    """Which network, what it is asked, and where premises are from."""

    model: str = setting(REQUIRED, "folder of a network over pairs, as assay train writes it")
    evidence: str | None = setting(
        None, "premises: an evidence file, as assay retrieve writes it, best with --method premises"
    )
    corpus: str | None = setting(
        None,
        "without an evidence file: name of the corpus to retrieve premises from; the only one, unless set",
    )
    statements: str = setting("grammatical", "how stem and choice become a statement", one_of=METHODS)
    combine: str = setting(
        "max",
        "max: the best single premise; pairs: the best of single ones and any two joined; joined: all as one",
        one_of=COMBINATIONS,
    )
    premises: str = setting(
        "own", "whose premises speak for a choice: its own, or all of its question's", one_of=WHOSE
    )
    most: int = setting(8, "premises read of a choice (own) or question (pool), the best", minimum=1)
    allow_missing: bool = setting(
        False, "a question that the evidence file lacks has no premises instead of being a fault"
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
        return self._premises.check(tuple(known) if asked is None else asked)

    def seen(self, questions: Iterable[Question]) -> list[Question]:
        """Those of the questions that the pairs it was trained on or chosen by were made of.

        Raises AssayError when its model folder doesn't say.
        """
        from assay.solvers.neural.trained_on import seen_by

        return seen_by(self._given.model, questions)

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """One answer a question, in order. Raises AssayError for a question that the evidence file lacks."""
        asked, shown = tee(questions)
        offered: deque[list[list[SentenceEvidence]]] = deque()

        def groups() -> Iterator[list[Pair]]:
            for question, pieces in self._premises.of(shown):
                held = self._offered(pieces)
                offered.append(held)
                yield list(self._pairs(question, held))

        for question, found in zip(asked, self._scorer.probabilities(groups()), strict=True):
            yield self._answer(question, offered.popleft(), found)

    def _offered(self, pieces: Pieces) -> list[list[SentenceEvidence]]:
        """For each choice what its statement is held against: premises, single or joined."""
        own = [premises(found) for found in pieces]
        if self._given.premises == "pool":
            pool: dict[str, SentenceEvidence] = {}
            for piece in sorted((piece for held in own for piece in held), key=lambda one: -one.score):
                pool.setdefault(piece.text, piece)
            own = [list(pool.values())] * len(own)
        return [self._combined(held[: self._given.most]) for held in own]

    def _combined(self, pieces: list[SentenceEvidence]) -> list[SentenceEvidence]:
        if self._given.combine == "pairs":
            return [*pieces, *(_joined(two) for two in combinations(pieces, 2))]
        return [_joined(pieces)] if self._given.combine == "joined" and pieces[1:] else pieces

    def _pairs(self, question: Question, offered: list[list[SentenceEvidence]]) -> Iterator[Pair]:
        """Each distinct premise and statement once; the network sees a question's pairs together."""
        texts = dict.fromkeys(pair for pairs in self._texts(question, offered) for pair in pairs)
        for number, (premise, hypothesis) in enumerate(texts):
            yield Pair(f"{question.id}:{number}", premise, hypothesis, None)

    def _texts(
        self, question: Question, offered: list[list[SentenceEvidence]]
    ) -> Iterator[list[tuple[str, str]]]:
        for choice, pieces in zip(question.choices, offered, strict=True):
            asked = statement(question.stem, choice.text, cast(Method, self._given.statements)).text
            yield [(piece.text, asked) for piece in pieces]

    def _answer(
        self, question: Question, offered: list[list[SentenceEvidence]], found: Sequence[float]
    ) -> Answer:
        texts = list(self._texts(question, offered))
        known = dict(zip(dict.fromkeys(pair for pairs in texts for pair in pairs), found, strict=True))
        scores, evidence = [], []
        for pieces, pairs in zip(offered, texts, strict=True):
            values = [round(known[pair], DECIMALS) for pair in pairs]
            best = max(values, default=0.0)
            scores.append(best)
            evidence.append((_won(pieces[values.index(best)], best),) if pieces else ())
        return Answer(
            question.id, "answered", choose(question, tuple(scores)), tuple(scores), tuple(evidence)
        )


_DECIDING = ("statements", "combine", "premises", "most", "allow_missing")


def _joined(pieces: Sequence[SentenceEvidence]) -> SentenceEvidence:
    """Premises one after another, full stops added; of two, the ids of both are kept."""
    text = " ".join(with_full_stop(piece.text) for piece in pieces)
    first, second = (pieces[0].sentence_id, pieces[1].sentence_id) if len(pieces) == 2 else (None, None)
    return SentenceEvidence(text, 0.0, first, None, ROLE, second)


def _won(piece: SentenceEvidence, probability: float) -> SentenceEvidence:
    return SentenceEvidence(piece.text, probability, piece.sentence_id, piece.source, ROLE, piece.partner)


def _scorer(settings: EntailmentSettings) -> PairScorer:
    need_neural("an entailment solver")
    from assay.solvers.neural.pair_scorer import pair_scorer

    return pair_scorer(settings.model, bf16=settings.precision == "bf16")
