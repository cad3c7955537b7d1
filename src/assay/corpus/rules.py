"""Named rules: how sentences are cleaned, and when two count as the same."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import compress
from operator import ne

from assay.errors import AssayError

CLEANING_RULES = {
    "replace-invalid": "bytes that aren't UTF-8 and lone surrogates become U+FFFD (else they are an error)",
    "drop-faulty": "lines that can't be read (wrong columns, no JSON, no text) go (else they are an error)",
    "strip-control": "control characters and byte-order marks go; those that part words become a space",
    "collapse-space": "runs of white space become one space, none at the ends",
    "drop-empty": "sentences without a character are left out",
    "max-length": "max-length=N: sentences of more than N characters are left out",
    "min-length": "min-length=N: sentences of fewer than N characters are left out",
}
DEFAULT_CLEANING = ("strip-control", "collapse-space", "drop-empty")
WITH_LIMIT = {"max-length", "min-length"}
READING_RULES = {"replace-invalid", "drop-faulty"}

DEDUPE_RULES = {
    "exact": "the same characters after cleaning",
    "casefold-space": "the same after case folding, white space counted as one space",
    "alphanumeric": "the same letters and digits after NFKC and case folding",
    "none": "every sentence is kept",
}

DUPLICATES = "duplicates"
"""What the de-duplication rule's count goes by in a manifest."""

CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ufeff]")
PARTING = re.compile("[\t\v\f\r\x1c-\x1f\x85]")
REMOVED = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ufeff]")
NOT_ALPHANUMERIC = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Cleaning:
    """Cleaning rules in the order they are applied, each a name of CLEANING_RULES, with `=N` for a limit."""

    rules: tuple[str, ...] = DEFAULT_CLEANING

    def __post_init__(self) -> None:
        """Raises AssayError for an unknown rule, a rule that stands twice or a limit that is no number."""
        names = [rule.partition("=")[0] for rule in self.rules]
        for rule, name in zip(self.rules, names, strict=True):
            if name not in CLEANING_RULES:
                raise AssayError(
                    f"no cleaning rule called {rule!r}", hint=f"one of {', '.join(CLEANING_RULES)}"
                )
            limit = rule.partition("=")[2]
            if name in WITH_LIMIT and not (limit.isascii() and limit.isdigit() and int(limit) > 0):
                raise AssayError(
                    f"cleaning rule {name} needs a number above 0. Got {rule!r}",
                    hint=f"for example {name}=300",
                )
            if name not in WITH_LIMIT and "=" in rule:
                raise AssayError(f"cleaning rule {name} takes no number. Got {rule!r}")
            if names.count(name) > 1:
                raise AssayError(f"cleaning rule {name} stands twice")

    def __contains__(self, rule: str) -> bool:
        return rule in self.rules

    def apply(self, texts: list[str], counts: Counter[str]) -> tuple[list[str], list[bool] | None]:
        """The cleaned texts that stay, and which of `texts` they are (None: all).

        `counts` gains, under each rule, how many sentences it changed or dropped.
        """
        kept: list[bool] | None = None
        for rule in self.rules:
            name, _, limit = rule.partition("=")
            if name in CHANGES:
                changed = CHANGES[name](texts)
                counts[rule] += sum(map(ne, changed, texts))
                texts = changed
            elif name not in READING_RULES:
                stay = _stay(name, int(limit or 0), texts)
                if not all(stay):
                    counts[rule] += stay.count(False)
                    texts = list(compress(texts, stay))
                    kept = stay if kept is None else _narrow(kept, stay)
        return texts, kept


def with_defaults(rules: Sequence[str]) -> tuple[str, ...]:
    """DEFAULT_CLEANING and then `rules`; these alone where "none" is among them."""
    first = () if "none" in rules else DEFAULT_CLEANING
    return (*first, *(rule for rule in rules if rule != "none" and rule not in first))


def _stay(name: str, limit: int, texts: Sequence[str]) -> list[bool]:
    if name == "drop-empty":
        return list(map(bool, texts))
    if name == "max-length":
        return [len(text) <= limit for text in texts]
    return [len(text) >= limit for text in texts]


def _narrow(kept: list[bool], stay: Sequence[bool]) -> list[bool]:
    answers = iter(stay)
    return [was and next(answers) for was in kept]


def _strip_control(texts: list[str]) -> list[str]:
    joined = "\n".join(texts)
    if joined.count("\n") != max(len(texts) - 1, 0):
        joined = "\n".join([text.replace("\n", " ") for text in texts])
    elif CONTROL.search(joined) is None:
        return texts
    return REMOVED.sub("", PARTING.sub(" ", joined)).split("\n") if texts else []


def _collapse_space(texts: list[str]) -> list[str]:
    return [" ".join(text.split()) for text in texts]


CHANGES: dict[str, Callable[[list[str]], list[str]]] = {
    "strip-control": _strip_control,
    "collapse-space": _collapse_space,
}


def check_dedupe(rule: str) -> str:
    """The rule itself; raises AssayError when there is none of that name."""
    if rule not in DEDUPE_RULES:
        raise AssayError(f"no de-duplication rule called {rule!r}", hint=f"one of {', '.join(DEDUPE_RULES)}")
    return rule


def dedupe_keys(rule: str, texts: Sequence[str], encoded: Sequence[bytes]) -> bytes:
    """16 bytes a sentence, end to end: equal for sentences that the rule counts as the same.

    BLAKE2b of 128 bits: the chance that any two different ones of n sentences meet is below n^2 / 2^129
    (14 million: 3e-25).
    """
    if rule == "casefold-space":
        encoded = [" ".join(text.casefold().split()).encode("utf-8") for text in texts]
    elif rule == "alphanumeric":
        # A sentence of symbols alone has no key of its own; the sentence itself stands for it.
        encoded = [
            _alphanumeric(text).encode("utf-8") or whole for text, whole in zip(texts, encoded, strict=True)
        ]
    return b"".join([blake2b(item, digest_size=16).digest() for item in encoded])


def _alphanumeric(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return NOT_ALPHANUMERIC.sub("", text.casefold())
