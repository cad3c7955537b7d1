"""How scores are laid out: rows of text for people, of numbers for a spreadsheet. Scores show as percent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.cli.output import print_lines, print_table

if TYPE_CHECKING:
    from assay.scoring.agreement import Agreement
    from assay.scoring.breakdown import Breakdown
    from assay.scoring.comparison import Comparison
    from assay.scoring.export import Cell
    from assay.scoring.gap import Gap
    from assay.scoring.gates import GateResult
    from assay.scoring.held_equal import HeldEqual
    from assay.scoring.ranks import Rank
    from assay.scoring.runs import RepeatedRuns
    from assay.scoring.summary import Scores

NONE = "-"
ALWAYS = ("right", "partial", "wrong")


def percent(value: float | None, *, signed: bool = False) -> str:
    """A share as percent with two decimals."""
    return NONE if value is None else f"{100 * value:{'+' if signed else ''}.2f}"


def ends(low: float | None, high: float | None, *, signed: bool = False) -> str:
    """An interval in percent."""
    if low is None or high is None:
        return NONE
    return f"{percent(low, signed=signed)} to {percent(high, signed=signed)}"


def p_value(p: float | None) -> str:
    """Three decimals, or one digit where they would all be 0."""
    if p is None:
        return NONE
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1g}" if p >= 1e-15 else "<1e-15"


def print_systems(scores: Scores) -> None:
    """One row a system, then guess-all with the band of a guesser."""
    shown = [status for status in _outcomes(scores) if status in ALWAYS or _any(scores, status)]
    columns = {"system": "left", "n": "right", "score": "right", "95% interval": "right"}
    columns = {key.replace("95%", _level(scores)): side for key, side in columns.items()}
    clustered = scores.settings["cluster"] is not None
    columns |= {"design effect": "right"} if clustered else {}
    ranks = {rank.system: rank for rank in scores.ranks} if len(scores.systems) > 1 else {}
    columns |= dict.fromkeys(["p (chance)", *(["rank"] if ranks else []), *shown], "right")
    rows = []
    for one in scores.systems:
        effect = one.score.design_effect
        rows.append(
            [
                one.system,
                f"{one.score.n:,}",
                percent(one.score.mean),
                ends(one.score.low, one.score.high),
                *([NONE if effect is None else f"{effect:.2f}"] if clustered else []),
                p_value(one.against_chance.p),
                *([_rank(ranks[one.system])] if ranks else []),
                *(f"{one.counts[status]:,}" for status in shown),
            ]
        )
    chance = scores.chance
    rest = [""] * (len(columns) - 4)
    # A system that guesses all is already called so: what stands last is the band around it.
    name = "chance" if any(one.system == "guess-all" for one in scores.systems) else "guess-all"
    rows.append([name, f"{chance.n:,}", percent(chance.mean), ends(chance.low, chance.high), *rest])
    left_out = [status for status in _outcomes(scores) if status not in shown]
    foot = f"{name}: what guessing earns on these questions, and the band of a guesser of one choice each"
    if left_out:
        foot += f"; {', '.join(left_out)}: none"
    print_table("Scores, percent", columns, rows, foot=foot)
    print_lines(f"{one.system}: {note}" for one in scores.systems for note in one.notes)


def _rank(rank: Rank) -> str:
    return f"{rank.rank} ({rank.low}-{rank.high})"


def _level(scores: Scores) -> str:
    return f"{100 * scores.settings['confidence']:g}%"


def _outcomes(scores: Scores) -> list[str]:
    return list(scores.systems[0].counts) if scores.systems else [*ALWAYS]


def _any(scores: Scores, name: str) -> bool:
    return any(one.counts[name] for one in scores.systems)


def print_comparisons(comparisons: Sequence[Comparison]) -> None:
    """One row a pair: the difference, its interval and its tests."""
    names = ["first - second", "difference", "interval", "p", "p (Holm)", "p (McNemar)", "only right"]
    rows = [
        [
            f"{one.first} - {one.second}",
            percent(one.difference.mean, signed=True),
            ends(one.difference.low, one.difference.high, signed=True),
            p_value(one.sign_flip.p),
            p_value(one.holm_p),
            p_value(one.mcnemar.p),
            f"{one.mcnemar.only_first:,} : {one.mcnemar.only_second:,}",
        ]
        for one in comparisons
    ]
    columns = dict.fromkeys(names, "right") | {"first - second": "left"}
    foot = f"p: sign flips of the points, {_how_flipped(comparisons)}; McNemar: exact, on fully right"
    print_table("Paired differences, percent", columns, rows, foot=foot)
    print_lines(note for one in comparisons for note in one.notes)


def print_effects(comparisons: Sequence[Comparison]) -> None:
    """One row a pair: on how many questions each does better, and what so many questions can show."""
    sizes = list(dict.fromkeys(size for one in comparisons for size in one.questions_needed))
    names = ["first, second", "first higher", "second higher", "equal", "found with 80% power"]
    rows = [
        [
            f"{one.first}, {one.second}",
            f"{one.first_higher:,}",
            f"{one.second_higher:,}",
            f"{one.equal:,}",
            percent(one.smallest_difference),
        ]
        for one in comparisons
    ]
    columns = dict.fromkeys(names, "right") | {"first, second": "left"}
    print_table("Questions by points, and the smallest difference found", columns, rows)
    if not sizes:
        return
    needed = [
        [f"{one.first}, {one.second}", *(f"{one.questions_needed[size]:,}" for size in sizes)]
        for one in comparisons
        if one.questions_needed
    ]
    columns = {"first, second": "left"} | dict.fromkeys(sizes, "right")
    print_table("Questions needed to find a difference with 80% power", columns, needed)


def _how_flipped(comparisons: Sequence[Comparison]) -> str:
    methods = dict.fromkeys(
        "exact" if flip.draws is None else f"{flip.draws:,} drawn, seed {flip.seed}"
        for flip in (one.sign_flip for one in comparisons)
    )
    return " or ".join(methods)


def print_agreement(agreement: Sequence[Agreement]) -> None:
    """How alike each pair answers."""
    names = ["first, second", "same choice", "kappa", "both right or both not", "kappa of that"]
    columns = dict.fromkeys(names, "right") | {"first, second": "left"}
    rows = [
        [
            f"{one.first}, {one.second}",
            percent(one.same_choice),
            _kappa(one.kappa),
            percent(one.same_right),
            _kappa(one.right_kappa),
        ]
        for one in agreement
    ]
    print_table("Agreement, percent of the questions", columns, rows)


def _kappa(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"


def print_breakdowns(breakdowns: Sequence[Breakdown]) -> None:
    """A table a column, groups down, systems across, and one of each group against the rest; * marks too few
    questions."""
    for name in dict.fromkeys(one.column for one in breakdowns):
        tables = [one for one in breakdowns if one.column == name]
        _by_group(name, tables)
        if any(group.rest is not None for one in tables for group in one.groups):
            _against_rest(name, tables)
        if any(group.held_equal is not None for one in tables for group in one.groups):
            _held_equal(name, tables)


def _by_group(name: str, tables: Sequence[Breakdown]) -> None:
    columns = {name: "left", "n": "right", "chance": "right"}
    for one in tables:
        columns |= dict.fromkeys([one.system, f"{one.system}: interval", f"{one.system}: p"], "right")
    rows = []
    for place, group in enumerate(tables[0].groups):
        row = [group.group, f"{group.score.n:,}" + ("*" if group.small else ""), percent(group.chance)]
        for one in tables:
            found = one.groups[place]
            score = found.score
            row += [percent(score.mean), ends(score.low, score.high), p_value(found.p_chance_holm)]
        rows.append(row)
    means = [cell for one in tables for cell in (percent(one.macro_mean), "", "")]
    rows.append(["mean of groups", "", "", *means])
    notes = [
        *tables[0].notes,
        "p: against chance, by Holm over all groups and systems, small groups untested",
    ]
    print_table(f"By {name}, percent", columns, rows, foot="; ".join(notes))


def _against_rest(name: str, tables: Sequence[Breakdown]) -> None:
    rows, small = [], 0
    for place, group in enumerate(tables[0].groups):
        found = [table.groups[place] for table in tables]
        rest = max((one.rest.n_second for one in found if one.rest is not None), default=0)
        if rest and group.small:
            small += 1
        elif rest:
            cells = [cell for one in found for cell in _difference(one.rest, one.rest_holm)]
            rows.append([group.group, f"{group.score.n:,}", f"{rest:,}", *cells])
    if not rows:
        return
    columns = {name: "left", "n": "right", "rest": "right", **_difference_columns(tables)}
    foot = "p: by Holm over all groups and systems"
    if small:
        foot += f"; left out: {small:,} groups of fewer than 30 questions"
    print_table(f"Each {name} minus the rest, percent", columns, rows, foot=foot)


def _held_equal(name: str, tables: Sequence[Breakdown]) -> None:
    rows = []
    for place, group in enumerate(tables[0].groups):
        found = [table.groups[place] for table in tables]
        if any(one.held_equal is not None for one in found):
            cells = [cell for one in found for cell in _difference(one.held_equal, one.held_equal_holm)]
            rows.append([group.group, f"{group.score.n:,}", *cells])
    columns = {name: "left", "n": "right", **_difference_columns(tables)}
    foot = "least squares on all of them at once; p: by Holm over all groups and systems"
    print_table(f"What goes with each {name}, the others held equal, percent", columns, rows, foot=foot)


def _difference_columns(tables: Sequence[Breakdown]) -> dict[str, str]:
    names = [table.system for table in tables]
    return dict.fromkeys(
        (heading for name in names for heading in (name, f"{name}: interval", f"{name}: p")), "right"
    )


def _difference(found: Gap | HeldEqual | None, p: float | None) -> list[str]:
    if found is None:
        return [NONE, NONE, NONE]
    return [percent(found.difference, signed=True), ends(found.low, found.high, signed=True), p_value(p)]


def print_rest(scores: Scores) -> None:
    """Gaps between Easy and Challenge, and calibration, where there are any."""
    if scores.gaps:
        columns = dict.fromkeys(["system", "Easy - Challenge", "interval", "p"], "right") | {"system": "left"}
        rows = [
            [
                gap.system,
                percent(gap.difference, signed=True),
                ends(gap.low, gap.high, signed=True),
                p_value(gap.p),
            ]
            for gap in scores.gaps
        ]
        print_table("Easy minus Challenge, percent", columns, rows)
    if scores.calibration:
        names = ["system", "n", "calibration error", "Brier", "area under risk"]
        columns = dict.fromkeys(names, "right") | {"system": "left"}
        rows = [
            [
                one.system,
                f"{one.n:,}",
                percent(one.expected_error),
                f"{one.brier:.4f}",
                f"{one.risk_area:.4f}",
            ]
            for one in scores.calibration
        ]
        print_table("Calibration of stated probabilities", columns, rows)


def print_gates(results: Sequence[GateResult]) -> None:
    """One row a gate: passed or FAILED, and what was found."""
    columns = {"system": "left", "gate": "left", "result": "left", "found": "left"}
    rows = [[one.system, one.gate, "passed" if one.passed else "FAILED", one.what] for one in results]
    print_table("Gates", columns, rows)


def print_runs(repeated: RepeatedRuns) -> None:
    """Repeated runs of one system as one score over the questions."""
    score = repeated.score
    columns = dict.fromkeys(["system", "n", "runs", "score", "interval", "between runs"], "right")
    row = [
        repeated.system,
        f"{score.n:,}",
        str(repeated.runs),
        percent(score.mean),
        ends(score.low, score.high),
        percent(repeated.between_runs),
    ]
    means = ", ".join(percent(mean) for mean in repeated.run_means)
    print_table("Repeated runs, percent", columns | {"system": "left"}, [row], foot=f"each run: {means}")


SCORE_COLUMNS = ("system", "n", "accuracy", "se", "low", "high", "interval", "chance", "p_chance")


def score_cells(scores: Scores) -> tuple[list[str], list[list[Cell]]]:
    """Heading and one row a system for a spreadsheet; scores are shares of 1."""
    names = _outcomes(scores)
    rows: list[list[Cell]] = []
    for one in scores.systems:
        score = one.score
        numbers = (score.n, score.mean, score.se, score.low, score.high, score.method)
        counts = [one.counts[name] for name in names]
        rows.append([one.system, *numbers, scores.chance.mean, one.against_chance.p, *counts])
    return [*SCORE_COLUMNS, *names], rows


COMPARISON_COLUMNS = (
    "first", "second", "n", "difference", "se", "low", "high", "p_sign_flip", "p_holm", "p_t", "p_mcnemar",
    "only_first_right", "only_second_right", "first_higher", "second_higher", "equal", "smallest_difference",
)  # fmt: skip


def comparison_cells(comparisons: Sequence[Comparison]) -> tuple[list[str], list[list[Cell]]]:
    """Heading and one row a pair for a spreadsheet; differences are shares of 1."""
    rows: list[list[Cell]] = []
    for one in comparisons:
        paired, table = one.difference, one.mcnemar
        rows.append([one.first, one.second, paired.n, paired.mean, paired.se, paired.low, paired.high])
        rows[-1] += [one.sign_flip.p, one.holm_p, one.t_p, table.p, table.only_first, table.only_second]
        rows[-1] += [one.first_higher, one.second_higher, one.equal, one.smallest_difference]
    return list(COMPARISON_COLUMNS), rows
