"""Gates for continuous integration: a score that must be reached, a system that must not have got worse."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args
from xml.sax.saxutils import quoteattr

from assay.errors import AssayError
from assay.scoring.comparison import Comparison
from assay.scoring.interval import Estimate

Bound = Literal["score", "lower"]
BOUNDS: tuple[Bound, ...] = get_args(Bound)
_SLACK = 1e-9
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class GateResult:
    """One gate on one system: `gate` says what was asked, `what` what was found."""

    system: str
    gate: str
    passed: bool
    what: str


def fail_under(system: str, score: Estimate, percent: float, bound: Bound = "score") -> GateResult:
    """Whether the score, or the lower end of its interval, reaches `percent` (0 to 100).

    Raises AssayError when `percent` can't be meant: outside 0 to 100, or a share (0.5) for a percentage (50).
    """
    if bound not in BOUNDS:
        raise AssayError(f"no bound called {bound}", hint="one of: " + ", ".join(BOUNDS))
    if not 0 <= percent <= 100:
        raise AssayError(f"the score to reach must be within 0 and 100 percent, got {percent:g}")
    if 0 < percent <= 1:
        what = f"the score to reach is in percent, got {percent:g}"
        raise AssayError(what, hint=f"write {100 * percent:g} if a share of {percent:g} is meant")
    reached = score.mean if bound == "score" else score.low
    name = "score" if bound == "score" else f"lower end of the {100 * score.confidence:g}% interval"
    gate = f"{name} at least {percent:g}"
    if reached is None:
        return GateResult(system, gate, False, f"no {name}: {score.n} questions scored")
    passed = 100 * reached >= percent - _SLACK
    sign = ">=" if passed else "<"
    return GateResult(
        system, gate, passed, f"{name} {100 * reached:.2f} {sign} {percent:g} (n = {score.n:,})"
    )


def not_worse(comparison: Comparison, margin: float) -> GateResult:
    """Non-inferiority of the comparison's first system against its second, by `margin` points of a hundred.

    Passes if the lower end of the difference's interval is at least -margin: a difference that this many
    questions can't tell from a loss of more than the margin does not pass. Raises AssayError for a negative
    margin.
    """
    if margin < 0:
        raise AssayError(f"the margin must be 0 or more, got {margin:g}")
    gate = f"not worse than {comparison.second} by more than {margin:g}"
    difference = comparison.difference
    if difference.mean is None or difference.low is None or difference.high is None:
        what = f"no interval of the difference: {difference.n} questions"
        return GateResult(comparison.first, gate, False, what)
    passed = 100 * difference.low >= -margin - _SLACK
    mean, low, high = (100 * end for end in (difference.mean, difference.low, difference.high))
    what = f"difference {mean:+.2f}, {100 * difference.confidence:g}% interval {low:+.2f} to {high:+.2f}"
    sign = ">=" if passed else "<"
    return GateResult(comparison.first, gate, passed, f"{what}: {low:+.2f} {sign} {-margin:g}")


def fail_above(name: str, above: Estimate, points: float, bound: Bound = "lower") -> GateResult:
    """Whether what lies above chance, or the lower end of its interval, is at most `points` (of a hundred).

    By the lower end a shortcut fails only where the questions show that it gets further; what has no interval
    fails by itself. Raises AssayError for a number of points outside 0 to 100.
    """
    if bound not in BOUNDS:
        raise AssayError(f"no bound called {bound}", hint="one of: " + ", ".join(BOUNDS))
    if not 0 <= points <= 100:
        raise AssayError(f"points above chance must be within 0 and 100, got {points:g}")
    lower = bound == "lower" and above.low is not None
    reached = above.low if lower else above.mean
    said = f"lower end of the {100 * above.confidence:g}% interval" if lower else "points"
    gate = f"at most {points:g} above chance"
    if reached is None:
        return GateResult(name, gate, False, f"nothing measured: {above.n} questions")
    passed = 100 * reached <= points + _SLACK
    sign = "<=" if passed else ">"
    return GateResult(name, gate, passed, f"{said} {100 * reached:+.2f} {sign} {points:g} (n = {above.n:,})")


def junit_xml(results: Sequence[GateResult], suite: str = "assay score") -> str:
    """The gates as a JUnit report: one test case each, a failure for what didn't pass."""
    failed = sum(not result.passed for result in results)
    counts = f'tests="{len(results)}" failures="{failed}" errors="0" skipped="0"'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuite name={_quoted(suite)} {counts}>"]
    for result in results:
        case = f"  <testcase classname={_quoted(result.system)} name={_quoted(result.gate)}"
        if result.passed:
            lines.append(f"{case}/>")
        else:
            lines += [f"{case}>", f"    <failure message={_quoted(result.what)}/>", "  </testcase>"]
    return "\n".join([*lines, "</testsuite>", ""])


def _quoted(text: str) -> str:
    return quoteattr(_NO_XML.sub("\ufffd", text))
