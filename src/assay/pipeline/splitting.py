"""The split step: questions to a folder of folds, a file each, and a record that says how they were made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from assay import __version__
from assay.construction.folds.balance import balance
from assay.construction.folds.comparison import Way, compare_ways
from assay.construction.folds.groups import Groups, group_questions
from assay.construction.folds.similarity import UNITS, Graph, Ints, SimilaritySettings, similarity_graph
from assay.construction.folds.sizes import DEFAULT, FoldSizes, fold_sizes
from assay.construction.folds.split import Split, SplitSettings, sizes_of, split_groups
from assay.construction.folds.stratified import stratified_folds
from assay.construction.leaks.near import NEAR, near_texts
from assay.pipeline.split_folder import stored_record
from assay.progress import SILENT, Progress
from assay.questions import Reading
from assay.questions.duplicates import KeyKind
from assay.questions.formats.registry import format_named
from assay.questions.model import Question, QuestionSet
from assay.questions.writing import write_questions
from assay.scoring.record import as_record
from assay.storage import only_writer, sha256_of, whole_folder, write_json
from assay.text.analysis import Analyser

RECORD = "folds.json"
OWN = "assay"


@dataclass(frozen=True, slots=True)
class SplitPlan:
    """What is asked for. `by`: a column, None for no groups but duplicates; `stratify`: columns, or none for
    the smallest cut."""

    folds: str = DEFAULT
    slack: Fraction | None = None
    by: str | None = "fact1"
    alone: bool = False
    together: KeyKind | None = "stem_alnum"
    stratify: tuple[str, ...] = ()
    similarity: SimilaritySettings = field(default_factory=SimilaritySettings)
    settings: SplitSettings = field(default_factory=SplitSettings)

    def record(self) -> dict[str, Any]:
        """Everything that decides the folds, beside the questions."""
        return {**asdict(self), "slack": None if self.slack is None else str(self.slack)}


@dataclass(frozen=True, slots=True, eq=False)
class Folds:
    """A split as made. `fold`: by group, int64 (groups,); `split`, `graph`: None where it is stratified."""

    questions: QuestionSet
    plan: SplitPlan
    groups: Groups
    sizes: FoldSizes
    fold: Ints
    split: Split | None
    graph: Graph | None

    @property
    def by_question(self) -> Ints:
        """Fold of each question, int64 (questions,)."""
        folds = np.empty(len(self.questions), dtype=np.int64)
        for number, places in zip(self.fold.tolist(), self.groups.members, strict=True):
            folds[list(places)] = number
        return folds

    @property
    def definitive(self) -> bool:
        """Whether another run would make the same folds: no clock ended it."""
        return self.split is None or self.split.status != "feasible, time limit"


def make_folds(questions: QuestionSet, plan: SplitPlan, progress: Progress = SILENT) -> Folds:
    """Split the questions as planned. Raises AssayError with what to change where that can't be done."""
    sizes = fold_sizes(plan.folds, len(questions), plan.slack)
    groups = group_questions(questions, plan.by, plan.together, alone=plan.alone)
    if plan.stratify:
        fold = stratified_folds(questions, groups.members, plan.stratify, sizes, plan.settings)
        return Folds(questions, plan, groups, sizes, fold, None, None)
    graph = similarity_graph(groups.texts, plan.similarity)
    weights = np.array(groups.weights, dtype=np.int64)
    split = split_groups(graph, weights, sizes, plan.settings, progress)
    return Folds(questions, plan, groups, sizes, split.fold, split, graph)


def compared(made: Folds, near: float = NEAR) -> tuple[Way, ...]:
    """Random by question, random by group, and these folds."""
    how = made.plan.similarity
    graph = made.graph or similarity_graph(made.groups.texts, how)
    stems = [question.stem for question in made.questions]
    pairs = near_texts(stems, Analyser(how.language, how.stop_words), near)
    return compare_ways(
        made.fold,
        made.groups,
        graph,
        made.sizes,
        pairs,
        made.plan.settings.seed,
        column=made.plan.by or "group",
    )


def fold_record(made: Folds) -> dict[str, Any]:
    """The split as JSON: sizes, cut, bound and status, or how columns lie over folds; no times."""
    weights = np.array(made.groups.weights, dtype=np.int64)
    held = sizes_of(made.fold, weights, len(made.sizes.names))
    ranges = zip(
        made.sizes.names, held, made.sizes.targets, made.sizes.low, made.sizes.high,
        np.bincount(made.fold, minlength=len(held)).tolist(), strict=True,
    )  # fmt: skip
    record: dict[str, Any] = {
        "questions": len(made.questions),
        "groups": len(weights),
        "largest_group": int(weights.max()),
        "joined_by_duplicates": made.groups.joined,
        "folds": {
            name: {"questions": n, "target": target, "low": low, "high": high, "groups": groups}
            for name, n, target, low, high, groups in ranges
        },
        "method": "stratified" if made.split is None else "smallest cut",
    }
    if made.split is not None and made.graph is not None:
        record |= _cut_record(made.split, made.graph)
    record["definitive"] = made.definitive
    record["balance"] = [
        as_record(balance(made.questions, made.by_question, len(held), name)) for name in made.plan.stratify
    ]
    return record


def _cut_record(split: Split, graph: Graph) -> dict[str, Any]:
    return {
        "edges": len(graph.first),
        "similarity": graph.total / UNITS,
        "cut": split.cut / UNITS,
        "bound": split.bound / UNITS,
        "bound_by": split.bound_by,
        "gap": split.gap,
        "status": split.status,
        "found_by": split.found_by,
        "search_cut": None if split.start is None else split.start / UNITS,
        "solver_status": split.solver_status,
    }


def plan_key(questions: QuestionSet, plan: SplitPlan) -> str:
    """SHA-256 over the questions, the plan, and the versions that decide what comes out."""
    try:
        solver = version("ortools")
    except PackageNotFoundError:
        solver = None
    parts = [
        questions.fingerprint,
        plan.record(),
        __version__,
        solver if plan.settings.solver != "none" else None,
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def made_before(folder: Path, key: str) -> dict[str, Any] | None:
    """The record of a folder that holds these very folds, whole and definitive; None otherwise."""
    record = stored_record(folder, RECORD, "folds")
    if record is None or record.get("key") != key or record.get("definitive") is not True:
        return None
    for fold in record["folds"].values():
        path = folder / fold["file"]
        if not path.is_file() or sha256_of(path) != fold["sha256"]:
            return None
    return record


def write_folds(made: Folds, reading: Reading, folder: Path) -> dict[str, Any]:
    """Write a file a fold, then folds.json; the folder appears whole. Returns the record.

    The files are in the questions' own format where all have one that loses nothing, else in ours.
    """
    form, why = _format_for(reading, made.questions)
    names, by_question = made.sizes.names, made.by_question.tolist()
    record = {
        "assay": __version__,
        "key": plan_key(made.questions, made.plan),
        "fingerprint": made.questions.fingerprint,
        "plan": made.plan.record(),
        **fold_record(made),
        "format": form,
        "notes": [why] if why else [],
    }
    with only_writer(folder), whole_folder(folder) as part:
        for number, name in enumerate(names):
            file = f"{name}.{_ending(form)}"
            inside = [
                _placed(question, name) if form == OWN else question
                for question, fold in zip(made.questions, by_question, strict=True)
                if fold == number
            ]
            write_questions(inside, part / file, form)
            record["folds"][name] |= {"file": file, "sha256": sha256_of(part / file)}
        write_json(part / RECORD, record)
    return record


def _placed(question: Question, fold: str | None = None) -> Question:
    """The question with its fold as metadata `split`; one that it had before is kept as `published_split`."""
    before: Mapping[str, Any] = question.metadata
    if fold is None or "split" not in before:
        return question
    return replace(question, metadata={**before, "published_split": before["split"], "split": fold})


def _format_for(reading: Reading, questions: Sequence[Question]) -> tuple[str, str]:
    """The format to write, and why it isn't the questions' own."""
    forms = list(dict.fromkeys(file.format for file in reading.files))
    if len(forms) != 1:
        return OWN, f"written as {OWN} (jsonl): the inputs are in several formats ({', '.join(forms)})"
    form = format_named(forms[0])
    lost = sorted({field for question in questions for field in form.lost(question)})
    if lost:
        return OWN, f"written as {OWN} (jsonl): {form.name} can't carry {', '.join(lost)}"
    return form.name, ""


def _ending(form: str) -> str:
    kind = format_named(form).kind
    return "jsonl" if kind == "rows" else kind
