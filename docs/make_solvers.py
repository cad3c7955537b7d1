"""Write docs/solvers.md, the reference of every solver and setting, from what the solvers declare."""

from __future__ import annotations

from pathlib import Path

from assay.solvers.registry import OURS, solver_class
from assay.solvers.settings import declared_settings

PAGE = Path(__file__).parent / "solvers.md"
HEAD = """# Solvers

Made by `python docs/make_solvers.py` from what the solvers declare; a test fails when it is out of step.
Settings go into `[solvers.NAME]` of [benchmark.toml](benchmark-toml.md), or after `--set` of `assay answer`.
A solver of your own: see [python.md](python.md).
"""


def page() -> str:
    """The whole page, as it should stand in docs/solvers.md."""
    parts = [HEAD]
    for kind in OURS:
        found = solver_class(kind)
        text = " ".join((found.__doc__ or "").split("\n\n")[0].split())  # type: ignore[attr-defined]
        parts += [f"## {kind}", "", text, ""]
        settings = declared_settings(found.declared)
        if settings:
            parts += ["| setting | must be | default | meaning |", "|---|---|---|---|"]
            parts += [
                f"| `{one.name}` | {one.must_be} | {one.default} | {' '.join(one.meaning.split())} |"
                for one in settings
            ]
            parts.append("")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
