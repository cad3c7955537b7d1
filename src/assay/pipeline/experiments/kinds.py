"""The kinds of experiments by name; a new one is a file beside this and a line here."""

from __future__ import annotations

from collections.abc import Mapping

from assay.errors import AssayError
from assay.pipeline.experiments.closed_book import ClosedBook
from assay.pipeline.experiments.context import Kind
from assay.pipeline.experiments.corpus import CorpusDiagnosis
from assay.pipeline.experiments.depth import Depth
from assay.pipeline.experiments.oracle import Oracle
from assay.pipeline.experiments.sources import Sources
from assay.pipeline.experiments.variants import Variants

KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Oracle(),
        Depth(),
        ClosedBook(),
        Variants(),
        Sources(),
        CorpusDiagnosis(),
    )
}


def kind_named(name: str, where: str) -> Kind:
    """The kind; raises AssayError, listing them, for an unknown one. `where` names its table."""
    if name not in KINDS:
        raise AssayError(f"{where}.kind: no experiment {name!r}", hint=f"there are: {', '.join(KINDS)}")
    return KINDS[name]
