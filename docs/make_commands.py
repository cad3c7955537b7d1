"""Write docs/commands.md, the reference of every verb and option, from the command itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from assay.cli.main import app

PAGE = Path(__file__).parent / "commands.md"
HEAD = """# Commands

Made by `python docs/make_commands.py` from the command itself; a test fails when it is out of step.
Exit status of every verb: 0 fine, 1 the check found faults or a gate failed, 2 bad input or wrong usage.
"""


def _rows(command: Any) -> list[str]:
    rows = []
    for parameter in command.params:
        if getattr(parameter, "hidden", False):
            continue
        names = "/".join([*parameter.opts, *parameter.secondary_opts])
        if parameter.param_type_name == "argument":
            names = str(parameter.metavar or parameter.name).upper()
        text = " ".join((getattr(parameter, "help", None) or "").split()).replace("|", "\\|")
        rows.append(f"| `{names}` | {text} |")
    return rows


def _sections(command: Any, name: str) -> list[str]:
    commands = getattr(command, "commands", None)
    if commands:
        return [part for verb, sub in sorted(commands.items()) for part in _sections(sub, f"{name} {verb}")]
    help_text = (command.help or "").strip().replace("\b\n", "")
    parts = [f"\n## {name}\n", help_text, ""]
    if command.epilog:
        parts += [
            f"    {line.removeprefix('Example: ').strip()}" for line in command.epilog.strip().splitlines()
        ]
        parts.append("")
    return [*parts, "| option | meaning |", "|---|---|", *_rows(command)]


def page() -> str:
    """The whole page, as it should stand in docs/commands.md."""
    return HEAD + "\n".join(_sections(typer.main.get_command(app), "assay")) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
