"""Word overlap: a choice is right as far as a premise holds the words of its statement. Nothing is learned.

The plainest baseline beside every network that reads premises; the same count as the baseline of entailment
pairs (`entailment.overlap`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast

from assay.corpus.model import Corpus
from assay.questions.model import Answer, Question, QuestionSet, SentenceEvidence
from assay.questions.ties import choose
from assay.solvers.offered import StatementSettings, offered, won
from assay.solvers.premise_source import PremiseSource
from assay.solvers.settings import read_settings, searched_corpus
from assay.text.analysis import Analyser
from assay.text.shares import Shares
from assay.text.statements import Method, statement


class OverlapSolver:
    """Score of a choice: the largest share of its statement's content stems that one premise holds, 0 to 1.

    A choice without a premise scores 0. Of a statement without content stems the stop words count. The
    answer's evidence is the premise that won, of equal ones the first, with that share as its score.
    """

    declared = StatementSettings

    def __init__(self, name: str, settings: StatementSettings, corpus: Corpus | None = None) -> None:
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
