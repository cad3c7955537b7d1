"""Depth: readers over the best 1 to 100 sentences, and where gold facts stand among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import AssayError
from assay.evidence.depths import Choices, Cut, cut_choices, cut_pool, is_pooled, sentences
from assay.experiments import Experiment
from assay.pipeline.experiments.conditions import Asked, ByCondition, always, compared, drawn
from assay.pipeline.experiments.context import Context
from assay.pipeline.experiments.deep_evidence import Deep, deep_evidence
from assay.pipeline.experiments.depth_of_gold import gold_shown
from assay.pipeline.experiments.depth_said import said_of
from assay.pipeline.experiments.limits import not_raised, raised
from assay.pipeline.experiments.oracle import READS
from assay.pipeline.systems import by_question
from assay.questions.model import Answer
from assay.settings import setting

QUESTION, CHOICE = "question", "choice"


@dataclass(frozen=True)
class DepthSettings:
    """How deep, whose evidence, who reads it, and which facts are gold."""

    depths: tuple[int, ...] = setting(
        (1, 2, 5, 10, 20, 50, 100), "how many sentences are read, rising", minimum=1
    )
    evidence: str | None = setting(
        None,
        "name of [evidence]: retrieved anew, its k raised to the largest depth; or an evidence file; what "
        "the solvers read, unless set",
    )
    of: str | None = setting(
        None,
        "the best sentences of each question or of each choice; of a question where they are premises, "
        "unless set",
        one_of=(QUESTION, CHOICE),
    )
    against: int | None = setting(None, "depth that the others are tested against; the first, unless set")
    solvers: tuple[str, ...] | None = setting(None, "which solvers; those that read evidence, unless set")
    facts: tuple[str, ...] = setting(
        (), "explanations of WorldTree or EntailmentBank; none: the facts that the questions carry"
    )
    sentences: str | None = setting(None, "EntailmentBank's sentences by id, where the files need them")
    roles: tuple[str, ...] = setting((), "only facts of these roles (CENTRAL; fact1)")
    match: float = setting(
        0.7,
        "a sentence is taken for a fact in other words from so much in common on: twice their common content "
        "stems over those of both",
        minimum=0.1,
        maximum=1,
    )

    def __post_init__(self) -> None:
        """Raises AssayError for depths that don't rise, or a depth to test against that isn't one of them."""
        if not self.depths or list(self.depths) != sorted(set(self.depths)):
            raise AssayError(f"setting 'depths' must rise, each once. Got {list(self.depths)}.")
        if self.against is not None and self.against not in self.depths:
            raise AssayError(f"setting 'against' must be one of the depths. Got {self.against}.")


class Depth:
    """Accuracy, precision and the rank of gold facts from 1 to 100 sentences (ARC's paper leaves it open)."""

    name = "depth"
    about = "readers over the best 1 to 100 sentences; precision, recall and rank of gold facts"
    declared: type[Any] = DepthSettings
    paths: tuple[str, ...] = ("facts", "sentences", "evidence")
    needs_facts: bool = False

    def make(self, context: Context, settings: DepthSettings) -> Experiment:
        """Scores by depth, each tested against one of them (Holm over all of a set's tests)."""
        names = context.chosen(settings.solvers, "evidence", READS)
        deep = deep_evidence(context, settings.evidence, names, settings.depths[-1])
        pooled = is_pooled(deep.evidence.values()) if settings.of is None else settings.of == QUESTION
        asked = _asked(context, settings, names, deep, pooled)
        groups = context.groups(tuple(context.questions))
        against = settings.depths[0] if settings.against is None else settings.against
        tables = compared(
            context,
            groups,
            asked,
            of_what=": score by depth",
            head="sentences",
            above=f"above depth {against}",
            reference=always(str(against)),
            guessing=True,
        )
        plot = drawn(
            context,
            groups,
            asked,
            title="Score by depth",
            across=f"sentences of each {QUESTION if pooled else CHOICE}",
            conditions={str(depth): depth for depth in settings.depths},
            named=False,
        )
        gold = gold_shown(context, settings, deep, pooled)
        return Experiment(
            context.name,
            self.name,
            "Depth: how many sentences help?",
            (*deep.contaminated, *said_of(tables[-1]), *gold.says),
            (*tables, *gold.tables),
            (plot, *gold.plots),
            (
                *deep.notes,
                *_fewer(deep, settings.depths, pooled),
                *not_raised(context, names),
                *gold.notes,
                *context.left_out(settings.solvers, names, "evidence"),
            ),
        )


def cut(evidence: Choices, depth: int, *, pooled: bool) -> Cut:
    """A question's evidence at a depth."""
    return cut_pool(evidence, depth) if pooled else cut_choices(evidence, depth)


def _asked(
    context: Context, settings: DepthSettings, names: Sequence[str], deep: Deep, pooled: bool
) -> Asked:
    """Each system's answers by depth: at each its evidence is cut to it, and its own limit raised."""
    found: dict[str, dict[str, Mapping[str, Answer]]] = {name: {} for name in names}
    for depth in settings.depths:
        held = {key: cut(own, depth, pooled=pooled) for key, own in deep.evidence.items()}
        evidence = (Answer(q.id, "unanswered", evidence=held[q.id]) for q in context.questions)
        file = context.evidence_file(f"best-{depth}", context.questions, evidence)
        most = max(depth, *(sum(map(len, own)) for own in held.values()))
        for name in names:
            changed = {"evidence": str(file), **raised(context, name, depth, most)}
            answers = context.again(
                name, str(depth), context.questions, changed=changed, without=("corpus", "method")
            )
            found[name][str(depth)] = by_question(answers)
    asked: dict[str, ByCondition] = dict(found)
    return asked


def _fewer(deep: Deep, depths: Sequence[int], pooled: bool) -> list[str]:
    """How many questions haven't so many sentences as the depths say."""
    sizes = [[len(sentences(choice)) for choice in own] for own in deep.evidence.values()]
    counts = [sum(own) if pooled else max(own, default=0) for own in sizes]
    found = [(depth, sum(count < depth for count in counts)) for depth in depths]
    parts = [f"fewer than {depth}: {fewer:,}" for depth, fewer in found if fewer]
    of = "all choices together" if pooled else "the choice that has most"
    said = f"Of {len(counts):,} questions, by sentences of {of}: {', '.join(parts)}."
    return [said] if parts else []
