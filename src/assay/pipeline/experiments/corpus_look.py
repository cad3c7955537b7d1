"""One corpus looked at: its words, which choices its sentences support, IR over it; the settings of that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.corpus import Corpus
from assay.evidence.held import Holding
from assay.experiments import Row, margins, support, vocabulary
from assay.experiments.fact_coverage import NEAR
from assay.experiments.grouped import Floats, Grouped
from assay.pipeline.experiments.context import Context
from assay.pipeline.experiments.corpora import grouped, label
from assay.pipeline.systems import System, uses_corpus
from assay.questions.model import Answer, Question
from assay.questions.tags import without_tags
from assay.scoring.points import mark
from assay.settings import setting
from assay.solvers.ir import IR

IR_HERE = "IR over it"
"""How IR over the corpus in question is called beside the run's systems."""


@dataclass(frozen=True)
class CorpusSettings:
    """Which corpora, whose facts, when a sentence counts."""

    corpora: tuple[str, ...] = setting((), "which corpora; all, unless set")
    facts: tuple[str, ...] = setting(
        (), "explanations of WorldTree or EntailmentBank; none: the facts that the questions carry, if any do"
    )
    sentences: str | None = setting(None, "EntailmentBank's sentences by id, where the files need them")
    roles: tuple[str, ...] = setting((), "only facts of these roles (CENTRAL; fact1)")
    near: float = setting(
        NEAR, "share of a fact's content stems that a sentence near it holds", minimum=0.1, maximum=1
    )
    support: float = setting(
        0.5,
        "share of the question's content stems beside a whole choice that supports it",
        minimum=0,
        maximum=1,
    )
    evidence: str | None = setting(
        None,
        "which [evidence] retrieves (its corpus aside); the method single with its paper preset, unless set",
    )
    k: int = setting(
        20, "so many of the best sentences for the key are looked through for gold facts", minimum=1
    )
    solvers: tuple[str, ...] | None = setting(None, "which systems' answers are shown; all, unless set")


@dataclass(frozen=True, eq=False)
class Look:
    """One corpus looked at: `points` of the systems that may draw on it, and of IR over it."""

    context: Context
    settings: CorpusSettings
    corpus: Corpus
    called: str
    questions: tuple[Question, ...]
    grouped: Grouped
    holding: Holding
    words: vocabulary.Vocabulary
    supported: Mapping[str, support.Supported]
    margins: margins.Margins
    points: Mapping[str, Floats]

    @classmethod
    def at(cls, context: Context, settings: CorpusSettings, corpus: Corpus, first: bool) -> Look:
        """Asks IR over the corpus, and looks every choice up in it. `first`: of the experiment's corpora."""
        questions = tuple(context.questions)
        holding, analyser = Holding(corpus), corpus.analyser
        ir = System("ir", "ir", IR("ir", corpus), without_tags(context.questions), f"corpus {corpus.name}")
        found = context.ask(ir, f"ir@{context.name}-{corpus.name}")
        shares = {support.ONE: 0.0, f"{100 * settings.support:.0f} percent": settings.support}
        own = {
            name: _points(questions, context.own(name, questions))
            for name in _shown(context, settings, corpus, first)
        }
        return cls(
            context, settings, corpus, label(context, corpus.name), questions,
            grouped(context, questions), holding,
            vocabulary.vocabulary_of(questions, analyser),
            support.supported(questions, holding, analyser, shares),
            margins.margins(questions, found),
            {IR_HERE: _points(questions, found), **own},
        )  # fmt: skip

    @property
    def half(self) -> tuple[str, support.Supported]:
        """The larger share that the question's words must have, and who is supported by it."""
        return list(self.supported.items())[-1]

    def coverage(self) -> list[Row]:
        """Rows on its vocabulary."""
        return vocabulary.coverage(self.words, self.grouped, self.holding.known, self.called)

    def says(self) -> tuple[str, ...]:
        """On words and on support."""
        share, own = self.half
        everything = self.grouped.everything
        told = {
            name: self.grouped.share(own.of_class(name), everything).value or 0.0 for name in support.CLASSES
        }
        guessed = {name: 100 * float(own.by_guess(name).mean()) for name in support.CLASSES}
        parts = ", ".join(f"{name} {told[name]:.1f} ({guessed[name]:.1f})" for name in support.CLASSES)
        return (
            vocabulary.said(self.coverage()),
            f"Of 100 questions a sentence of {self.called} supports, with {share} of the question's words: "
            f"{parts}; in brackets, were any of the choices the key.",
        )


def _points(questions: Sequence[Question], answers: Sequence[Answer]) -> Floats:
    return mark(questions, answers).points


def _shown(context: Context, settings: CorpusSettings, corpus: Corpus, first: bool) -> list[str]:
    """The systems that were asked all of the questions and draw on the corpus, IR here aside.

    One that names no corpus is taken to draw on the first.
    """
    shown = []
    for name in settings.solvers or context.answers:
        own = context.configuration.solvers[name]
        evidence = context.configuration.evidence.get(str(own.settings.get("evidence")))
        over = uses_corpus(own) or (None if evidence is None else evidence.corpus)
        whole = all(question.id in context.answers.get(name, {}) for question in context.questions)
        if own.kind == "ir" and not set(own.settings) - {"corpus"}:
            continue
        if whole and (over == corpus.name or (over is None and first)):
            shown.append(name)
    return shown
