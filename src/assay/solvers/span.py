"""Reading comprehension for multiple choice: which choice does the span of a reader of passages cover?

The ARC paper's BiDAF (Clark et al. 2018, section 5): the kept premises of a question make one paragraph, the
reader predicts a span of it, and the choice of whose words the span covers the largest share is taken.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import tee
from typing import TYPE_CHECKING, Any

from assay.corpus.model import Corpus
from assay.errors import need_neural
from assay.passages.paragraph import paragraph, pooled
from assay.questions.model import Answer, Evidence, Question, QuestionSet, SentenceEvidence
from assay.questions.ties import choose
from assay.solvers.evidence_file import EvidenceFile
from assay.solvers.settings import REQUIRED, read_settings, setting
from assay.text.analysis import Analyser
from assay.text.lemmas import BASES, base_forms
from assay.text.stopwords import DEFAULT as STOP_WORDS

if TYPE_CHECKING:
    from assay.solvers.neural.span_scorer import PredictedSpan

DECIMALS = 6


@dataclass(frozen=True)
class SpanSettings:
    """Which reader, what it reads, and how its span is held against the choices."""

    model: str = setting(REQUIRED, "folder of a trained reader of passages (bidaf), as assay train writes it")
    evidence: str = setting(REQUIRED, "evidence file, as assay retrieve writes it (--method premises)")
    sentences: int = setting(0, "best sentences of a question that the paragraph holds; 0: all", minimum=0)
    words: str = setting(
        "lemma",
        "words of span and choice as: lemma (extra 'lemmas'), snowball, porter (the lineage's), surface",
        one_of=tuple(BASES),
    )
    stop_words: str = setting(STOP_WORDS, "words of a choice that don't count: name of a list, or a file")
    longest: int | None = setting(None, "tokens of the longest span, if not as the reader says", minimum=1)
    allow_missing: bool = setting(
        False, "a question that the evidence file lacks is taken for one without premises instead of a fault"
    )


class SpanSolver:
    """Scores: the share of a choice's words, stop words aside, that the reader's span covers.

    A choice of stop words alone scores 0. Where there is no premise all choices do, and tie. Evidence: the
    span with its probability (role "span"), the paragraph (role "paragraph"), then the choice's sentences.
    """

    declared = SpanSettings

    def __init__(self, name: str, settings: SpanSettings) -> None:
        """Raises AssayError when PyTorch or lemmas are missing, or model or evidence can't be read."""
        need_neural("a reader of passages")
        from assay.solvers.neural.span_scorer import span_scorer

        self.name = name
        self._given = settings
        self._base = base_forms(settings.words)
        self._analyser = Analyser("none", settings.stop_words)
        changed = {} if settings.longest is None else {"longest": settings.longest}
        self._scorer = span_scorer(settings.model, changed)
        self._file = EvidenceFile(settings.evidence)

    @classmethod
    def build(cls, name: str, settings: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> SpanSolver:
        """Raises AssayError for wrong settings, and as `__init__`."""
        return cls(name, read_settings(cls.declared, settings, f"solver {name!r}"))

    @property
    def settings(self) -> Mapping[str, Any]:
        """Fingerprints of the weights and of the evidence, and how spans are held against choices."""
        return {
            "solver": "span",
            **self._scorer.settings,
            "evidence": {"sha256": self._file.sha256},
            "sentences": self._given.sentences,
            "words": self._given.words,
            "stop_words": self._analyser.settings["stop_words_sha256"],
            "allow_missing": self._given.allow_missing,
        }

    def check(self, known: QuestionSet, asked: Sequence[Question] | None = None) -> tuple[str, ...]:
        """Counts questions without premises. Raises AssayError for those that the file lacks."""
        questions = known if asked is None else asked
        missing = self._file.lacking(questions, "allow_missing = true", allowed=self._given.allow_missing)
        without = sum(not self._pieces(question)[1] for question in questions)
        if not without:
            return ()
        lacking = f", {len(missing):,} of them not in the evidence file" if missing else ""
        return (f"{without:,} of {len(questions):,} questions have no premise{lacking}: their choices tie",)

    def seen(self, questions: Iterable[Question]) -> list[Question]:
        """Those of the questions that its model was trained on or chosen by.

        Raises AssayError when its model folder doesn't say.
        """
        from assay.solvers.neural.trained_on import seen_by

        return seen_by(self._given.model, questions)

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """One answer a question, in order. Raises AssayError for a question without evidence."""
        asked, shown = tee(questions)
        found: deque[tuple[Sequence[Sequence[Evidence]], str]] = deque()

        def read() -> Iterator[tuple[str, str]]:
            for question in shown:
                pieces, sentences = self._pieces(question)
                found.append((pieces, paragraph(piece.text for piece in sentences)))
                yield found[-1][1], question.stem

        for question, predicted in zip(asked, self._scorer.spans(read()), strict=True):
            pieces, passage = found.popleft()
            yield self._answer(question, pieces, passage, predicted)

    def _pieces(
        self, question: Question
    ) -> tuple[Sequence[Sequence[Evidence]], tuple[SentenceEvidence, ...]]:
        """The evidence of each choice as the file has it, and the sentences of the paragraph in order."""
        if self._given.allow_missing and question not in self._file:
            return ((),) * len(question.choices), ()
        pieces = self._file[question].evidence or ()
        return pieces, pooled(pieces, self._given.sentences)

    def _answer(
        self, question: Question, pieces: Sequence[Sequence[Evidence]], passage: str, predicted: PredictedSpan
    ) -> Answer:
        covered = {self._base(token) for token in self._analyser.tokens(predicted.span.text)}
        scores = tuple(self._share(choice.text, covered) for choice in question.choices)
        read = (
            ()
            if not passage
            else (
                SentenceEvidence(predicted.span.text, predicted.probability, role="span"),
                SentenceEvidence(passage, 0.0, role="paragraph"),
            )
        )
        evidence = tuple((*read, *own) for own in pieces)
        return Answer(question.id, "answered", choose(question, scores), scores, evidence)

    def _share(self, text: str, covered: set[str]) -> float:
        """The share of the text's words, stop words aside, that are covered; 0 where there are none."""
        words = [token for token in self._analyser.tokens(text) if token not in self._analyser.stop_list]
        return (
            round(sum(self._base(word) in covered for word in words) / len(words), DECIMALS) if words else 0.0
        )
