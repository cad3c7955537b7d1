"""Solvers by name: our own, those that installed packages add, and a plug-in file."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import Any, Protocol

from assay.corpus.model import Corpus
from assay.errors import AssayError
from assay.solvers.plugin import build_plugin
from assay.solvers.solver import Solver

GROUP = "assay.solvers"
"""The entry-point group in which an installed package names its solver classes."""
OURS: Mapping[str, str] = {
    "guess-all": "assay.solvers.guess_all:GuessAll",
    "random": "assay.solvers.random_choice:RandomChoice",
    "ir": "assay.solvers.ir:IR",
    "pmi": "assay.solvers.pmi:PMI",
    "shortcut": "assay.solvers.shortcut:ShortcutSolver",
    "odd-one-out": "assay.solvers.odd_one_out:OddOneOut",
    "vector-similarity": "assay.solvers.vector_similarity:VectorSimilarity",
    "tableilp": "assay.solvers.table_ilp:TableILP",
    "overlap": "assay.solvers.overlap:OverlapSolver",
    "reader": "assay.solvers.reader:ReaderSolver",
    "entailment": "assay.solvers.entailment:EntailmentSolver",
    "span": "assay.solvers.span:SpanSolver",
    "tuple-inference": "assay.solvers.tuple_inference:TupleInference",
    "predictions": "assay.solvers.predictions:StoredPredictions",
}
"""Named here too, so that a checkout that isn't installed has them; the same as in pyproject.toml."""


class SolverClass(Protocol):
    """What an entry point names: how a solver is built, and the dataclass that declares its settings."""

    declared: type[Any]

    def build(self, name: str, settings: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> Solver:
        """The solver. Raises AssayError for settings it doesn't know or can't use."""
        ...


def solver_names() -> tuple[str, ...]:
    """Every solver that can be built by name, ours first."""
    others = sorted({point.name for point in entry_points(group=GROUP)} - set(OURS))
    return (*OURS, *others)


def solver_class(kind: str) -> SolverClass:
    """The class behind a name. Raises AssayError for an unknown name or one that can't be imported."""
    where = OURS.get(kind)
    if where is None:
        found = [point.value for point in entry_points(group=GROUP) if point.name == kind]
        if not found:
            raise AssayError(
                f"no solver {kind!r}",
                hint=f"one of {', '.join(solver_names())}, or a plug-in as my_solver.py:MySolver",
            )
        where = found[0]
    module, _, attribute = where.partition(":")
    try:
        found_class: SolverClass = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise AssayError(f"solver {kind!r} can't be loaded from {where}: {error}") from None
    return found_class


def is_plugin(kind: str) -> bool:
    """Whether the kind is the path of a plug-in, `my_solver.py:MySolver`, rather than a name."""
    return kind.rpartition(":")[0].endswith(".py")


def build(kind: str, name: str, settings: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> Solver:
    """The solver of that kind, called `name`.

    `kind`: one of `solver_names()`, or `my_solver.py:MySolver`; `corpora` are offered by name, and a setting
    of the solver says which one it uses. Raises AssayError when it can't be built.
    """
    if is_plugin(kind):
        path, _, attribute = kind.rpartition(":")
        return build_plugin(path, attribute, name, settings, corpora)
    return solver_class(kind).build(name, settings, corpora)
