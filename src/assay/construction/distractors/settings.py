"""Every constant by which distractors are found and chosen (Khot et al. 2020, section 6, appendix C)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from assay.settings import read_settings, setting
from assay.text.analysis import Analyser
from assay.text.stopwords import DEFAULT

Author = Literal["all", "hard", "none"]
AUTHOR: tuple[Author, ...] = get_args(Author)
Chance = Literal["pool", "any"]
CHANCE: tuple[Chance, ...] = get_args(Chance)


@dataclass(frozen=True)
class DistractorSettings:
    """The pool, what is easy, and which candidates are taken."""

    ways: int = setting(8, "choices a question in the end, the key among them", minimum=2)
    author: str = setting(
        "all",
        "which of the author's distractors stay: all, hard (those that aren't easy), none",
        one_of=AUTHOR,
    )
    similarity: str = setting(
        "facts", "what tells how alike two questions are: their source facts, or question and answer (text)",
        one_of=("facts", "text"),
    )  # fmt: skip
    overlap: str = setting(
        "stems", "distinct content stems shared (stems), or the sum of their squared idf (tf-idf)",
        one_of=("stems", "tf-idf"),
    )  # fmt: skip
    language: str = setting("english", "Snowball stemmer of the facts and answers; none: no stemming")
    stop_words: str = setting(DEFAULT, "stop list of the facts and answers: a name or a file")
    dissimilar: int | None = setting(
        300, "so many most dissimilar questions of the fold offer their answers; none: all of it", minimum=1
    )
    pool: int = setting(30, "candidates a question, drawn from what fits", minimum=1)
    tokens: int | None = setting(
        2, "most tokens that a candidate may be longer or shorter than the key; none: any", minimum=0
    )
    characters: float | None = setting(
        0.5, "most characters, as a share of the key's, that a candidate may be longer or shorter; none: any",
        minimum=0,
    )  # fmt: skip
    window: str = setting(
        "key",
        "limits are measured from the key, or from a length drawn so that the key is anywhere within them",
        one_of=("key", "drawn"),
    )
    same_stems: bool = setting(True, "a candidate with the same content stems as another text is equal to it")
    easy: float = setting(
        3.0, "a candidate that every adversary scores so many spreads below the key is easy, and dropped",
        minimum=0,
    )  # fmt: skip
    uses: int | None = setting(
        None, "most questions of the fold that one answer is added to, as long as others are left; none: any",
        minimum=1,
    )  # fmt: skip
    seed: int = setting(0, "seed of the draw, of what ties, and of the order of the choices", minimum=0)

    @property
    def analyser(self) -> Analyser:
        """What cuts facts and answers into stems. Raises AssayError for an unknown language or list."""
        return Analyser(self.language, self.stop_words)


def distractor_settings(given: Mapping[str, Any]) -> DistractorSettings:
    """Settings from options; the text "none" is no limit. Raises AssayError for one that is wrong."""
    limits = {"dissimilar", "tokens", "characters", "uses"}
    values = {name: None if name in limits and value == "none" else value for name, value in given.items()}
    return read_settings(DistractorSettings, values, "distractors")


def without_rules(settings: DistractorSettings) -> DistractorSettings:
    """As they are, but any answer of the fold that is told apart from the choices is a candidate."""
    return replace(settings, dissimilar=None, tokens=None, characters=None)
