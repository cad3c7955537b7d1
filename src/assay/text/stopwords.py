"""Named stop-word lists."""

from __future__ import annotations

from pathlib import Path

from assay.errors import AssayError

LUCENE_ENGLISH = frozenset(
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these "
    "they this to was will with".split()
)
"""Lucene's English list of 33 words (Elasticsearch's `_english_`): the default."""


def stop_words(name: str) -> frozenset[str]:
    """The list called `name`: "lucene-english", "none", or the path of a text file with one word a line.

    Words in a file are lower-cased; blank lines and lines that start with # or | are passed over.
    Raises AssayError when there is no such list or file.
    """
    if name == "lucene-english":
        return LUCENE_ENGLISH
    if name == "none":
        return frozenset()
    path = Path(name)
    if not path.is_file():
        raise AssayError(
            f"no stop-word list called {name!r}",
            hint="'lucene-english', 'none', or the path of a file with one word a line",
        )
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise AssayError(f"stop-word list can't be read: {error}", file=path) from None
    return frozenset(
        word
        for line in lines
        for word in line.split("|", 1)[0].lower().split()
        if not line.lstrip().startswith("#")
    )
