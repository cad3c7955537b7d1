"""Gates on artifacts: no shortcut may get further above chance, no count be larger, than is allowed."""

from __future__ import annotations

from collections.abc import Mapping

from assay.construction.artifacts.figures import PROBES, Artifacts, GroupArtifacts
from assay.scoring.gates import Bound, GateResult, fail_above
from assay.solvers.shortcut_rules import shortcuts

COUNTS = ("same-choices", "repeated-keys", "duplicates")
ALL = "all"
"""The threshold of every shortcut that has none of its own."""


def gate_names(found: Artifacts) -> tuple[str, ...]:
    """Every name that a threshold can have: shortcuts, whether they say anything here or not, and counts."""
    measured = [figure.name for group in found.groups for figure in group.figures]
    return tuple(dict.fromkeys([*(one.name for one in shortcuts()), *measured, *PROBES, *COUNTS]))


def artifact_gates(found: Artifacts, thresholds: Mapping[str, float], bound: Bound) -> list[GateResult]:
    """One result for each group and each name that has a threshold.

    `thresholds`: by `gate_names` or ALL; of shortcuts points above chance, 0 to 100, of COUNTS questions.
    `bound`: what of a shortcut must not be above. A probe that wasn't measured fails, a rule that says
    nothing of these questions passes. Raises AssayError for points out of range or an unknown bound.
    """
    return [result for group in found.groups for result in _gates_of(group, thresholds, bound)]


def _gates_of(group: GroupArtifacts, thresholds: Mapping[str, float], bound: Bound) -> list[GateResult]:
    figures = {figure.name: figure for figure in group.figures}
    results = []
    for name, most in {
        **(dict.fromkeys(figures, thresholds[ALL]) if ALL in thresholds else {}),
        **{name: most for name, most in thresholds.items() if name != ALL},
    }.items():
        where = f"{group.group}: {name}"
        if name in COUNTS:
            results.append(_count_gate(where, counts(group)[name], most))
        elif name in figures:
            results.append(fail_above(where, figures[name].above, most, bound))
        elif name in PROBES:
            results.append(GateResult(where, f"at most {most:g} above chance", False, "not measured"))
        else:
            gate = f"at most {most:g} above chance"
            results.append(GateResult(where, gate, True, "no question that it says anything about"))
    return results


def _count_gate(where: str, count: int, most: float) -> GateResult:
    sign = "<=" if count <= most else ">"
    gate = f"questions at most {most:g}"
    return GateResult(where, gate, count <= most, f"{count:,} questions {sign} {most:g}")


def counts(group: GroupArtifacts) -> dict[str, int]:
    """The group's questions by COUNTS: the same choice twice, the key twice, a stem that stood before."""
    return dict(
        zip(COUNTS, (len(group.same_choices), len(group.repeated_keys), group.duplicates), strict=True)
    )
