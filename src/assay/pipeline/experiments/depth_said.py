"""What a sweep over depths shows, in sentences."""

from __future__ import annotations

from assay.experiments import Figure, Table
from assay.experiments.scored import said, said_p


def said_of(table: Table) -> tuple[str, ...]:
    """A sentence a system: its score at the first depth, where it is highest, and at the last."""
    rows: dict[str, list[tuple[str, Figure, Figure | None]]] = {}
    for row in table.rows:
        name, depth = row.names
        score, rise = row.figures
        if score is not None and score.value is not None:
            rows.setdefault(name, []).append((depth, score, rise))
    return tuple(_told(name, own) for name, own in rows.items())


def _told(name: str, own: list[tuple[str, Figure, Figure | None]]) -> str:
    first, last = own[0], own[-1]
    best = max(own, key=lambda one: one[1].value or 0.0)
    parts = [_part(first, "with the best sentence alone" if first[0] == "1" else f"with {first[0]}")]
    if best not in (first, last):
        parts.append(_part(best, f"with {best[0]}, where it is highest"))
    if last is not first:
        parts.append(_part(last, f"with {last[0]}{', where it is highest' if best is last else ''}"))
    return f"{name} scores {'; '.join(parts)}."


def _part(one: tuple[str, Figure, Figure | None], words: str) -> str:
    _, score, rise = one
    return f"{said(score)} {words}" + ("" if rise is None else f" ({said_p(rise.p)})")
