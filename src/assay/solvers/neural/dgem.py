"""DGEM, the decomposed graph entailment model: does the premise hold each part of the hypothesis?

Khot, Sabharwal and Clark 2018 ("SciTail"), section 4; ARC's DGEM and DGEM-OpenIE (Clark et al. 2018,
section 3).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch

from assay.entailment.pair import Pair
from assay.errors import AssayError
from assay.settings import setting
from assay.solvers.neural.contextual import ContextualWords
from assay.solvers.neural.dgem_network import DGEMNetwork, Graph, Same
from assay.solvers.neural.encoder import load_encoder
from assay.solvers.neural.vocabulary import Vocabulary
from assay.text.analysis import Analyser
from assay.text.graphs import PARSE, STRUCTURES, StatementGraph, statement_graph
from assay.text.graphs.labels import LABELS, label_number
from assay.text.openie import extract
from assay.text.parsing import DEFAULT as PARSER
from assay.text.parsing import Parse, open_parser
from assay.text.vectors import DEFAULT, PACKAGED, VectorSource

STRUCTURE = "structure.json"
"""In a model folder: the labels of edges, and the parser by which the graphs were made."""
ENCODER = "encoder"
"""Where in a model folder the contextual encoder lies."""
NOTHING = (20.0, -20.0)
"""Scores of a hypothesis without structure: it is not entailed, to all decimals that are ever shown."""
REMEMBERED = 4_096
"""Hypotheses whose graphs are kept: one is asked of several premises in a row."""


@dataclass(frozen=True)
class DGEMSettings:
    """What decides how a pair is read."""

    structure: str = setting(
        PARSE,
        "what the hypothesis's graph is made of: parse and Open IE together (DGEM), or openie alone "
        "(DGEM-OpenIE)",
        one_of=STRUCTURES,
    )
    parser: str = setting(PARSER, "dependency parser: a spaCy model by name, or its folder")
    vectors: str = setting(DEFAULT, f"static vectors: {', '.join(PACKAGED)}, or a file of any known format")
    contextual: str | None = setting(
        None, "encoder whose frozen vectors stand beside the static ones: minilm, a folder, or a hub's name"
    )
    vocabulary: int = setting(400_000, "words kept, the first of the file of vectors", minimum=1)
    unknown: int = setting(100, "trained vectors that words without one are hashed to", minimum=1)
    hidden: int = setting(100, "numbers of a projected word, and of each layer", minimum=1)
    label_size: int = setting(10, "numbers of an edge label's trained vector", minimum=1)
    dropout: float = setting(0.2, "dropout of every layer's input", minimum=0, maximum=0.9)
    tokens: int = setting(100, "words read of a premise and of a hypothesis, from the start", minimum=1)
    match: bool = setting(
        False,
        "read, beside vectors, the share of a node's words whose stem stands in the premise (the paper "
        "doesn't)",
    )
    words: bool = setting(
        False,
        "show a node, beside its words' mean, what comparing each word with what it is aligned to gives (the "
        "paper doesn't)",
    )
    rest: bool = setting(
        False, "make nodes of the content words that the structure leaves out (the paper doesn't)"
    )
    align_stems: bool = setting(
        False, "align a word rather with words of its own stem, by a trained number (the paper doesn't)"
    )


class DGEMReader:
    """Reads pairs; parses their hypotheses, many at once."""

    kind: ClassVar[str] = "dgem"
    reads: ClassVar[str] = "pairs"
    declared: ClassVar[type[Any]] = DGEMSettings
    training: ClassVar[Mapping[str, Any]] = {
        "learning_rate": 1e-3,
        "batch": 32,
        "at_once": 32,
        "epochs": 8,
        "weight_decay": 1e-4,
        "warm_up": 0.02,
    }

    def __init__(
        self,
        settings: DGEMSettings,
        vocabulary: Vocabulary,
        sources: Mapping[str, str],
        seed: int = 0,
        contextual: ContextualWords | None = None,
    ) -> None:
        """Raises AssayError where the parser isn't installed."""
        self.settings = settings
        self.sources = sources
        self._vocabulary = vocabulary
        self._contextual = contextual
        self._parser = open_parser(settings.parser)
        self._stems = Analyser("english", "none")
        self._known: dict[str, tuple[Parse, StatementGraph]] = {}
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.network = DGEMNetwork(
                vocabulary,
                labels=len(LABELS),
                hidden=settings.hidden,
                label_size=settings.label_size,
                dropout=settings.dropout,
                match=settings.match,
                words=settings.words,
                align_stems=settings.align_stems,
                contextual=contextual.dimension if contextual else 0,
            )
        self.network.eval()

    @classmethod
    def new(cls, settings: DGEMSettings, seed: int) -> Self:
        """Weights drawn by `seed`. Raises AssayError when vectors, parser or encoder are missing."""
        source = VectorSource(settings.vectors)
        vocabulary = Vocabulary.read(source, settings.vocabulary, settings.unknown)
        sources = {"vectors": source.fingerprint}
        contextual = None
        if settings.contextual is not None:
            contextual = ContextualWords(load_encoder(settings.contextual))
            sources["contextual"] = contextual.encoder.fingerprint
        return cls(settings, vocabulary, sources, seed, contextual)

    @classmethod
    def load(cls, settings: DGEMSettings, folder: Path) -> Self:
        """What `save` wrote; the weights are not set.

        Raises AssayError when it is missing or damaged, or when labels or parser are others than those it was
        trained with: its graphs would be others too.
        """
        vocabulary = Vocabulary.load(folder, settings.unknown)
        contextual = None
        if settings.contextual is not None:
            contextual = ContextualWords(load_encoder(str(folder / ENCODER)))
        reader = cls(settings, vocabulary, {}, contextual=contextual)
        try:
            known = json.loads((folder / STRUCTURE).read_bytes())
        except (OSError, ValueError) as error:
            raise AssayError(f"can't be read: {error}", file=folder / STRUCTURE) from None
        own = reader._structure()
        for name in own:
            if not isinstance(known, dict) or known.get(name) != own[name]:
                was = known.get(name) if isinstance(known, dict) else None
                raise AssayError(
                    f"it was trained with another {name}: {_named(was)}; here is {_named(own[name])}",
                    file=folder / STRUCTURE,
                    hint="install what it was trained with, or train it anew",
                )
        return reader

    def _structure(self) -> dict[str, Any]:
        return {"parser": dict(self._parser.settings), "labels": list(LABELS)}

    def save(self, folder: Path) -> None:
        """Write the words with their vectors, the labels of edges, what the parser is, and the encoder."""
        self._vocabulary.save(folder)
        if self._contextual is not None:
            self._contextual.save(folder / ENCODER)
        text = json.dumps(self._structure(), ensure_ascii=True, indent=1) + "\n"
        (folder / STRUCTURE).write_text(text, encoding="ascii")

    def prepare(self, example: Pair) -> Graph:
        """The pair's words, and the graph of its hypothesis."""
        return self.prepare_block([example])[0]

    def prepare_block(self, examples: Sequence[Pair]) -> list[Graph]:
        """As `prepare`; distinct hypotheses are parsed once, together."""
        self._parse({pair.hypothesis for pair in examples})
        texts = [self._texts(pair) for pair in examples]
        graphs = [self._graph(pair, *words) for pair, words in zip(examples, texts, strict=True)]
        if self._contextual is None:
            return graphs
        device = next(self.network.parameters()).device
        found = self._contextual.vectors([tuple(words) for both in texts for words in both], device)
        contexts = zip(found[::2], found[1::2], strict=True)
        return [graph._replace(contexts=both) for graph, both in zip(graphs, contexts, strict=True)]

    def _parse(self, hypotheses: set[str]) -> None:
        new = sorted(hypotheses - self._known.keys())
        if len(self._known) + len(new) > REMEMBERED:
            self._known = {text: self._known[text] for text in hypotheses if text in self._known}
        for text, parse in zip(new, self._parser.parse(new), strict=True):
            found = extract(parse)
            graph = statement_graph(parse, found, self.settings.structure, rest=self.settings.rest)
            self._known[text] = parse, graph

    def _texts(self, pair: Pair) -> tuple[list[str], list[str]]:
        """The words of the premise and of the hypothesis, at most `tokens` of each."""
        parse, _ = self._known[pair.hypothesis]
        return self._vocabulary.tokens(pair.premise)[: self.settings.tokens], self._words(parse)[0]

    def _graph(self, pair: Pair, premise: Sequence[str], words: Sequence[str]) -> Graph:
        parse, graph = self._known[pair.hypothesis]
        _, of_token = self._words(parse)
        members: list[tuple[int, int]] = []
        names: dict[int, int] = {}
        for number, node in enumerate(graph.nodes):
            own = [place for token in node.tokens for place in of_token[token]]
            if own:
                names[number] = len(names)
                members += [(names[number], place) for place in own]
        edges = [
            (names[edge.source], label_number(edge.label), names[edge.target])
            for edge in graph.edges
            if edge.source in names and edge.target in names
        ]
        same = self._same(words, premise)
        return Graph(
            self._vocabulary.ids(premise),
            self._vocabulary.ids(words),
            np.array(members, np.int64).reshape(-1, 2).T,
            np.array(edges, np.int64).reshape(-1, 3).T,
            self._matches(same, members, len(names)),
            same,
        )

    def _words(self, parse: Parse) -> tuple[list[str], list[list[int]]]:
        """The hypothesis's words, at most `tokens`, and for each token of the parse their places."""
        words: list[str] = []
        of_token: list[list[int]] = []
        for token in parse.tokens:
            own = self._vocabulary.tokens(token.text)[: self.settings.tokens - len(words)]
            of_token.append(list(range(len(words), len(words) + len(own))))
            words += own
        return words, of_token

    def _same(self, words: Sequence[str], premise: Sequence[str]) -> Same:
        """Which words of the hypothesis and the premise have the same stem; none where no setting asks."""
        if not (self.settings.match or self.settings.align_stems) or not words or not premise:
            return np.zeros((len(words), len(premise)), np.bool_)
        ours, theirs = (np.array([self._stems.term(word) for word in text]) for text in (words, premise))
        same: Same = ours[:, None] == theirs[None, :]
        return same

    def _matches(
        self, same: Same, members: Sequence[tuple[int, int]], nodes: int
    ) -> np.ndarray[Any, np.dtype[np.float32]]:
        if not (self.settings.match and members):
            return np.zeros(nodes, np.float32)
        node, word = np.array(members).T
        stand = same.max(1, initial=False)
        return (np.bincount(node, stand[word]) / np.bincount(node)).astype(np.float32)

    def ignored(self, prepared: Graph) -> bool:
        """Whether the hypothesis has no structure (ARC's DGEM-OpenIE ignores those without an extraction)."""
        return prepared.nodes == 0

    def cost(self, prepared: Graph) -> int:
        """Words of both texts, and edges."""
        return len(prepared.premise) + len(prepared.hypothesis) + prepared.edges.shape[1]

    def scores(self, batch: Sequence[Graph]) -> list[torch.Tensor]:
        """One float32 tensor a pair: neutral, entails; NOTHING for a hypothesis without structure."""
        whole = [graph for graph in batch if not self.ignored(graph)]
        found = iter(self.network(whole).float().unbind() if whole else ())
        device = next(self.network.parameters()).device
        nothing = torch.tensor(NOTHING, device=device)
        return [nothing if self.ignored(graph) else next(found) for graph in batch]


def _named(what: Any) -> str:
    """A parser in a few words; how many labels there are."""
    if isinstance(what, dict):
        return " ".join(str(what.get(name)) for name in ("name", "version", "weights"))
    return f"{len(what)} labels" if isinstance(what, list) else "none"
