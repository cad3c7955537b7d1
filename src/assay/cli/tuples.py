"""`assay tuples`: the tuples of sentences, as Open IE finds them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from assay.text.openie import TextTuple


def tuples(
    sentences: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SENTENCE",
            help='Sentences, "-" for standard input; with --corpus numbers of stored ones, from 0.',
        ),
    ] = None,
    files: Annotated[
        list[str] | None,
        typer.Option(
            "--file", "-f", metavar="FILE", help='A sentence a line; "-" is standard input; may be repeated.'
        ),
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", metavar="FOLDER", help="Show what `corpus tuples` stored of a corpus."),
    ] = None,
    stored: Annotated[
        Path | None,
        typer.Option(
            "--tuples",
            metavar="FOLDER",
            help="Where they were stored; by default tuples/PARSER in the corpus folder.",
        ),
    ] = None,
    parser: Annotated[
        str,
        typer.Option(
            "--parser",
            metavar="NAME",
            help="en_core_web_sm, another English spaCy model, or the folder of one.",
        ),
    ] = "en_core_web_sm",
    json: Annotated[bool, typer.Option("--json", help="Print strict JSON.")] = False,
) -> None:
    """Show the tuples (subject; relation; arguments) that sentences state.

    Each sentence is followed by its tuples, a line each: `not` before a relation that is denied, a
    preposition before its argument, and in brackets the clause under which it holds. Without sentences and
    files, standard input is read.
    """
    from assay.cli.output import print_json, print_lines
    from assay.errors import AssayError

    if corpus is None and stored is not None:
        raise AssayError("--tuples shows what was stored of a corpus", hint="name the corpus too: --corpus")
    if corpus is not None and files:
        raise AssayError("--corpus shows stored sentences, --file reads others", hint="give one of the two")
    with ExitStack() as stack:
        if corpus is not None:
            found = _stored(corpus, stored, parser, sentences or [])
        else:
            found = _extracted(parser, _given(sentences or [], files or [], stack))
        if json:
            print_json(
                [
                    {"sentence": sentence, "tuples": [one.record for one in stated]}
                    for sentence, stated in found
                ]
            )
            return
        for sentence, stated in found:
            print_lines([sentence])
            print_lines([f"  {one.written}" for one in stated] or ["  no tuple"])


def _given(sentences: list[str], files: list[str], stack: ExitStack) -> Iterator[str]:
    from assay.compression import DamagedStream
    from assay.errors import AssayError
    from assay.questions.sources import STDIN, open_source

    written = [sentence for sentence in sentences if sentence != STDIN]
    asked = [STDIN] if STDIN in sentences or not (written or files) else []
    yield from written
    for name in [*asked, *files]:
        lines = stack.enter_context(open_source(name)).open()
        number = 0
        try:
            for number, line in enumerate(lines, 1):
                text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
                if text:
                    yield text
        except UnicodeDecodeError as error:
            fault = f"not UTF-8: byte 0x{error.object[error.start]:02x}"
            raise AssayError(fault, file=name, line=number) from None
        except DamagedStream as error:
            raise AssayError(str(error), file=name, line=number + 1) from None


def _extracted(parser: str, sentences: Iterator[str]) -> Iterator[tuple[str, tuple[TextTuple, ...]]]:
    from itertools import tee

    from assay.text.openie import extract, texts
    from assay.text.parsing import open_parser

    shown, read = tee(sentences)
    for parse, sentence in zip(open_parser(parser).parse(read), shown, strict=True):
        yield sentence, tuple(texts(one, parse) for one in extract(parse))


def _stored(
    folder: Path, stored: Path | None, parser: str, numbers: list[str]
) -> Iterator[tuple[str, tuple[TextTuple, ...]]]:
    from assay.corpus import open_corpus
    from assay.errors import AssayError
    from assay.evidence.tuples import FOLDER, open_tuples

    corpus = open_corpus(folder)
    opened = open_tuples(stored or folder / FOLDER / Path(parser).name, corpus)
    for number in numbers:
        if not number.isdecimal() or int(number) >= len(corpus):
            raise AssayError(
                f"no sentence {number!r} in corpus {corpus.name}",
                hint=f"sentences are numbered from 0 to {len(corpus) - 1}",
            )
        yield corpus.texts[int(number)], opened.of(int(number))
