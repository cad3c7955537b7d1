"""Oracle evidence: what readers do with nothing, with what was retrieved, and with gold facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import AssayError
from assay.evidence.gold import gold_evidence
from assay.experiments import Experiment, Table
from assay.pipeline.experiments.conditions import Asked, beside, compared, drawn, the_one_before, told
from assay.pipeline.experiments.context import Context, Group
from assay.pipeline.experiments.facts import Gold, read_gold
from assay.pipeline.experiments.limits import not_raised, raised
from assay.questions.model import Answer
from assay.settings import setting

NONE, RETRIEVED, SINGLE, JOINED = "none", "retrieved", "gold, one by one", "gold, joined"
CONDITIONS = (NONE, RETRIEVED, SINGLE, JOINED)
WITH = {
    NONE: "with no evidence",
    RETRIEVED: "with what was retrieved",
    SINGLE: "with gold facts one by one",
    JOINED: "with gold facts joined",
}
STORED = {NONE: "none", SINGLE: "gold", JOINED: "gold-joined"}
READS = "a reader of an evidence file"


@dataclass(frozen=True)
class OracleSettings:
    """Whose facts, and which readers."""

    facts: tuple[str, ...] = setting(
        (), "explanations of WorldTree or EntailmentBank; none: the facts that the questions carry"
    )
    sentences: str | None = setting(None, "EntailmentBank's sentences by id, where the files need them")
    roles: tuple[str, ...] = setting((), "only facts of these roles (CENTRAL; fact1)")
    solvers: tuple[str, ...] | None = setting(None, "which solvers; those that read evidence, unless set")
    baseline: str | None = setting(
        None, "solver that the others are held against; the first of kind overlap, unless set"
    )


class Oracle:
    """Each reader four times over the questions that have gold facts (ARC, section 5.2's open question)."""

    name = "oracle"
    about = "readers with no evidence, with what was retrieved, with gold facts one by one and joined"
    declared: type[Any] = OracleSettings
    paths: tuple[str, ...] = ("facts", "sentences")
    needs_facts: bool = True

    def make(self, context: Context, settings: OracleSettings) -> Experiment:
        """Scores by condition, each tested against the one before it (Holm over all of a set's tests)."""
        gold = read_gold(context.questions, settings.facts, settings.sentences, settings.roles)
        names = context.chosen(settings.solvers, "evidence", READS)
        baseline = _baseline(context, settings.baseline, names)
        files = _evidence(context, gold)
        asked = {name: _conditions(context, name, gold, files) for name in names}
        groups = context.groups(tuple(gold.questions))
        tables = compared(
            context,
            groups,
            asked,
            of_what=" with gold facts",
            head="evidence",
            above="above the row before",
            reference=the_one_before,
        )
        plot = drawn(
            context,
            groups,
            asked,
            title="Score by evidence",
            across="evidence",
            conditions={condition: x for x, condition in enumerate(CONDITIONS)},
            named=True,
        )
        return Experiment(
            context.name,
            self.name,
            "Oracle evidence: is it the retrieval or the reader?",
            (f"{len(gold.questions):,} questions have gold facts.", *told(tables[-1], WITH)),
            (*tables, *_beside(context, groups[-1], asked, baseline)),
            (plot,),
            (
                *gold.notes,
                *not_raised(context, names),
                *context.left_out(settings.solvers, names, "evidence"),
            ),
        )


def _baseline(context: Context, named: str | None, names: Sequence[str]) -> str | None:
    if named is not None and named not in names:
        raise AssayError(
            f"{context.where}.baseline names {named!r}, which isn't asked here",
            hint=f"those that are: {', '.join(names)}",
        )
    solvers = context.configuration.solvers
    return named or next((name for name in names if solvers[name].kind == "overlap"), None)


def _beside(context: Context, group: Group, asked: Asked, baseline: str | None) -> list[Table]:
    """The table of readers against the baseline, where there is one and another reader."""
    if baseline is None or len(asked) == 1:
        return []
    caption = f"{group.name}, {len(group.questions):,} questions with gold facts: readers against {baseline}"
    # Without evidence all tie: tests of nothing would only make Holm stricter.
    read = {name: {key: by[key] for key in by if key != NONE} for name, by in asked.items()}
    return [beside(context, group, read, baseline, caption=caption, head="evidence")]


def _evidence(context: Context, gold: Gold) -> dict[str, Path]:
    """The files that readers are given, by condition."""
    facts = dict(gold.facts)
    made = {
        NONE: gold_evidence(gold.questions, {}),
        SINGLE: gold_evidence(gold.questions, facts),
        JOINED: gold_evidence(gold.questions, facts, joined=True),
    }
    return {
        condition: context.evidence_file(STORED[condition], gold.questions, evidence)
        for condition, evidence in made.items()
    }


def _conditions(
    context: Context, name: str, gold: Gold, files: Mapping[str, Path]
) -> dict[str, dict[str, Answer]]:
    asked = {RETRIEVED: context.own(name, gold.questions)}
    most = max(len(gold.facts[question.id]) for question in gold.questions)
    for condition, file in files.items():
        # Else a reader of the best 8 would be shown 8 of a question's facts, and be said to fail on all.
        all_of_them = raised(context, name, most, most) if condition == SINGLE else {}
        changed = {"evidence": str(file), **all_of_them}
        asked[condition] = context.again(
            name, STORED[condition], gold.questions, changed=changed, without=("corpus",)
        )
    return {
        condition: {answer.question_id: answer for answer in asked[condition]} for condition in CONDITIONS
    }
