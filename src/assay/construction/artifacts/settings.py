"""What decides the figures of artifacts."""

from __future__ import annotations

from dataclasses import dataclass

from assay.settings import setting


@dataclass(frozen=True, slots=True)
class ArtifactSettings:
    """How shortcuts read, and how probes are trained."""

    language: str = setting("english", "the stemmer and stop list of rules that compare words")
    folds: int = setting(
        5, "folds that probes are trained and judged by; 0: no probes", minimum=0, maximum=50
    )
    seed: int = setting(0, "seed of the folds, and of draws", minimum=0)
