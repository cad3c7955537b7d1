"""Importing gives exactly what the plain builder in memory gives."""

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.corpus import Corpus, Reading, corpus_in_memory, import_corpus, open_corpus

ODD = "aAsSßİıΣσςéẞﬁ'’ʼ.,-_=1٣½\u0301\u0302\u0307\u2028\u0085\u00a0\x00\x1c\t\r \U0001f600\u1e9e\u0345ǅ²#"
TEXTS = st.text(
    st.one_of(st.sampled_from(ODD), st.characters(exclude_characters="\n", exclude_categories=["Cs"])),
    max_size=20,
)
WORDS = st.lists(st.sampled_from(["the", "cell", "cells", "is", "Water's", "3.5", "of"]), max_size=8).map(
    " ".join
)


def assert_same(imported: Corpus, plain: Corpus) -> None:
    assert list(imported.texts) == list(plain.texts)
    assert list(imported.vocabulary.terms) == list(plain.vocabulary.terms)
    for left, right in (
        (imported.vocabulary.stop, plain.vocabulary.stop),
        (imported.tokens.ids, plain.tokens.ids),
        (imported.tokens.starts, plain.tokens.starts),
        (imported.content.ids, plain.content.ids),
        (imported.content.starts, plain.content.starts),
        (imported.postings.starts, plain.postings.starts),
        (imported.postings.sentences, plain.postings.sentences),
        (imported.postings.counts, plain.postings.counts),
        (imported.postings.lengths, plain.postings.lengths),
    ):
        assert left.dtype == right.dtype
        np.testing.assert_array_equal(left, right)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(TEXTS, WORDS), max_size=12))
def test_import_equals_the_plain_builder(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder, "lines.txt")
        lines.write_bytes("".join(f"{text}\n" for text in texts).encode())
        texts = lines.read_bytes().decode().replace("\r\n", "\n").removeprefix("\ufeff").split("\n")[:-1]
        imported = import_corpus(
            lines, Path(folder, "corpus"), cleaning=(), dedupe="none", reading=Reading(format="text")
        )
        assert_same(imported, corpus_in_memory(texts))


def test_tsv_with_sources(tmp_path: Path) -> None:
    file = tmp_path / "facts.tsv"
    file.write_text("book\tIron is a metal.\nweb\tIron is a metal.\nweb\tTin  melts.\n")
    corpus = import_corpus(file, tmp_path / "corpus")
    assert list(corpus.texts) == ["Iron is a metal.", "Tin melts."]
    assert list(corpus.sources) == ["book", "web"]
    assert corpus.place(1).line == 3
    assert open_corpus(tmp_path / "corpus").fingerprint == corpus.fingerprint
