"""assay corpus import, info, encode, tuples."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

corpus = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Import sentences to a corpus folder, and see what is in one.",
    epilog="Example: assay corpus import science.tsv.gz --to science",
)


@corpus.command("import", epilog="Example: assay corpus import science.tsv.gz books/ --to science")
def import_(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH",
            help="Files, folders, patterns (text, tsv, jsonl, parquet; gz, zst, xz) or -.",
        ),
    ],
    to: Annotated[Path, typer.Option("--to", metavar="FOLDER", help="The corpus folder.")],
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The corpus's name (by default the folder's).")
    ] = None,
    language: Annotated[
        str,
        typer.Option(
            metavar="LANGUAGE",
            help="Snowball language of the analyser: english, german, ...; none: no stemming.",
        ),
    ] = "english",
    stop_words: Annotated[
        str,
        typer.Option(
            metavar="LIST",
            help="Stop words: lucene-english, questions, nltk-english, none, a language's list (german) or a "
            "file. By default the language's own; for English lucene-english.",
        ),
    ] = "default",
    format: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Format of the inputs: auto (by name or content), text, tsv, jsonl, parquet."
        ),
    ] = "auto",
    split: Annotated[
        str,
        typer.Option(
            metavar="UNIT",
            help="none: a line or record is one sentence. lines: each is split into sentences. "
            "paragraphs: what stands between blank lines is joined and split.",
        ),
    ] = "none",
    text_column: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Field or column of the sentence: a number from 1, or a name."),
    ] = None,
    source_column: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Field or column of the source.")
    ] = None,
    document_column: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Field or column of the document.")
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Source of sentences that name none (by default the file's name)."),
    ] = None,
    include_source: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Take this source alone; may be repeated.")
    ] = None,
    exclude_source: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Leave this source out; may be repeated.")
    ] = None,
    clean: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="Another cleaning rule, after strip-control, collapse-space, drop-empty; may be repeated: "
            "max-length=N, min-length=N, replace-invalid, drop-faulty. none: without those three.",
        ),
    ] = None,
    dedupe: Annotated[
        str,
        typer.Option(
            metavar="RULE", help="When two sentences are the same: exact, casefold-space, alphanumeric, none."
        ),
    ] = "exact",
    append: Annotated[bool, typer.Option("--append", help="Add to the corpus that is there.")] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="NUMBER", help="Processes (by default one a core); the result is the same."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print what `corpus info --json` prints.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Import text, tsv, jsonl or parquet into a corpus folder: cleaned, de-duplicated, analysed, indexed.

    Run again with nothing changed it is done at once. A killed import leaves the corpus that was there.
    """
    from assay.cli.progress import progress
    from assay.corpus import Reading, import_corpus
    from assay.corpus.info import corpus_info
    from assay.corpus.rules import with_defaults
    from assay.text.analysis import Analyser

    reading = Reading(
        format=format,  # type: ignore[arg-type]
        split=split,  # type: ignore[arg-type]
        text=text_column,
        source=source_column,
        document=document_column,
        source_name=source,
    )
    import_corpus(
        paths,
        to,
        Analyser(language, stop_words),
        cleaning=with_defaults(clean or ()),
        dedupe=dedupe,
        include_sources=include_source or None,
        exclude_sources=exclude_source or (),
        reading=reading,
        name=name,
        append=append,
        progress=progress(quiet=quiet),
        workers=workers,
    )
    _show(corpus_info(to), json=json)


@corpus.command("info", epilog="Example: assay corpus info science")
def info(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A corpus folder.")],
    verify: Annotated[bool, typer.Option("--verify", help="Check every byte against its checksum.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print strict JSON.")] = False,
) -> None:
    """Show a corpus: sentences, tokens, sources, what each rule changed or dropped, analyser, fingerprint."""
    from assay.corpus.info import corpus_info

    _show(corpus_info(folder, verify=verify), json=json)


@corpus.command("encode", epilog="Example: assay corpus encode science --bf16")
def encode(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A corpus folder.")],
    encoder: Annotated[
        str,
        typer.Option(
            "--encoder", metavar="NAME", help="minilm, or a folder with an encoder of the Hugging Face kind."
        ),
    ] = "minilm",
    to: Annotated[
        Path | None,
        typer.Option(
            "--to",
            metavar="FOLDER",
            help="Where the vectors go; by default vectors/NAME in the corpus folder.",
        ),
    ] = None,
    bf16: Annotated[
        bool, typer.Option("--bf16", help="Encode in bfloat16: faster where the processor has it.")
    ] = False,
    numbers: Annotated[
        str, typer.Option("--numbers", metavar="TYPE", help="How vectors are kept: float16, float32.")
    ] = "float16",
    longest: Annotated[
        int, typer.Option("--longest", min=3, metavar="N", help="Word pieces of a sentence that are read.")
    ] = 128,
    json: Annotated[bool, typer.Option("--json", help="Print strict JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Turn every sentence of a corpus into a vector, for retrieval that goes beyond words.

    Run again after a kill it goes on; with nothing changed it is done at once; after `corpus import --append`
    it encodes what is new.
    """
    import time

    from assay.cli.encoders import text_encoder
    from assay.cli.output import print_json, print_lines
    from assay.cli.progress import progress
    from assay.corpus import open_corpus
    from assay.evidence.vectors import FOLDER, encode_corpus

    opened = open_corpus(folder)
    target = to or folder / FOLDER / Path(encoder).name
    made_by = text_encoder(encoder, bf16=bf16, longest=longest)
    started = time.monotonic()
    reused = encode_corpus(opened, made_by, target, numbers=numbers, progress=progress(quiet=quiet or json))
    seconds = time.monotonic() - started
    if json:
        print_json(
            {
                "vectors": str(target),
                "sentences": len(opened),
                "reused": reused,
                "dimension": made_by.dimension,
                "numbers": numbers,
                "encoder": dict(made_by.settings),
            }
        )
        return
    new = len(opened) - reused
    rate = f" ({new / max(seconds, 1e-3):,.0f} a second)" if new else ""
    print_lines(
        [f"Vectors of {len(opened):,} sentences in {target}: {new:,} made{rate}, {reused:,} were there"]
    )


@corpus.command("tuples", epilog="Example: assay corpus tuples science")
def tuples(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A corpus folder.")],
    parser: Annotated[
        str,
        typer.Option(
            "--parser",
            metavar="NAME",
            help="en_core_web_sm, another English spaCy model, or the folder of one.",
        ),
    ] = "en_core_web_sm",
    to: Annotated[
        Path | None,
        typer.Option(
            "--to", metavar="FOLDER", help="Where the tuples go; by default tuples/NAME in the corpus folder."
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="NUMBER", help="Processes (by default one a core); the result is the same."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print strict JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
) -> None:
    """Extract the tuples (subject; relation; arguments) of every sentence of a corpus, by Open IE.

    Run again after a kill it goes on; with nothing changed it is done at once; after `corpus import --append`
    it extracts what is new. `assay tuples --corpus FOLDER ID...` shows them.
    """
    import time

    from assay.cli.output import print_json, print_lines
    from assay.cli.progress import progress
    from assay.corpus import open_corpus
    from assay.evidence.tuples import FOLDER, extract_corpus

    opened = open_corpus(folder)
    target = to or folder / FOLDER / Path(parser).name
    started = time.monotonic()
    done = extract_corpus(
        opened, target, parser=parser, workers=workers, progress=progress(quiet=quiet or json)
    )
    seconds = time.monotonic() - started
    counts, new = done.counts, len(opened) - done.reused
    if json:
        print_json(
            {
                "tuples": str(target),
                "sentences": len(opened),
                "reused": done.reused,
                "found": counts.tuples,
                "without": counts.without,
                "too_long": counts.too_long,
                "bytes": done.bytes,
            }
        )
        return
    rate = f" ({new / max(seconds, 1e-3):,.0f} a second)" if new else ""
    print_lines(
        [
            f"Tuples of {len(opened):,} sentences in {target}: {new:,} sentences read{rate}, "
            f"{done.reused:,} were there",
            f"{counts.tuples:,} tuples, {_size(done.bytes)}; {counts.without:,} sentences without one"
            + (f", {counts.too_long:,} of them too long to be parsed" if counts.too_long else ""),
        ]
    )


def _show(described: dict[str, Any], *, json: bool) -> None:
    from assay.cli.output import print_json, print_table, say

    for warning in described["warnings"]:
        say(f"assay: warning: {warning}")
    if json:
        print_json(described)
        return
    analyser = described["analyser"]
    facts = {
        "sentences": f"{described['sentences']:,}",
        "read": f"{described['read']:,}",
        "tokens": f"{described['tokens']:,}",
        "content stems": f"{described['content_tokens']:,}",
        "terms": f"{described['terms']:,}",
        "without tokens": f"{described['without_tokens']:,}",
        "language": analyser["language"],
        "stop words": f"{analyser['stop_words']} ({described['stop_list_words']})",
        "size": _size(described["bytes"]),
        "fingerprint": described["fingerprint"],
    }
    print_table(
        f"Corpus {described['name']} in {described['folder']}",
        {"what": "left", "value": "right"},
        list(facts.items()),
    )
    print_table(
        "Sources",
        {"source": "left", "sentences": "right"},
        [(source["name"], f"{source['sentences']:,}") for source in described["sources"]],
    )
    print_table(
        "Rules",
        {"rule": "left", "did": "left", "count": "right", "meaning": "left"},
        [(rule["rule"], rule["did"], f"{rule['count']:,}", rule["meaning"]) for rule in described["rules"]],
    )
    print_table(
        "Inputs",
        {"file": "left", "read": "right", "sentences": "right"},
        [
            (source["file"], f"{source['read']:,}", f"{source['sentences']:,}")
            for source in described["inputs"]
        ],
    )


def _size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 100_000 else f"{size / 1e3:,.1f} kB"
