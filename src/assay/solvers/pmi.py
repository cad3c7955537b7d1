"""PMI: the choice whose n-grams co-occur most with the stem's (Clark et al. 2018, section 3.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any, cast

import numpy as np

from assay.corpus.model import Corpus
from assay.evidence.cooccurrence import (
    ESTIMATORS,
    MOST_WINDOW,
    WINDOW,
    Blocks,
    Counts,
    Estimator,
    count_blocks,
)
from assay.evidence.ngrams import KINDS, Kind, ngrams_of_texts
from assay.evidence.pmi import BlockScores, score_blocks
from assay.progress import SILENT, Progress
from assay.questions.model import Answer, PairEvidence, Question
from assay.questions.ties import choose
from assay.solvers.settings import named_corpus, read_settings, setting
from assay.text.analysis import Analyser

PAIRS = 1 << 28
"""Pairs counted in one pass over the corpus, at most by a rough bound; answers don't depend on it."""


@dataclass(frozen=True)
class PMISettings:
    """What decides a PMI score."""

    corpus: str | None = setting(None, "name of the corpus; the only one if there is one")
    estimator: str = setting("windows", "what is counted", one_of=ESTIMATORS)
    window: int = setting(WINDOW, "tokens in a window", minimum=1, maximum=MOST_WINDOW)
    kinds: tuple[str, ...] = setting(KINDS, f"kinds of n-grams, of {', '.join(KINDS)}")
    skip_unseen: bool = setting(False, "leave pairs that never co-occur out of the mean")
    clip: bool = setting(False, "count a negative PMI as 0")
    evidence: int = setting(3, "strongest pairs shown for each choice", minimum=0, maximum=100)


class PMI:
    """Mean PMI over all distinct pairs of an n-gram of the stem and one of the choice, in nats.

    A pair that never co-occurs counts 0, negative values stay. No n-gram on either side: 0.
    """

    declared = PMISettings

    def __init__(
        self,
        corpus: Corpus,
        settings: PMISettings | None = None,
        *,
        name: str = "pmi",
        threads: int | None = None,
        progress: Progress = SILENT,
    ) -> None:
        """`threads`: by default one a core; they change nothing but the time."""
        self.name = name
        self._corpus = corpus
        self._settings = settings or PMISettings()
        self._threads = threads
        self._progress = progress

    @classmethod
    def build(cls, name: str, settings: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> PMI:
        """Raises AssayError for a setting it doesn't know or can't use, or without a corpus."""
        owner = f"solver {name!r}"
        read = read_settings(cls.declared, settings, owner)
        corpus = named_corpus(corpora, read.corpus, owner)
        ngrams_of_texts([], cast("tuple[Kind, ...]", read.kinds))
        return cls(corpus, replace(read, corpus=corpus.name), name=name)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every setting, the analyser's, and the corpus's fingerprint."""
        return {
            "solver": "pmi",
            **asdict(self._settings),
            "corpus": self._corpus.fingerprint,
            "analyser": dict(self._corpus.analyser.settings),
        }

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """One answer a question, in order; the corpus is read once for all of them, or for every PAIRS."""
        batch: list[Question] = []
        pairs = 0
        for question in questions:
            batch.append(question)
            pairs += _most_pairs(question)
            if pairs > PAIRS:
                yield from self._answer_batch(batch)
                batch, pairs = [], 0
        if batch:
            yield from self._answer_batch(batch)

    def _answer_batch(self, questions: Sequence[Question]) -> Iterator[Answer]:
        kinds = cast("tuple[Kind, ...]", self._settings.kinds)
        blocks = question_blocks(questions, self._corpus.analyser, kinds)
        counts = count_blocks(
            self._corpus.tokens,
            self._corpus.vocabulary,
            blocks,
            estimator=cast(Estimator, self._settings.estimator),
            window=self._settings.window,
            threads=self._threads,
            progress=self._progress,
        )
        scores = score_blocks(
            blocks,
            counts,
            skip_unseen=self._settings.skip_unseen,
            clip=self._settings.clip,
            strongest=self._settings.evidence,
        )
        evidence = _evidence(blocks, counts, scores)
        means = scores.mean.tolist()
        block = 0
        for question in questions:
            until = block + len(question.choices)
            own = tuple(means[block:until])
            chosen = choose(question, own)
            yield Answer(question.id, "answered", chosen, scores=own, evidence=tuple(evidence[block:until]))
            block = until


def _most_pairs(question: Question) -> int:
    """About how many pairs a question can make: four n-grams a word."""
    words = sum(len(choice.text.split()) for choice in question.choices)
    return 16 * len(question.stem.split()) * words


def question_blocks(
    questions: Iterable[Question], analyser: Analyser, kinds: Collection[Kind] = KINDS
) -> Blocks:
    """What a PMI solver counts: one group a stem and one a choice, in order, and one block a question."""
    texts: list[list[str]] = []
    left: list[int] = []
    right: list[tuple[int, int]] = []
    for question in questions:
        left.append(len(texts))
        texts.append(analyser.all_terms(question.stem))
        texts.extend(analyser.all_terms(choice.text) for choice in question.choices)
        right.append((left[-1] + 1, len(texts)))
    groups = ngrams_of_texts(texts, kinds)
    return Blocks(groups, np.array(left, np.int32), np.array(right, np.int32).reshape(-1, 2))


def _evidence(blocks: Blocks, counts: Counts, scores: BlockScores) -> list[tuple[PairEvidence, ...]]:
    """The strongest pairs of each choice, by name."""
    groups = blocks.groups
    choices = blocks.right[:, 1] - blocks.right[:, 0]
    block = np.repeat(np.arange(len(choices)), choices)
    choice, rank = np.nonzero(scores.best >= 0)
    cell = scores.best[choice, rank]
    block = block[choice]
    within = cell - blocks.cell_starts[block]
    x = groups.members[groups.starts[blocks.left[block]] + within // blocks.columns[block]]
    y = groups.members[groups.starts[blocks.right[block, 0]] + within % blocks.columns[block]]
    pairs = map(
        PairEvidence,
        groups.ngrams.texts(x),
        groups.ngrams.texts(y),
        scores.best_pmi[choice, rank].tolist(),
        counts.joint[cell].tolist(),
    )
    return [tuple(islice(pairs, count)) for count in np.bincount(choice, minlength=len(scores.best)).tolist()]
