"""Evidence as deep as an experiment asks: retrieved anew with a larger k, or as a file has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assay.corpus import Corpus
from assay.errors import AssayError
from assay.evidence.depths import Choices
from assay.pipeline.evidence import make_evidence
from assay.pipeline.experiments.context import Context
from assay.pipeline.experiments.corpora import contamination
from assay.solvers.evidence_file import EvidenceFile


@dataclass(frozen=True)
class Deep:
    """Evidence by question id, choice by choice, best first; every question of the experiment has some entry.

    `corpus`: whose sentences, None where a file holds them. `contaminated`: what is to be said first where it
    may hold the answers; `notes`: what is to be said of the evidence.
    """

    name: str
    evidence: Mapping[str, Choices]
    corpus: Corpus | None
    contaminated: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def deep_evidence(context: Context, named: str | None, readers: Sequence[str], depth: int) -> Deep:
    """Evidence down to `depth`. `named`: of [evidence], or a file from here; None: what the readers read.

    Raises AssayError where the readers read several, and as retrieving or reading it does.
    """
    named = _read_by(context, readers) if named is None else named
    settings = context.configuration.evidence.get(named)
    if settings is None:
        return _of_file(context, named, depth)
    path = context.folder / "retrieved.jsonl"
    deeper = replace(settings, settings={**settings.settings, "k": depth})
    make_evidence(named, deeper, context.questions, context.corpora, path, progress=context.progress)
    corpus = settings.corpus if settings.corpus is not None else next(iter(context.corpora))
    return Deep(named, _evidence(context, path), context.corpora[corpus], contamination(context, corpus))


def _read_by(context: Context, readers: Sequence[str]) -> str:
    solvers = context.configuration.solvers
    read = dict.fromkeys(str(solvers[name].settings["evidence"]) for name in readers)
    if len(read) > 1:
        raise AssayError(
            f"{context.where}: its solvers read different evidence: {', '.join(read)}",
            hint="evidence = NAME says which is read by all of them here",
        )
    (named,) = read
    return named if named in context.configuration.evidence else str(context.configuration.path(named))


def _of_file(context: Context, named: str, depth: int) -> Deep:
    path = Path(named)
    if not path.is_file():
        known = ", ".join(context.configuration.evidence) or "none"
        raise AssayError(
            f"{context.where}.evidence names {named}, which is neither in [evidence] nor a file",
            hint=f"[evidence] holds: {known}",
        )
    found = _evidence(context, path)
    longest = max((len(own) for one in found.values() for own in one), default=0)
    notes = (
        f"{path.name} was made outside this run and can't be retrieved deeper: it is cut, and holds "
        f"{longest:,} sentences of a choice at most.",
    )
    return Deep(path.name, found, None, notes=notes if longest < depth else ())


def _evidence(context: Context, path: Path) -> dict[str, Choices]:
    file = EvidenceFile(path)
    file.lacking(context.questions, allowed=False)
    return {question.id: file[question].evidence or () for question in context.questions}
