"""A reader as a solver: a trained network, or an encoder as it comes, scores each choice with its evidence.

Built without PyTorch until a solver is made: the network and its kinds live in `solvers.neural`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import tee
from typing import TYPE_CHECKING, Any

from assay.corpus.model import Corpus
from assay.errors import AssayError, need_neural
from assay.evidence.retrieval import RetrievalSettings
from assay.evidence.retriever import Retriever
from assay.questions.model import Answer, Evidence, Question, QuestionSet, SentenceEvidence
from assay.questions.ties import choose
from assay.solvers.evidence_file import EvidenceFile
from assay.solvers.settings import named_corpus, read_settings, setting

if TYPE_CHECKING:
    from assay.solvers.neural.scorer import Scorer

UNTRAINED = ("similarity",)
"""Readers that make sense without training."""
DECIMALS = 5
"""Scores are rounded to so many: machines differ in the bits after."""


@dataclass(frozen=True)
class ReaderSettings:
    """Which network, and where its evidence is from."""

    model: str | None = setting(None, "folder of a trained reader, as assay train or assay export writes it")
    reader: str | None = setting(
        None, "without a model: an untrained reader of this kind (similarity)", one_of=UNTRAINED
    )
    encoder: str | None = setting(
        None, "without a model: its encoder, minilm (the default), a folder, or a hub's name"
    )
    evidence: str | None = setting(None, "evidence file, as assay retrieve writes it")
    method: str | None = setting(
        None,
        "without an evidence file: retrieve from the corpus, by default two-step where one is named",
        one_of=("single", "two-step"),
    )
    corpus: str | None = setting(None, "name of the corpus to retrieve from; the only one, unless set")
    sentences: int | None = setting(
        None, "sentences of evidence a choice, if not as many as the reader says; 0: it reads none", minimum=0
    )
    pieces: int | None = setting(None, "word pieces of a sequence, if not as the reader says", minimum=8)
    allow_missing: bool = setting(
        False, "a question that the evidence file lacks is read without instead of a fault"
    )
    precision: str = setting(
        "fp32", "of the network's products; bf16 is faster where there is hardware", one_of=("fp32", "bf16")
    )


class ReaderSolver:
    """Scores, the softmax over them if the reader was trained, and the sentences that it was given."""

    declared = ReaderSettings

    def __init__(self, name: str, settings: ReaderSettings, corpus: Corpus | None = None) -> None:
        """`corpus`: to retrieve from, where there is no evidence file.

        Raises AssayError when PyTorch or the encoder is missing, the model folder isn't whole, or there is no
        evidence for a reader of evidence, or some for one that reads none.
        """
        self.name = name
        self._given = settings
        self._scorer = _scorer(settings)
        self._file = self._retriever = None
        if not self._scorer.sentences:
            if settings.evidence is not None or corpus is not None:
                raise AssayError(f"solver {name!r}: its reader reads no evidence: leave it away")
            return
        if settings.evidence is not None:
            self._file = EvidenceFile(settings.evidence)
        elif corpus is not None:
            wanted = RetrievalSettings(k=self._scorer.sentences)
            self._retriever = Retriever(settings.method or "two-step", corpus, wanted)
        else:
            raise AssayError(
                f"solver {name!r}: its reader reads {self._scorer.sentences} sentences of evidence a choice",
                hint="evidence = FILE, as assay retrieve writes it; or method and corpus; or sentences = 0 "
                "to read none",
            )

    @classmethod
    def build(cls, name: str, settings: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> ReaderSolver:
        """Raises AssayError for wrong settings or settings that contradict each other, and as `__init__`."""
        owner = f"solver {name!r}"
        read = read_settings(cls.declared, settings, owner)
        retrieves = read.method is not None or read.corpus is not None
        if read.model is not None and (read.reader is not None or read.encoder is not None):
            raise AssayError(f"{owner}: a model has its own encoder: leave `reader` and `encoder` away")
        if read.evidence is not None and retrieves:
            raise AssayError(f"{owner}: evidence is given twice: by a file, and by `method` or `corpus`")
        if read.sentences == 0 and (read.evidence is not None or retrieves):
            raise AssayError(f"{owner}: sentences = 0, so no evidence is read: leave it away")
        return cls(name, read, named_corpus(corpora, read.corpus, owner) if retrieves else None)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Fingerprints of the weights and of the evidence, how it reads, and the precision."""
        evidence: Any = None
        if self._file is not None:
            evidence = {"sha256": self._file.sha256}
        elif self._retriever is not None:
            evidence = dict(self._retriever.settings)
        return {
            "solver": "reader",
            **self._scorer.settings,
            "evidence": evidence,
            "allow_missing": self._given.allow_missing,
        }

    def check(self, known: QuestionSet, asked: Sequence[Question] | None = None) -> tuple[str, ...]:
        """Says what the evidence file lacks; raises AssayError for that unless it is allowed."""
        if self._file is None:
            return ()
        questions = known if asked is None else asked
        allowed = self._given.allow_missing
        missing = self._file.lacking(questions, "allow_missing = true", allowed=allowed)
        return (f"{len(missing):,} questions have no evidence and are read without",) if missing else ()

    def seen(self, questions: Iterable[Question]) -> list[Question]:
        """Those of the questions that its model was trained on or chosen by; none for an untrained reader.

        Raises AssayError when its model folder doesn't say.
        """
        if self._given.model is None:
            return []
        from assay.solvers.neural.trained_on import seen_by

        return seen_by(self._given.model, questions)

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """One answer a question, in order. Raises AssayError for a question without evidence."""
        asked, shown = tee(questions)
        found: deque[tuple[tuple[Evidence, ...], ...] | None] = deque()

        def read() -> Iterator[tuple[Question, Answer | None]]:
            for question, answer in self._with_evidence(shown):
                found.append(None if answer is None else answer.evidence)
                yield question, answer

        for question, scores in zip(asked, self._scorer.scores(read()), strict=True):
            yield self._answer(question, scores, found.popleft())

    def _with_evidence(self, questions: Iterator[Question]) -> Iterator[tuple[Question, Answer | None]]:
        if self._retriever is not None:
            asked, searched = tee(questions)
            yield from zip(asked, self._retriever.answer(searched), strict=True)
            return
        for question in questions:
            if self._file is None or (self._given.allow_missing and question not in self._file):
                yield question, None
            else:
                yield question, self._file[question]

    def _answer(
        self, question: Question, found: Sequence[float], evidence: tuple[tuple[Evidence, ...], ...] | None
    ) -> Answer:
        scores = tuple(round(score, DECIMALS) for score in found)
        given = None
        if evidence is not None:
            given = tuple(
                tuple(piece for piece in pieces if isinstance(piece, SentenceEvidence))[
                    : self._scorer.sentences
                ]
                for pieces in evidence
            )
        return Answer(
            question.id,
            "answered",
            choose(question, scores),
            scores,
            given,
            self._scorer.probabilities(scores),
        )


def _scorer(settings: ReaderSettings) -> Scorer:
    need_neural("a reader")
    from assay.solvers.neural.scorer import trained_scorer, untrained_scorer

    changed = {
        name: value
        for name, value in (("sentences", settings.sentences), ("pieces", settings.pieces))
        if value is not None
    }
    bf16 = settings.precision == "bf16"
    if settings.model is not None:
        return trained_scorer(settings.model, changed, bf16=bf16)
    encoder = {} if settings.encoder is None else {"encoder": settings.encoder}
    return untrained_scorer(settings.reader or UNTRAINED[0], {**encoder, **changed}, bf16=bf16)
