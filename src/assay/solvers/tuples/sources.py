"""Where a question's tuples come from: a corpus's retrieved sentences or an evidence file's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from assay.corpus.model import Corpus
from assay.errors import AssayError
from assay.evidence.engine import Query
from assay.evidence.engines import open_engine
from assay.evidence.query_words import QueryWords
from assay.evidence.retrieval import Fetcher
from assay.evidence.sentence_filter import SentenceFilter
from assay.evidence.shards import MANIFEST
from assay.evidence.tuples import FOLDER, Tuples, open_tuples
from assay.questions.model import Question, SentenceEvidence
from assay.solvers.evidence_file import EvidenceFile
from assay.solvers.tuples.fields import Origin
from assay.solvers.tuples.settings import TupleInferenceSettings
from assay.text.openie import RULES, TextTuple, extract, texts
from assay.text.parsing import LONGEST, Parser, open_parser, plain

REMEMBERED = 1 << 16
"""Sentences whose tuples are kept: questions in a row ask for many of the same ones."""
Sentences = list[list[Origin]]
"""A question's sentences, a list for each choice, best first."""


class Extractor(Protocol):
    """Sentences to their tuples."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that decides which tuples come out."""
        ...

    def tuples(self, origins: Sequence[Origin]) -> list[tuple[TextTuple, ...]]:
        """Of each sentence, in order."""
        ...


class Source(Extractor, Protocol):
    """Questions to their sentences, and these to their tuples."""

    def sentences(self, questions: Sequence[Question]) -> Iterator[Sentences]:
        """Of each question, in order."""
        ...


class Parsed:
    """Tuples extracted when they are asked for; a sentence met again is mostly not parsed again."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._known: dict[str, tuple[TextTuple, ...]] = {}

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"parser": dict(self._parser.settings), "rules": RULES}

    def tuples(self, origins: Sequence[Origin]) -> list[tuple[TextTuple, ...]]:
        """A sentence that is too long to be parsed has none."""
        asked = dict.fromkeys(one.text for one in origins)
        new = [text for text in asked if text not in self._known]
        if len(self._known) + len(new) > REMEMBERED:
            self._known = {text: self._known[text] for text in asked if text in self._known}
        read = ("" if len(plain(text)) > LONGEST else text for text in new)
        for text, parse in zip(new, self._parser.parse(read), strict=True):
            self._known[text] = tuple(texts(one, parse) for one in extract(parse))
        return [self._known[one.text] for one in origins]


class Stored:
    """Tuples that `assay corpus tuples` kept of a corpus."""

    def __init__(self, stored: Tuples) -> None:
        self._stored = stored

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"parser": dict(self._stored.parser), "rules": self._stored.rules}

    def tuples(self, origins: Sequence[Origin]) -> list[tuple[TextTuple, ...]]:
        """Looked up by the sentences' ids."""
        return [() if one.sentence_id is None else self._stored.of(one.sentence_id) for one in origins]


class CorpusSource:
    """Sentences that share a term with the stem and one with the choice, by the engine's score."""

    def __init__(self, corpus: Corpus, asked: TupleInferenceSettings) -> None:
        """Raises AssayError when engine, stop list, tuples or parser can't be had."""
        self._corpus, self._asked = corpus, asked
        self._words = QueryWords(corpus, asked.stop_words)
        self._engine = open_engine(asked.engine, corpus)
        self._fetcher = Fetcher(self._engine, SentenceFilter(corpus, asked.rules))
        self._extractor = _extractor(corpus, asked)
        self.tuples = self._extractor.tuples

    @property
    def settings(self) -> Mapping[str, Any]:
        return {
            "engine": dict(self._engine.settings),
            "analyser": dict(self._corpus.analyser.settings),
            "hits": self._asked.hits,
            "max_characters": self._asked.max_characters,
            "clean": self._asked.clean,
            "extraction": dict(self._extractor.settings),
        }

    def sentences(self, questions: Sequence[Question]) -> Iterator[Sentences]:
        queries = [query for question in questions for query in self._queries(question)]
        hits = iter(self._fetcher.best(queries, self._asked.hits, len(self._corpus) or 1))
        texts, sources = self._corpus.texts, self._corpus.sources
        for question in questions:
            found = [next(hits).ids.tolist() for _ in question.choices]
            yield [[Origin(texts[one], one, sources[one]) for one in ids] for ids in found]

    def _queries(self, question: Question) -> list[Query]:
        stem = tuple(self._words.content(question.stem))
        return [
            Query((stem, tuple(self._words.choice(choice.text))), every_group=True)
            for choice in question.choices
        ]


class EvidenceSource:
    """Sentences of an evidence file, parsed on the fly."""

    def __init__(self, file: EvidenceFile, asked: TupleInferenceSettings) -> None:
        """Raises AssayError when the parser isn't installed."""
        self._file, self._asked = file, asked
        self._parsed = Parsed(open_parser(asked.parser))
        self.tuples = self._parsed.tuples

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"evidence": {"sha256": self._file.sha256}, "extraction": dict(self._parsed.settings)}

    def sentences(self, questions: Sequence[Question]) -> Iterator[Sentences]:
        """A question that the file lacks has none."""
        for question in questions:
            evidence = (self._file[question].evidence if question in self._file else None) or [()] * len(
                question.choices
            )
            yield [
                [
                    Origin(one.text, one.sentence_id, one.source)
                    for one in pieces
                    if isinstance(one, SentenceEvidence) and self._asked.rules.reason(one.text) is None
                ]
                for pieces in evidence
            ]


def _extractor(corpus: Corpus, asked: TupleInferenceSettings) -> Extractor:
    """Stored tuples where they are named or lie in the corpus folder; else sentences are parsed."""
    if asked.tuples == "parsed":
        return Parsed(open_parser(asked.parser))
    if asked.tuples not in ("stored", "corpus"):
        return Stored(open_tuples(Path(asked.tuples), corpus))
    own = None if corpus.folder is None else corpus.folder / FOLDER / Path(asked.parser).name
    if own is not None and (asked.tuples == "stored" or (own / MANIFEST).is_file()):
        return Stored(open_tuples(own, corpus))
    if asked.tuples == "stored":
        raise AssayError(
            f"corpus {corpus.name} is in memory: it has no stored tuples", hint="tuples = parsed"
        )
    return Parsed(open_parser(asked.parser))
