"""What a solver declares and reads its settings with (see `assay.settings`), and its corpora by name."""

from __future__ import annotations

from collections.abc import Mapping

from assay.corpus.model import Corpus
from assay.errors import AssayError
from assay.settings import REQUIRED, Declared, declared_settings, read_settings, setting, shown

__all__ = ["REQUIRED", "Declared", "declared_settings", "named_corpus", "read_settings", "setting"]


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
