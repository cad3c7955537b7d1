"""Gold facts in one corpus: which are there, which are retrieved, which questions are then answered."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.evidence.sentence_filter import FilterRules
from assay.experiments.fact_coverage import FactCoverage, fact_coverage
from assay.experiments.funnel import NEAR, RETRIEVED, WORDS, Reached, said
from assay.experiments.grouped import Bools, Floats, Grouped
from assay.pipeline.configuration import EvidenceSettings
from assay.pipeline.evidence import make_evidence
from assay.pipeline.experiments.corpora import grouped
from assay.pipeline.experiments.corpus_look import Look
from assay.pipeline.experiments.facts import Gold
from assay.questions.explanations import Fact
from assay.questions.model import Answer, Question, SentenceEvidence
from assay.scoring.gold import find_facts
from assay.scoring.recall import fact_key
from assay.text.shares import Shares


@dataclass(frozen=True, eq=False)
class GoldInCorpus:
    """The questions with gold facts over one corpus. `points`: of every system shown, on these questions."""

    look: Look
    grouped: Grouped
    coverage: FactCoverage
    reached: Reached
    points: dict[str, Floats]

    @classmethod
    def of(cls, look: Look, gold: Gold) -> GoldInCorpus:
        """Looks all facts up in the corpus, and retrieves for their questions."""
        context, settings, corpus = look.context, look.settings, look.corpus
        questions = tuple(gold.questions)
        facts = [gold.facts[question.id] for question in questions]
        keys = {fact_key(fact.text) for own in facts for fact in own}
        found = find_facts(corpus, keys, FilterRules(), progress=context.progress)
        coverage = fact_coverage(facts, look.holding, corpus.analyser, found, context.seed)
        retrieved = _retrieved(look, gold, settings.near)
        inside = np.array([gold.questions.has(question.id) for question in look.questions], np.bool_)
        near = coverage.near(settings.near)
        reached = Reached(
            coverage.owners,
            {WORDS: coverage.sayable(settings.near), NEAR: near, RETRIEVED: retrieved & near},
            coverage.exact,
            coverage.random >= settings.near,
        )
        points = {name: own[inside] for name, own in look.points.items()}
        return cls(look, grouped(context, questions), coverage, reached, points)

    @property
    def best(self) -> tuple[str, Floats]:
        """The system with the best score on these questions, and its points."""
        return max(self.points.items(), key=lambda item: float(item[1].sum()))

    def says(self) -> tuple[str, ...]:
        """What is lost at each step."""
        return said(self.reached, self.look.called, self.best)


def _retrieved(look: Look, gold: Gold, near: float) -> Bools:
    """Which facts stand, nearly or to the letter, among the best sentences for the key."""
    context, settings, corpus = look.context, look.settings, look.corpus
    wanted = (
        EvidenceSettings("single", corpus.name, settings={"k": settings.k})
        if settings.evidence is None
        else context.configuration.evidence[settings.evidence]
    )
    evidence = make_evidence(
        settings.evidence or wanted.method,
        EvidenceSettings(wanted.method, corpus.name, wanted.preset, wanted.settings),
        gold.questions,
        {corpus.name: corpus},
        context.folder / f"{corpus.name}.jsonl",
        progress=context.progress,
    )
    shares = Shares(corpus.analyser)
    found: list[bool] = []
    for question, answer in zip(gold.questions, evidence.answers, strict=True):
        texts = _texts(question, answer)[: settings.k]
        keys = {fact_key(text) for text in texts}
        found += [_among(fact, texts, keys, shares, near) for fact in gold.facts[question.id]]
    return np.array(found, np.bool_)


def _among(fact: Fact, texts: list[str], keys: set[str], shares: Shares, near: float) -> bool:
    return fact_key(fact.text) in keys or any(shares.share(text, fact.text) >= near for text in texts)


def _texts(question: Question, answer: Answer) -> list[str]:
    """Sentences for the key, best first."""
    if not answer.evidence or question.answer is None:
        return []
    pieces = answer.evidence[question.labels.index(question.answer)]
    return [piece.text for piece in pieces if isinstance(piece, SentenceEvidence)]
