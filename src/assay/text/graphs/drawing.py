"""A statement graph for people: as lines of text, and as an SVG picture."""

from __future__ import annotations

from html import escape

from assay.text.graphs.graph import StatementGraph
from assay.text.parsing import Parse

ROW, CHARACTER, MARGIN, GAP = 34, 7.2, 12, 26
"""Of the picture, in pixels: a node's row, a character's width, the rim, and between two arcs."""


def as_text(parse: Parse, graph: StatementGraph) -> str:
    """A line a node, under it its edges: "--label--> target"."""
    names = [node.text(parse) for node in graph.nodes]
    lines = []
    for place, name in enumerate(names):
        lines.append(f"[{name}]")
        lines += [f"    --{e.label}--> [{names[e.target]}]" for e in graph.edges if e.source == place]
    return "\n".join(lines)


def as_svg(parse: Parse, graph: StatementGraph) -> str:
    """Nodes below each other, in the order of the sentence; edges as arcs at their right, with labels."""
    names = [node.text(parse) for node in graph.nodes]
    box = max((CHARACTER * len(name) for name in names), default=0) + 3 * MARGIN
    left = MARGIN + box + 4
    arcs, labels, right = [], [], left
    for number, edge in enumerate(sorted(graph.edges, key=lambda e: (abs(e.source - e.target), e.source))):
        start, end = _middle(edge.source) - 5, _middle(edge.target) + 5
        out = left + GAP * (1 + number)
        arcs.append(
            f'<path d="M{left:.0f} {start}C{out:.0f} {start} {out:.0f} {end} {left:.0f} {end}" '
            'fill="none" stroke="#556" marker-end="url(#tip)"/>'
        )
        x, y = left + 0.75 * (out - left) + 2, (start + end) / 2 + 4
        labels.append(f'<text class="label" x="{x:.0f}" y="{y:.0f}">{escape(edge.label)}</text>')
        right = max(right, x + CHARACTER * len(edge.label))
    boxes = [
        f'<rect x="{MARGIN}" y="{_middle(place) - 12}" width="{box:.0f}" height="24" rx="4"/>'
        f'<text x="{2 * MARGIN}" y="{_middle(place) + 4}">{escape(name)}</text>'
        for place, name in enumerate(names)
    ]
    height = 2 * MARGIN + ROW * max(len(names), 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{right + MARGIN:.0f}" height="{height}">'
        "<style>text{font:12px ui-monospace,monospace;fill:#112}.label{font-size:11px;fill:#824;"
        "paint-order:stroke;stroke:#fff;stroke-width:4px}rect{fill:#eef3fb;stroke:#9ab}</style>"
        '<defs><marker id="tip" markerWidth="7" markerHeight="6" refX="7" refY="3" orient="auto">'
        '<path d="M0 0L7 3L0 6Z" fill="#556"/></marker></defs>'
        '<rect width="100%" height="100%" style="fill:#fff;stroke:none"/>'
        f"{''.join(arcs)}{''.join(boxes)}{''.join(labels)}</svg>\n"
    )


def _middle(place: int) -> int:
    return MARGIN + ROW * place + ROW // 2
