"""Words by their base forms, so that "rocks" is found where "rock" stands: lemmas, or stems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache

from assay.errors import AssayError, MissingExtra
from assay.text.analysis import Analyser

DEFAULT = "lemma"
REMEMBERED = 1 << 16


def base_forms(how: str) -> Callable[[str], str]:
    """What makes a lower-case token its base form, by its name in BASES.

    Raises AssayError for an unknown one, or MissingExtra where its package isn't installed.
    """
    made = BASES.get(how)
    if made is None:
        raise AssayError(f"no base forms called {how!r}", hint=f"one of {', '.join(BASES)}")
    return made()


@cache
def _lemmas() -> Callable[[str], str]:
    """simplemma's English dictionary and rules: the lemma of a word by itself, without its sentence."""
    try:
        from simplemma import lemmatize
    except ImportError:
        raise MissingExtra("lemmas", "lemmas") from None

    @lru_cache(REMEMBERED)
    def lemma(token: str) -> str:
        return str(lemmatize(token, lang="en")).lower()

    return lemma


def _stems(language: str) -> Callable[[], Callable[[str], str]]:
    def made() -> Callable[[str], str]:
        return Analyser(language, "none").term

    return made


def _surface() -> Callable[[str], str]:
    return str


BASES: Mapping[str, Callable[[], Callable[[str], str]]] = {
    "lemma": _lemmas,
    "snowball": _stems("english"),
    "porter": _stems("porter"),
    "surface": _surface,
}
"""lemma: simplemma (extra 'lemmas'); snowball, porter: stems; surface: the word as it is."""
