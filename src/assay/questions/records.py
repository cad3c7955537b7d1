"""Records of text files, each with its line: JSON lines, JSON lists, comma- and tab-separated rows."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from assay.compression import DamagedStream
from assay.errors import Fault
from assay.questions.sources import Source

Report = Callable[[Fault], None]
"""Takes one fault. Readers report and go on, so that every fault is found."""

LINE_BYTES = 1 << 28
"""A longer line (256 MB) is refused: it would have to be held in memory."""
FIELD_CHARACTERS = 1 << 24
"""A longer quoted field is taken for a quote that was never closed."""
DEPTH = 100
"""Deeper nested JSON is refused."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_UTF16_32 = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")


class BadJson(ValueError):
    """A text that isn't one strict JSON value; the message says why, and the column where it is known."""


def lone_surrogate(text: str) -> str | None:
    r"""The first lone surrogate of a text, written as its escape (`\udc00`), or None."""
    if text.isascii():
        return None
    found = _SURROGATE.search(text)
    return None if found is None else f"\\u{ord(found.group()):04x}"


def lines(source: Source, report: Report) -> Iterator[tuple[int, str]]:
    r"""The lines of a source, numbered from 1, split at `\n` alone and without it; a `\r` before it is kept.

    A byte-order mark at the start is dropped. What isn't UTF-8 is reported and comes out with U+FFFD in the
    place of each bad byte; compressed data that is cut off, and a line over LINE_BYTES, are reported and end
    the reading.
    """
    number = 0
    stream = source.open()
    while True:
        try:
            raw = stream.readline(LINE_BYTES)
        except DamagedStream as error:
            report(Fault(str(error), source.name, number + 1))
            return
        if not raw:
            return
        number += 1
        if number == 1:
            if raw.startswith(_UTF16_32) or b"\x00" in raw[:4]:
                report(Fault("not UTF-8 but UTF-16 or UTF-32: save it as UTF-8", source.name, 1))
                return
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if len(raw) == LINE_BYTES and not raw.endswith(b"\n"):
            report(Fault(f"line of more than {LINE_BYTES >> 20} MB", source.name, number))
            return
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            report(
                Fault(
                    f"not UTF-8: byte 0x{raw[error.start]:02x} at byte {error.start + 1} of the line",
                    source.name,
                    number,
                )
            )
            text = raw.decode("utf-8", errors="replace")
        yield number, text.removesuffix("\n")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise BadJson(f"duplicate key {json.dumps(key)} in one object")
            seen.add(key)
    return found


def _constant(name: str) -> NoReturn:
    raise BadJson(f"not JSON: {name} is no JSON number")


def _float(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise BadJson(f"the number {digits[:30]} is too large")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)


def parse_json(text: str) -> Any:
    """One strict JSON value.

    Raises BadJson for anything else: a second value on the line (with its column), a key that stands twice in
    one object, NaN or infinity, numbers too long for a number, nesting deeper than DEPTH.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        column = error.pos + 1
        if error.msg == "Extra data":
            raise BadJson(f"a second value begins at column {column}: one JSON value a line") from None
        raise BadJson(f"not JSON: {error.msg.rstrip(':')} at column {column}") from None
    except BadJson:
        raise
    except RecursionError:
        raise BadJson(f"nested deeper than {DEPTH} levels") from None
    except ValueError:
        raise BadJson("an integer has too many digits") from None
    if text.count("[") + text.count("{") > DEPTH and _deeper(value):
        raise BadJson(f"nested deeper than {DEPTH} levels")
    return value


def _deeper(value: Any) -> bool:
    level = [value]
    for _ in range(DEPTH + 1):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return True


def json_lines(source: Source, report: Report) -> Iterator[tuple[int, Any]]:
    """The JSON values of a file with one a line, with their lines; blank lines are passed over."""
    for number, text in lines(source, report):
        if not text or text.isspace():
            continue
        try:
            yield number, parse_json(text)
        except BadJson as error:
            report(Fault(str(error), source.name, number))


_STRUCTURE = re.compile(r'["\[\]{},]')
_STRING_END = re.compile(r'["\\]')


class _ListScanner:
    """Cuts a JSON list into its elements, line by line, so that it need not be held whole."""

    def __init__(self) -> None:
        self.depth = 0
        self.in_string = self.after_escape = self.closed = False
        self.parts: list[str] = []
        self.start = 0

    def take(self, text: str, number: int) -> None:
        """Add text to the element under way; its line is that of its first character."""
        if not any(self.parts) and text and not text.isspace():
            self.start = number
        self.parts.append(text if any(self.parts) else text.lstrip())

    def feed(self, text: str, number: int) -> Iterator[tuple[int, str]]:
        """The elements that end on this line, each with the line it began on."""
        begin = position = 0
        if self.after_escape:
            position, self.after_escape = 1, False
        while True:
            found = (_STRING_END if self.in_string else _STRUCTURE).search(text, position)
            if found is None:
                break
            position, mark = found.end(), found.group()
            if mark == "\\":
                self.after_escape = position >= len(text)
                position += 1
            elif mark == '"':
                self.in_string = not self.in_string
            elif mark in "[{":
                self.depth += 1
                if self.depth == 1:
                    begin = position
            elif mark == "," and self.depth > 1:
                continue
            elif mark == "," or self.depth == 1:
                self.take(text[begin : found.start()], number)
                element = self.start or number, "".join(self.parts).strip()
                self.parts, self.start, begin = [], 0, position
                self.closed = mark != ","
                yield element
                if self.closed:
                    self.take(text[begin:], number)
                    return
            else:
                self.depth -= 1
        self.take(text[begin:] + "\n", number)


def json_list(source: Source, report: Report) -> Iterator[tuple[int, Any]]:
    """The elements of a file that is one JSON list, each with the line it begins on."""
    scanner, empty_at, count, number = _ListScanner(), 0, 0, 1
    for number, text in lines(source, report):
        if scanner.closed:
            scanner.take(text, number)
            continue
        for start, element in scanner.feed(text, number):
            count += 1
            if not element:
                empty_at = empty_at or start
                if scanner.closed and count == 1:
                    empty_at = 0
                continue
            try:
                yield start, parse_json(element)
            except BadJson as error:
                report(Fault(str(error), source.name, start))
    if empty_at:
        report(Fault("not JSON: a comma without a value beside it", source.name, empty_at))
    if not scanner.closed:
        report(Fault("the list isn't closed: the file may be cut off", source.name, number))
    elif "".join(scanner.parts).strip():
        report(Fault("not JSON: text after the end of the list", source.name, scanner.start))


def csv_rows(source: Source, report: Report, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    r"""Rows of cells, each with the line it begins on; blank lines are passed over.

    With "," a cell may be quoted (RFC 4180: doubled quotes, line ends inside); a quote that isn't closed, or
    text after a closing one, is reported. With a tab, quotes are plain text, and so is a quote inside an
    unquoted cell.
    """
    reader = lines(source, report)
    for number, text in reader:
        row = text.removesuffix("\r")
        if not row:
            continue
        if delimiter == "\t" or '"' not in row:
            yield number, row.split(delimiter)
            continue
        cells = _quoted_row(source.name, number, text, delimiter, reader, report)
        if cells is not None:
            yield number, cells


def _quoted_row(
    name: str, number: int, text: str, delimiter: str, reader: Iterator[tuple[int, str]], report: Report
) -> list[str] | None:
    cells: list[str] = []
    position, last = 0, number
    while True:
        if not text.startswith('"', position):
            end = text.find(delimiter, position)
            cells.append((text[position:] if end < 0 else text[position:end]).removesuffix("\r" * (end < 0)))
            if end < 0:
                return cells
            position = end + 1
            continue
        parts, size, opened, position = [], 0, last, position + 1
        while True:
            close = text.find('"', position)
            if close >= 0 and text.startswith('"', close + 1):
                parts.append(text[position : close + 1])
                position = close + 2
                continue
            if close >= 0:
                parts.append(text[position:close])
                position = close + 1
                break
            parts.append(text[position:] + "\n")
            size += len(parts[-1])
            following = next(reader, None) if size <= FIELD_CHARACTERS else None
            if following is None:
                report(Fault("a quote is opened here and never closed", name, opened))
                return None
            last, text = following
            position = 0
        cells.append("".join(parts))
        rest = text[position:].removesuffix("\r")
        if not rest:
            return cells
        if not rest.startswith(delimiter):
            report(Fault(f"text after a closing quote: {rest[:20]!r}", name, last))
            return None
        position += 1
