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
from assay.questions.model import Answer, Question, QuestionSet, SentenceEvidence
from assay.questions.ties import choose
from assay.solvers.premise_source import Pieces, PremiseSource
from assay.solvers.settings import REQUIRED, read_settings, searched_corpus, setting
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
    evidence: str | None = setting(
        None, "premises: an evidence file, as assay retrieve writes it, best with --method premises"
    )
    corpus: str | None = setting(
        None,
        "without an evidence file: name of the corpus to retrieve premises from; the only one, unless set",
    )
    sentences: int = setting(0, "best sentences of a question that the paragraph holds; 0: all", minimum=0)
    words: str = setting(
        "lemma",
        "words of span and choice as: lemma (extra 'lemmas'), snowball, porter (the lineage's), surface",
        one_of=tuple(BASES),
    )
    spans: str = setting(
        "best",
        "what covers a choice's words: the best span (the paper), or all, each as much as it is likely",
        one_of=("best", "all"),
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

    def __init__(self, name: str, settings: SpanSettings, corpus: Corpus | None = None) -> None:
        """`corpus`: to retrieve from, where there is no evidence file.

        Raises AssayError when PyTorch or lemmas are missing, model or evidence can't be read, or there is
        neither file nor corpus.
        """
        need_neural("a reader of passages")
        from assay.solvers.neural.span_scorer import span_scorer

        self.name = name
        self._given = settings
        self._base = base_forms(settings.words)
        self._analyser = Analyser("none", settings.stop_words)
        changed = {} if settings.longest is None else {"longest": settings.longest}
        self._scorer = span_scorer(settings.model, changed)
        self._premises = PremiseSource(
            f"solver {name!r}", settings.evidence, corpus, allow_missing=settings.allow_missing
        )

    @classmethod
    def build(cls, name: str, settings: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> SpanSolver:
        """Raises AssayError for wrong settings or settings that contradict each other, and as `__init__`."""
        owner = f"solver {name!r}"
        read = read_settings(cls.declared, settings, owner)
        return cls(name, read, searched_corpus(corpora, read.corpus, read.evidence, owner))

    @property
    def settings(self) -> Mapping[str, Any]:
        """Fingerprints of the weights and of the evidence, and how spans are held against choices."""
        return {
            "solver": "span",
            **self._scorer.settings,
            "evidence": self._premises.settings,
            "sentences": self._given.sentences,
            "words": self._given.words,
            "spans": self._given.spans,
            "stop_words": self._analyser.settings["stop_words_sha256"],
            "allow_missing": self._given.allow_missing,
        }

    def check(self, known: QuestionSet, asked: Sequence[Question] | None = None) -> tuple[str, ...]:
        """Counts questions without premises. Raises AssayError for those that the file lacks."""
        return self._premises.check(tuple(known) if asked is None else asked)

    def seen(self, questions: Iterable[Question]) -> list[Question]:
        """Those of the questions that its model was trained on or chosen by.

        Raises AssayError when its model folder doesn't say.
        """
        from assay.solvers.neural.trained_on import seen_by

        return seen_by(self._given.model, questions)

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """One answer a question, in order. Raises AssayError for a question without evidence."""
        asked, shown = tee(questions)
        found: deque[tuple[Pieces, str]] = deque()

        def read() -> Iterator[tuple[str, str]]:
            for question, pieces in self._premises.of(shown):
                text = paragraph(piece.text for piece in pooled(pieces, self._given.sentences))
                found.append((pieces, text))
                yield text, question.stem

        for question, predicted in zip(asked, self._scorer.spans(read()), strict=True):
            pieces, passage = found.popleft()
            yield self._answer(question, pieces, passage, predicted)

    def _answer(self, question: Question, pieces: Pieces, passage: str, predicted: PredictedSpan) -> Answer:
        covered = self._covered(predicted)
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

    def _covered(self, predicted: PredictedSpan) -> Mapping[str, float]:
        """How likely each base form is covered: by the best span surely, by all as its likeliest token is."""
        if self._given.spans == "best":
            return {self._base(token): 1.0 for token in self._analyser.tokens(predicted.span.text)}
        found: dict[str, float] = {}
        for word, share in zip(predicted.words, predicted.inside, strict=True):
            for token in self._analyser.tokens(word):
                base = self._base(token)
                found[base] = max(found.get(base, 0.0), share)
        return found

    def _share(self, text: str, covered: Mapping[str, float]) -> float:
        """The share of the text's words, stop words aside, that are covered; 0 where there are none."""
        words = [token for token in self._analyser.tokens(text) if token not in self._analyser.stop_list]
        found = sum(covered.get(self._base(word), 0.0) for word in words)
        return round(found / len(words), DECIMALS) if words else 0.0
