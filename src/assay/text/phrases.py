"""How much two phrases say the same: words matched by their stems, by WordNet, by static vectors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from assay.text.analysis import Analyser, is_stop
from assay.text.vectors import VectorSource, parts
from assay.text.wordnet import WordNet

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text and the words of it that count, lower-cased, in order; stop words only where it has no other."""

    text: str
    words: tuple[str, ...]


def phrase(text: str, analyser: Analyser) -> Phrase:
    """The phrase that the text is."""
    tokens = analyser.tokens(text)
    content = [token for token in tokens if not is_stop(analyser.term(token))]
    return Phrase(text, tuple(content or tokens))


class WordScores(Protocol):
    """How far one word says another."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that decides a score."""
        ...

    def learn(self, words: Iterable[str]) -> None:
        """Get ready for these words at once, where that is cheaper than one by one."""
        ...

    def between(self, words: Sequence[str], others: Sequence[str]) -> Matrix:
        """[words, others], in [0, 1]: how far each word says each other word; 1 where it is the same."""
        ...


class Stems:
    """1 for words of one stem, else 0."""

    def __init__(self, analyser: Analyser) -> None:
        self._analyser = analyser

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"words": "stems", "analyser": dict(self._analyser.settings)}

    def learn(self, words: Iterable[str]) -> None:
        """Nothing to do."""

    def between(self, words: Sequence[str], others: Sequence[str]) -> Matrix:
        terms = [self._analyser.term(word) for word in words]
        columns: dict[str, list[int]] = {}
        for place, other in enumerate(others):
            columns.setdefault(self._analyser.term(other), []).append(place)
        found = np.zeros((len(words), len(others)))
        for row, term in enumerate(terms):
            found[row, columns.get(term, [])] = 1.0
        return found


class Related:
    """Words tied in WordNet: synonyms, and a word with what it is a kind of.

    Words that share one of their first senses score `synonym`; a word says its hypernym d steps up with
    `synonym` * `step`^d, up to `steps` steps; nothing is said downwards (a dog is an animal, an animal is
    perhaps no dog). The measure stands in for the entailment service of the original, which was never
    published; the constants are ours.
    """

    def __init__(
        self, wordnet: WordNet, synonym: float = 0.9, step: float = 0.8, steps: int = 3, senses: int = 2
    ) -> None:
        self._wordnet = wordnet
        self._values = [synonym * step**distance for distance in range(steps + 1)]
        self._senses = senses
        self._above: dict[str, dict[int, float]] = {}
        self._own: dict[str, frozenset[int]] = {}

    @property
    def settings(self) -> Mapping[str, Any]:
        return {
            "words": "wordnet",
            "wordnet": self._wordnet.fingerprint,
            "by_distance": self._values,
            "senses": self._senses,
        }

    def learn(self, words: Iterable[str]) -> None:
        """Nothing to do."""

    def between(self, words: Sequence[str], others: Sequence[str]) -> Matrix:
        columns: dict[int, list[int]] = {}
        for place, other in enumerate(others):
            for sense in self._senses_of(other):
                columns.setdefault(sense, []).append(place)
        found = np.zeros((len(words), len(others)))
        for row, word in enumerate(words):
            for sense, value in self._said_by(word).items():
                for place in columns.get(sense, ()):
                    found[row, place] = max(found[row, place], value)
        return found

    def _senses_of(self, word: str) -> frozenset[int]:
        if word not in self._own:
            self._own[word] = frozenset(self._wordnet.senses(word, self._senses))
        return self._own[word]

    def _said_by(self, word: str) -> dict[int, float]:
        """Every sense that the word's senses are, or are a kind of, with its value."""
        if word not in self._above:
            said: dict[int, float] = {}
            layer = set(self._senses_of(word))
            for value in self._values:
                said.update({sense: value for sense in layer if sense not in said})
                layer = {above for sense in layer for above in self._wordnet.hypernyms(sense)}
            self._above[word] = said
        return self._above[word]


class Vectors:
    """The cosine of two words' static vectors where it is `least` or more, else 0."""

    def __init__(self, source: str, least: float) -> None:
        """Raises AssayError when the vectors aren't there."""
        self._source = VectorSource(source)
        self._least = least
        self._known: dict[str, npt.NDArray[np.float64] | None] = {}

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"words": "vectors", "vectors": self._source.fingerprint, "least": self._least}

    def learn(self, words: Iterable[str]) -> None:
        """Read the vectors of the words not known yet, in one pass over the file."""
        new = set(words) - self._known.keys()
        if not new:
            return
        read = self._source.read(new | {part for word in new for part in parts(word)})
        rows = read.rows
        for word in new:
            found = [read.matrix[rows[word]]] if word in rows else []
            found = found or [read.matrix[rows[part]] for part in parts(word) if part in rows]
            mean = np.mean(np.array(found, np.float64), axis=0) if found else np.zeros(1)
            length = float(np.sqrt((mean * mean).sum()))
            self._known[word] = mean / length if length else None

    def between(self, words: Sequence[str], others: Sequence[str]) -> Matrix:
        self.learn([*words, *others])
        found = np.zeros((len(words), len(others)))
        rows = [place for place, word in enumerate(words) if self._known[word] is not None]
        columns = [place for place, word in enumerate(others) if self._known[word] is not None]
        if rows and columns:
            left = np.array([self._known[words[place]] for place in rows])
            right = np.array([self._known[others[place]] for place in columns])
            cosines = np.einsum("id,jd->ij", left, right, optimize=False)
            found[np.ix_(rows, columns)] = np.where(cosines >= self._least, np.minimum(cosines, 1.0), 0.0)
        return found


class Best:
    """The highest of several scores."""

    def __init__(self, *scores: WordScores) -> None:
        self._scores = scores

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"best_of": [dict(one.settings) for one in self._scores]}

    def learn(self, words: Iterable[str]) -> None:
        """Let each get ready."""
        known = list(words)
        for one in self._scores:
            one.learn(known)

    def between(self, words: Sequence[str], others: Sequence[str]) -> Matrix:
        first, *more = (one.between(words, others) for one in self._scores)
        for scores in more:
            first = np.maximum(first, scores)
        return first


def similarities(phrases: Sequence[Phrase], others: Sequence[Phrase], scores: WordScores) -> Matrix:
    """[phrases, others], in [0, 1]: the mean of how far each says the other.

    A phrase says another as far as, on average, its best word says each of the other's words; a phrase
    without a word says nothing.
    """
    words = list(dict.fromkeys(word for one in phrases for word in one.words))
    theirs = list(dict.fromkeys(word for one in others for word in one.words))
    if not words or not theirs:
        return np.zeros((len(phrases), len(others)))
    there = _said(phrases, others, words, theirs, scores)
    back = _said(others, phrases, theirs, words, scores)
    mean: Matrix = (there + back.T) / 2
    return mean


def _said(
    phrases: Sequence[Phrase],
    others: Sequence[Phrase],
    words: Sequence[str],
    theirs: Sequence[str],
    scores: WordScores,
) -> Matrix:
    place = {word: number for number, word in enumerate(words)}
    target = {word: number for number, word in enumerate(theirs)}
    by_word = scores.between(words, theirs)
    best = np.array([_best(by_word, [place[word] for word in one.words], len(theirs)) for one in phrases])
    share = np.zeros((len(theirs), len(others)))
    for column, one in enumerate(others):
        for word in one.words:
            share[target[word], column] += 1 / len(one.words)
    found: Matrix = best @ share
    return found


def _best(by_word: Matrix, rows: list[int], width: int) -> npt.NDArray[np.float64]:
    if not rows:
        return np.zeros(width)
    best: npt.NDArray[np.float64] = np.max(by_word[rows], axis=0)
    return best
