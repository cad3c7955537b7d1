"""Princeton WordNet 3 from its own database files: senses of a word form, and what a sense is a kind of.

The files (index.noun, data.noun, noun.exc, ...) are those of wordnet(5WN), as the Debian package
wordnet-base lays them in /usr/share/wordnet. Nothing of them ships with Assay.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from assay.errors import AssayError
from assay.text_files import read_text

DEBIAN = "/usr/share/wordnet"
PARTS = ("noun", "verb", "adj", "adv")
ENDINGS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "noun": (
        ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
        ("ies", "y"),
    ),
    "verb": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip
"""How forms go back to base forms: morphy(7WN)."""
HYPERNYMS = ("@", "@i")


class WordNet:
    """Senses are numbers: the offset in the data file times 4, plus the part of speech's place in PARTS."""

    def __init__(self, folder: str | Path = DEBIAN) -> None:
        """Raises AssayError when the files aren't there or aren't WordNet's."""
        self._folder = Path(folder)
        if not (self._folder / "index.noun").is_file():
            raise AssayError(
                "no WordNet here: index.noun is missing",
                file=folder,
                hint="apt install wordnet-base, or name the folder of the database files",
            )
        self._index = {part: self._read_index(part) for part in PARTS}
        self._above: dict[int, tuple[int, ...]] = {}
        for number, part in enumerate(PARTS):
            self._read_data(part, number)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 (hex) over the files that are read."""
        digest = hashlib.sha256()
        for part in PARTS:
            for name in (f"index.{part}", f"data.{part}", f"{part}.exc"):
                digest.update((self._folder / name).read_bytes())
        return digest.hexdigest()

    def senses(self, word: str, most: int) -> tuple[int, ...]:
        """The first `most` senses, of each part of speech, of each base form of the word; commonest first."""
        found: dict[int, None] = {}
        for number, part in enumerate(PARTS):
            for base in self._bases(word, part):
                for offset in self._index[part].get(base, ())[:most]:
                    found[offset * len(PARTS) + number] = None
        return tuple(found)

    def hypernyms(self, sense: int) -> tuple[int, ...]:
        """The senses that this one is a kind (or an instance) of, one step up."""
        return self._above.get(sense, ())

    def _bases(self, word: str, part: str) -> list[str]:
        index, exceptions = self._index[part], self._exceptions[part]
        if word in exceptions:
            return [word, *exceptions[word]]
        forms = [word, *(word.removesuffix(end) + new for end, new in ENDINGS[part] if word.endswith(end))]
        return [form for form in dict.fromkeys(forms) if form in index]

    @cached_property
    def _exceptions(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        read = {}
        for part in PARTS:
            lines = self._lines(f"{part}.exc")
            read[part] = {form: tuple(bases) for form, *bases in (line.split() for line in lines if line)}
        return read

    def _read_index(self, part: str) -> dict[str, tuple[int, ...]]:
        index = {}
        for number, line in enumerate(self._lines(f"index.{part}"), 1):
            if not line or line.startswith(" "):
                continue
            fields = line.split()
            try:
                senses = int(fields[2])
                index[fields[0]] = tuple(int(offset) for offset in fields[len(fields) - senses :])
            except (IndexError, ValueError):
                raise self._odd(f"index.{part}", number) from None
        return index

    def _read_data(self, part: str, place: int) -> None:
        for number, line in enumerate(self._lines(f"data.{part}"), 1):
            if not line or line.startswith(" "):
                continue
            fields = line.partition(" |")[0].split(" ")
            try:
                start = 4 + 2 * int(fields[3], 16)
                pointers = [fields[start + 1 + 4 * i : start + 4 + 4 * i] for i in range(int(fields[start]))]
                above = tuple(
                    int(offset) * len(PARTS) + place for kind, offset, _ in pointers if kind in HYPERNYMS
                )
                if above:
                    self._above[int(fields[0]) * len(PARTS) + place] = above
            except (IndexError, ValueError):
                raise self._odd(f"data.{part}", number) from None

    def _lines(self, name: str) -> list[str]:
        return read_text(self._folder / name).split("\n")

    def _odd(self, name: str, line: int) -> AssayError:
        return AssayError("not a line of WordNet's database", file=self._folder / name, line=line)
