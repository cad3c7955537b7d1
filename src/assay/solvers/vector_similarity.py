"""Vector similarity: the choice most like the question, by static word vectors; nothing is trained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.corpus.model import Corpus
from assay.questions.model import Answer, Question, QuestionSet
from assay.questions.ties import choose
from assay.solvers.settings import read_settings, setting
from assay.text.mean_vectors import WORDS, MeanVectors, cosines
from assay.text.stopwords import DEFAULT as DEFAULT_LIST
from assay.text.vectors import DEFAULT, PACKAGED


@dataclass(frozen=True)
class VectorSettings:
    """What decides a text's vector."""

    vectors: str = setting(DEFAULT, f"static vectors: {', '.join(PACKAGED)}, or a file of any known format")
    words: str = setting("all", "which tokens count", one_of=WORDS)
    stop_words: str = setting(DEFAULT_LIST, "the list that 'content' leaves out, by name or path")


class VectorSimilarity:
    """The cosine of the stem's and the choice's mean word vectors; 0 where either has no known word."""

    declared = VectorSettings

    def __init__(self, name: str = "vector-similarity", settings: VectorSettings | None = None) -> None:
        """Raises AssayError when the vectors aren't there."""
        self.name = name
        self._texts = text_vectors(settings or VectorSettings())

    @classmethod
    def build(cls, name: str, settings: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> VectorSimilarity:
        """Raises AssayError for a setting that is unknown or wrong, or vectors that aren't there."""
        return cls(name, read_settings(cls.declared, settings, f"solver {name!r}"))

    @property
    def settings(self) -> Mapping[str, Any]:
        """The vectors' fingerprint, and what words count."""
        return {"solver": "vector-similarity", **self._texts.settings}

    def check(self, known: QuestionSet, asked: Sequence[Question] | None = None) -> tuple[str, ...]:
        """How much of the questions has vectors. Raises AssayError when no word has, or for a faulty file."""
        questions = known if asked is None else asked
        return notes_on(self._texts, [text for q in questions for text in _texts(q)], "stems and choices")

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """One answer a question, in order; the vectors are read once for all questions."""
        asked = list(questions)
        self._texts.learn(text for question in asked for text in _texts(question))
        for question in asked:
            vectors = self._texts.unit(_texts(question))
            scores = tuple(cosines(vectors[:1], vectors[1:])[0].tolist())
            yield Answer(question.id, "answered", choose(question, scores), scores)


def text_vectors(settings: VectorSettings) -> MeanVectors:
    """The texts' vectors that the settings ask for."""
    return MeanVectors(settings.vectors, settings.words, settings.stop_words)


def notes_on(vectors: MeanVectors, texts: Sequence[str], what: str) -> tuple[str, ...]:
    """The coverage in words, and what was odd in the file; `what` names the texts."""
    found = vectors.coverage(texts)
    said = f"static vectors: {100 * found.share:.1f}% of {found.tokens:,} words known"
    if found.unknown_texts:
        said += f"; {found.unknown_texts:,} of {found.texts:,} {what} have no known word"
    return (said, *vectors.notes)


def _texts(question: Question) -> list[str]:
    return [question.stem, *(choice.text for choice in question.choices)]
