"""How many sentences a solver reads by itself, and how to let it read all that an experiment shows it."""

from __future__ import annotations

from collections.abc import Sequence

from assay.pipeline.experiments.context import Context

LIMITS = {"entailment": "most", "overlap": "most", "span": "sentences", "reader": "sentences"}
"""The setting by which a solver reads no more than so many sentences."""
ALL = 0
"""What `sentences` of a span solver says for all of them."""


def raised(context: Context, name: str, of_choice: int, of_question: int) -> dict[str, int]:
    """The setting that would keep a solver from reading all it is given, out of the way; none it hasn't.

    `of_choice`, `of_question`: sentences of the choice and of the question that have most of them.
    """
    limit = limit_of(context, name)
    if limit is None:
        return {}
    kind = context.configuration.solvers[name].kind
    if kind == "span":
        return {limit: ALL}
    return {limit: max(1, of_choice if kind == "reader" else of_question)}


def limit_of(context: Context, name: str) -> str | None:
    """The name of a solver's setting; of a user's own `most` or `sentences`, where it is given one."""
    solver = context.configuration.solvers[name]
    if solver.kind in LIMITS:
        return LIMITS[solver.kind]
    return next((one for one in ("most", "sentences") if one in solver.settings), None)


def not_raised(context: Context, names: Sequence[str]) -> list[str]:
    """What is to be said of solvers whose limit, if they have one, isn't known."""
    return [
        f"{name} is given no setting `most` or `sentences` that could be raised: if it reads no more than so "
        "many sentences by itself, further ones change nothing."
        for name in names
        if limit_of(context, name) is None
    ]
