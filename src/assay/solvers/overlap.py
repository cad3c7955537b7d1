"""Word overlap: a choice is right as far as a premise holds the words of its statement. Nothing is learned.

The plainest baseline beside every network that reads premises; the same count as the baseline of entailment
pairs (`entailment.overlap`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from assay.corpus.model import Corpus
from assay.questions.model import Answer, Question, QuestionSet, SentenceEvidence
from assay.questions.ties import choose
from assay.solvers.offered import COMBINATIONS, WHOSE, offered, won
from assay.solvers.premise_source import PremiseSource
from assay.solvers.settings import read_settings, searched_corpus, setting
from assay.text.analysis import Analyser
from assay.text.shares import Shares
from assay.text.statements import METHODS, Method, statement


@dataclass(frozen=True)
class OverlapSettings:
    """Where premises are from, and what of them is counted."""

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


class OverlapSolver:
    """Score of a choice: the largest share of its statement's content stems that one premise holds, 0 to 1.

    A choice without a premise scores 0. Of a statement without content stems the stop words count. The
    answer's evidence is the premise that won, of equal ones the first, with that share as its score.
    """

    declared = OverlapSettings

    def __init__(self, name: str, settings: OverlapSettings, corpus: Corpus | None = None) -> None:
        """`corpus`: to retrieve from, where there is no evidence file.

        Raises AssayError when the evidence file can't be read, or there is neither file nor corpus.
        """
        self.name = name
        self._given = settings
        self._analyser = Analyser()
        self._shares = Shares(self._analyser)
        self._premises = PremiseSource(
            f"solver {name!r}", settings.evidence, corpus, allow_missing=settings.allow_missing
        )

    @classmethod
    def build(cls, name: str, settings: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> OverlapSolver:
        """Raises AssayError for wrong settings or settings that contradict each other, and as `__init__`."""
        owner = f"solver {name!r}"
        read = read_settings(cls.declared, settings, owner)
        return cls(name, read, searched_corpus(corpora, read.corpus, read.evidence, owner))

    @property
    def settings(self) -> Mapping[str, Any]:
        """Fingerprint of the premises, every constant, and what stems are."""
        own = {key: value for key, value in asdict(self._given).items() if key not in ("evidence", "corpus")}
        return {
            "solver": "overlap",
            **own,
            "evidence": self._premises.settings,
            "analyser": dict(self._analyser.settings),
        }

    def check(self, known: QuestionSet, asked: Sequence[Question] | None = None) -> tuple[str, ...]:
        """Counts questions without premises. Raises AssayError for those that the file lacks."""
        return self._premises.check(tuple(known) if asked is None else asked)

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """One answer a question, in order. Raises AssayError for a question that the evidence file lacks."""
        given = self._given
        for question, pieces in self._premises.of(questions):
            held = offered(pieces, given.premises, given.most, given.combine)
            best = [self._best(question, choice.text, own) for choice, own in zip(
                question.choices, held, strict=True
            )]  # fmt: skip
            scores = tuple(score for score, _ in best)
            evidence = tuple(() if piece is None else (won(piece, score),) for score, piece in best)
            yield Answer(question.id, "answered", choose(question, scores), scores, evidence)

    def _best(
        self, question: Question, choice: str, held: Sequence[SentenceEvidence]
    ) -> tuple[float, SentenceEvidence | None]:
        asked = statement(question.stem, choice, cast(Method, self._given.statements)).text
        shares = [self._shares.share(piece.text, asked) for piece in held]
        best = max(shares, default=0.0)
        return best, held[shares.index(best)] if held else None
