"""What a solver declares and reads its settings with (see `assay.settings`), and its corpora by name."""

from __future__ import annotations

from collections.abc import Mapping

from assay.corpus.model import Corpus
from assay.errors import AssayError
from assay.settings import REQUIRED, Declared, declared_settings, read_settings, setting, shown

__all__ = [
    "REQUIRED",
    "Declared",
    "declared_settings",
    "named_corpus",
    "read_settings",
    "searched_corpus",
    "setting",
]


def named_corpus(corpora: Mapping[str, Corpus], name: str | None, owner: str) -> Corpus:
    """The corpus called `name`; without a name, the only one there is. Raises AssayError otherwise."""
    if name is None and len(corpora) == 1:
        return next(iter(corpora.values()))
    if name is not None and name in corpora:
        return corpora[name]
    known = f"there are: {', '.join(corpora)}"
    none = "there is none yet: --corpus FOLDER gives one, in benchmark.toml [corpora.NAME]"
    what = f"{owner}: setting 'corpus' must be the name of a corpus. Got {shown(name)}."
    raise AssayError(what, hint=known if corpora else none)


def searched_corpus(
    corpora: Mapping[str, Corpus], name: str | None, evidence: str | None, owner: str
) -> Corpus | None:
    """The corpus of a solver that reads an evidence file or retrieves; None where it reads the file.

    None as well where it is given neither and there is no corpus. Raises AssayError where it is given both,
    and as `named_corpus`.
    """
    if evidence is not None and name is not None:
        raise AssayError(f"{owner}: what it reads is given twice: by `evidence`, and by `corpus`")
    if evidence is not None or (name is None and not corpora):
        return None
    return named_corpus(corpora, name, owner)
