"""What every verb prints with: tables for people, strict JSON for programs, errors for both."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assay.errors import AssayError
from assay.storage import to_json


def print_json(value: Any) -> None:
    """One strict JSON value, indented, on standard output; what can't be encoded there is escaped."""
    text = to_json(value, indent=2)
    if _showable(text) != text:
        text = json.dumps(value, ensure_ascii=True, allow_nan=False, indent=2)
    sys.stdout.write(text + "\n")


def _showable(text: str) -> str:
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, errors="backslashreplace").decode(encoding)


# Characters of a name that a table keeps in one piece on a narrow terminal.
LONGEST_NAME = 24

# A line feed in an id would break a message in two; an escape sequence would speak to the terminal.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def one_line(text: str) -> str:
    """The text with control characters, line ends and the like as their escapes (tab: `\\t`)."""
    return _UNSEEN.sub(lambda found: json.dumps(found.group())[1:-1], text)


def print_lines(lines: Iterable[str]) -> None:
    """Lines on standard output; what the terminal can't show is escaped, never raised or obeyed."""
    for line in lines:
        sys.stdout.write(_showable(one_line(line)) + "\n")


def say(text: str) -> None:
    """One line on standard error, escaped as in `print_lines`."""
    sys.stderr.write(one_line(text) + "\n")


def print_table(
    title: str, columns: Mapping[str, str], rows: Sequence[Sequence[str]], *, foot: str | None = None
) -> None:
    """A table: `columns` maps each heading to "left" or "right"; cells are text, never markup.

    On a terminal it is drawn by Rich; piped, it is tab-separated with a heading, so that it can be cut.
    """
    if not sys.stdout.isatty():
        print_lines([title])
        for row in (columns, *rows):
            sys.stdout.write(_showable("\t".join(map(one_line, row))) + "\n")
        if foot:
            print_lines([foot])
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", caption=foot, caption_justify="left")
    shown = [[_showable(one_line(cell)) for cell in row] for row in rows]
    # Where it is narrow, cells fold and none is cut; names, which one types again, stay in one piece.
    names = max((len(row[0]) for row in shown), default=0) <= LONGEST_NAME
    for place, (heading, justify) in enumerate(columns.items()):
        table.add_column(
            Text(heading),
            justify="right" if justify == "right" else "left",
            overflow="fold",
            no_wrap=names and place == 0,
        )
    for row in shown:
        table.add_row(*map(Text, row))
    console = Console()
    if console.measure(table, options=console.options.update(max_width=10_000)).maximum > console.width:
        table.padding = (0, 0)
    console.print(table)


def print_notes(notes: Iterable[str]) -> None:
    """What one should know about how the input was read, on standard error: results alone stand on output."""
    for note in notes:
        say(f"assay: note: {note}")


def print_error(error: AssayError) -> None:
    """`assay: error: file:line: question id: what`, one line a fault, then what to do."""
    for fault in error.faults:
        say(f"assay: error: {fault}")
    if error.hint:
        say(f"assay: {error.hint}")
