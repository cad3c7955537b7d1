"""Ways to retrieve evidence by name: those of the `Retriever`, and premises; their settings and presets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.corpus.model import Corpus
from assay.errors import AssayError
from assay.evidence.premises import PREMISE_PRESETS, Premises, PremiseSettings
from assay.evidence.retrieval import PRESETS, RetrievalSettings
from assay.evidence.retriever import Retriever, settings_of
from assay.settings import read_settings


def retrieval_settings(
    method: str, given: Mapping[str, Any], *, preset: str = "paper", rerank: bool = False
) -> RetrievalSettings | PremiseSettings:
    """The method's settings: those of its preset, with `given` in place of some.

    Raises AssayError for an unknown method, preset or setting, or one out of range.
    """
    premises = method == Premises.name
    if premises and rerank:
        raise AssayError("premises aren't judged by vectors: leave --rerank away")
    presets = PREMISE_PRESETS if premises else PRESETS
    if preset not in presets:
        raise AssayError(f"no preset {preset!r}", hint=f"one of {', '.join(presets)}")
    chosen = {**presets[preset], **given}
    if premises:
        return read_settings(PremiseSettings, chosen, "retrieval of premises")
    return read_settings(settings_of(method, rerank=rerank), chosen, "retrieval")


def open_retriever(
    method: str, corpus: Corpus, settings: RetrievalSettings | PremiseSettings, **vectors: Any
) -> Retriever | Premises:
    """The method over the corpus; `vectors` and `encoder` where it looks at vectors, as for `Retriever`.

    Raises AssayError as these do.
    """
    if isinstance(settings, PremiseSettings):
        return Premises(corpus, settings)
    return Retriever(method, corpus, settings, **vectors)
