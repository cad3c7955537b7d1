"""A parse as a tree: what each token governs. Nothing recurses: a chain may be thousands of words deep."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from assay.text.parsing import Parse, Token

FAR = 24
"""How far up a governor is looked for: in a list of thousands every word would climb to the first."""
VERBAL = frozenset({"VERB", "AUX"})


class Tree:
    """`children[i]`: the tokens directly governed by i, rising."""

    def __init__(self, parse: Parse) -> None:
        self.tokens = parse.tokens
        self.children: list[list[int]] = [[] for _ in parse.tokens]
        for index, token in enumerate(parse.tokens):
            if token.head != index:
                self.children[token.head].append(index)

    def __getitem__(self, index: int) -> Token:
        return self.tokens[index]

    def lower(self, index: int) -> str:
        """The word in lower case."""
        return self.tokens[index].text.lower()

    def below(self, index: int, *deps: str) -> list[int]:
        """What a token governs directly by one of these relations, rising."""
        return [child for child in self.children[index] if self.tokens[child].dep in deps]

    def first(self, index: int, *deps: str) -> int | None:
        """The first of `below`."""
        return next(iter(self.below(index, *deps)), None)

    def subtree(self, index: int, without: Collection[int] = ()) -> list[int]:
        """A token and all that it governs, rising, less what hangs from `without`."""
        found, waiting = [], [index]
        while waiting:
            at = waiting.pop()
            if at not in without:
                found.append(at)
                waiting.extend(self.children[at])
        return sorted(found)

    def conjuncts(self, index: int) -> list[int]:
        """A token and what is coordinated with it, in order."""
        found, waiting = [], [index]
        while waiting:
            at = waiting.pop()
            if at == index or self.tokens[at].pos not in ("PUNCT", "SYM"):
                found.append(at)
            waiting.extend(self.below(at, "conj"))
        return sorted(found)

    def above(self, index: int) -> Iterator[int]:
        """The token's governors, nearest first, up to FAR."""
        for _ in range(FAR):
            if self.tokens[index].head == index:
                return
            index = self.tokens[index].head
            yield index

    def infinitive(self, verb: int) -> bool:
        """It has "to" before it."""
        return any(self.tokens[child].tag == "TO" for child in self.below(verb, "aux"))

    def verbal(self, index: int) -> bool:
        """A verb, by its part of speech."""
        return self.tokens[index].pos in VERBAL
