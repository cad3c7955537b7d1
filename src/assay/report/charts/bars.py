"""Bars in a table's cell, and a histogram: plain SVG, coloured by the page's style."""

from __future__ import annotations

from collections.abc import Sequence

from assay.report.markup import Html, el

BAR_HEIGHT = 11
COLOURS = 5
HISTOGRAM_WIDTH, HISTOGRAM_HEIGHT = 520, 100


def colour(place: int, group: str) -> str:
    """The class that colours a group: Easy and Challenge keep theirs, others go by their place."""
    return {"easy": "g0", "challenge": "g1"}.get(group.lower(), f"g{(place + 2) % COLOURS}")


def cell_bars(
    values: Sequence[float], most: float, classes: Sequence[str], expected: float | None = None
) -> Html:
    """One bar a group, one below the other, `most` being the full width; a stroke where `expected` lies."""
    height = BAR_HEIGHT * len(values)
    shapes = [
        el(
            "rect",
            x=0,
            y=place * BAR_HEIGHT + 1,
            width=f"{100 * value / most if most else 0:.2f}",
            height=BAR_HEIGHT - 2,
            class_=kind,
        )
        for place, (value, kind) in enumerate(zip(values, classes, strict=True))
    ]
    if expected is not None and most:
        x = f"{100 * expected / most:.2f}"
        shapes.append(el("line", x1=x, x2=x, y1=0, y2=height, class_="expected"))
    return el(
        "svg",
        *shapes,
        viewBox=f"0 0 100 {height}",
        height=height,
        preserveAspectRatio="none",
        class_="bars",
        aria_hidden="true",
    )


def histogram(counts: Sequence[int], bar: int, kind: str, label: str) -> Html:
    """Upright bars of equal width, the first from 0, `bar` units each; about ten are named below."""
    most, step = max([*counts, 1]), HISTOGRAM_WIDTH / max(len(counts), 1)
    floor = HISTOGRAM_HEIGHT + 14
    shapes = []
    for place, count in enumerate(counts):
        height = HISTOGRAM_HEIGHT * count / most
        told = el("title", f"{place * bar} to {(place + 1) * bar - 1}: {count:,}")
        shapes.append(
            el(
                "rect",
                told,
                x=f"{place * step + 0.5:.1f}",
                y=f"{floor - height:.1f}",
                width=f"{max(step - 1, 0.5):.1f}",
                height=f"{height:.1f}",
                class_=kind,
            )
        )
    every = max(1, round(len(counts) / 10))
    shapes += [
        el("text", str(place * bar), x=f"{place * step:.1f}", y=floor + 14)
        for place in range(0, len(counts), every)
    ]
    shapes.append(el("line", x1=0, x2=HISTOGRAM_WIDTH, y1=floor, y2=floor, class_="floor"))
    shapes.append(
        el("text", f"highest bar: {most:,}", x=HISTOGRAM_WIDTH, y=11, text_anchor="end", class_="end")
    )
    return el(
        "svg",
        *shapes,
        viewBox=f"0 0 {HISTOGRAM_WIDTH} {floor + 18}",
        role="img",
        aria_label=label,
        class_="words",
    )
