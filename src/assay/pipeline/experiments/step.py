"""The experiments' step: each is made once, kept as JSON, and made anew when anything it rests on changes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from assay import __version__
from assay.corpus import Corpus
from assay.errors import AssayError
from assay.experiments import Experiment
from assay.pipeline.answering import answers_key
from assay.pipeline.configuration import Configuration, ExperimentSettings
from assay.pipeline.experiments.context import Ask, Context, Kind
from assay.pipeline.experiments.facts import read_gold
from assay.pipeline.experiments.kinds import kind_named
from assay.pipeline.experiments.named import check_named, keyed, listed
from assay.pipeline.systems import System, by_question, contaminated
from assay.progress import Progress
from assay.questions.model import Answer, QuestionSet
from assay.report import stored
from assay.report.experiments import plot_files
from assay.settings import read_settings
from assay.storage import sha256_of, write_text
from assay.text_files import read_text

MAY_NAME_FILES = ("values",)
"""Settings of experiments whose entries are values of other settings, which may name files."""


@dataclass(frozen=True)
class Made:
    """An experiment, and whether it was found made already."""

    experiment: Experiment
    reused: bool


@dataclass(frozen=True)
class Step:
    """Makes the experiments of a run into `folder`: NAME.json, plots NAME*.svg, NAME/ for files."""

    configuration: Configuration
    questions: QuestionSet
    corpora: Mapping[str, Corpus]
    systems: Mapping[str, System]
    answers: Mapping[str, Sequence[Answer]]
    evidence: Mapping[str, Path]
    ask: Ask
    folder: Path
    progress: Progress

    def check(self) -> None:
        """Raises AssayError for settings that can't be and facts that aren't there, before all is asked."""
        for name in self.configuration.experiments:
            kind, settings = self._read(name)
            check_named(self.configuration, name, kind, settings)
            asked = keyed(self.configuration, name, self.questions)
            wanted = kind.needs_facts or bool(getattr(settings, "facts", False))
            if wanted and not (self.folder / f"{name}.json").is_file():
                with _said_of(name):
                    read_gold(asked, settings.facts, settings.sentences, settings.roles)

    def make(self, name: str) -> Made:
        """One experiment. Raises AssayError for anything a user can mend."""
        kind, settings = self._read(name)
        path, key_path = self.folder / f"{name}.json", self.folder / f"{name}.key"
        key = self._key(kind, settings, self.configuration.experiments[name])
        kept = _kept(key, path, key_path)
        if kept is not None:
            self._write_plots(kept)
            return Made(kept, True)
        key_path.unlink(missing_ok=True)
        with _said_of(name):
            experiment = kind.make(self._context(name), settings)
        experiment = replace(experiment, notes=(*self._contaminated(experiment), *experiment.notes))
        self._write_plots(experiment)
        write_text(path, stored.encode(experiment) + "\n")
        write_text(key_path, _whole(key, path))
        return Made(experiment, False)

    def _write_plots(self, experiment: Experiment) -> None:
        """Those that aren't there as they are drawn: one that was lost or spoilt is drawn again."""
        for plotted, drawn in plot_files(experiment).items():
            path = self.folder / plotted
            if not path.is_file() or path.read_bytes() != drawn.encode(errors="backslashreplace"):
                write_text(path, drawn)

    def _read(self, name: str) -> tuple[Kind, Any]:
        given = self.configuration.experiments[name]
        where = f"experiments.{name}"
        kind = kind_named(given.kind, where)
        resolved = dict(given.settings)
        for setting in kind.paths:
            if setting in resolved:
                resolved[setting] = _resolved(self.configuration, setting, resolved[setting])
        return kind, read_settings(kind.declared, resolved, where)

    def _context(self, name: str) -> Context:
        asked = keyed(self.configuration, name, self.questions)
        own = self.folder / name
        own.mkdir(parents=True, exist_ok=True)
        answers = {system: by_question(found) for system, found in self.answers.items()}
        return Context(
            name, self.configuration, asked, self.corpora, self.systems, answers, self.evidence, self.ask,
            own, self.progress,
        )  # fmt: skip

    def _contaminated(self, experiment: Experiment) -> list[str]:
        """What is to be said of systems shown that read contaminated sources, one reason after another."""
        shown = {name for table in experiment.tables for row in table.rows for name in row.names}
        shown |= {measure.name for table in experiment.tables for measure in table.measures}
        names: dict[str, list[str]] = {}
        for name in self.answers:
            why = contaminated(self.configuration, name)
            if name in shown and why is not None:
                names.setdefault(why, []).append(name)
        return [f"{', '.join(own)}: contaminated, {why}." for why, own in names.items()]

    def _key(self, kind: Kind, settings: Any, given: ExperimentSettings) -> str:
        """SHA-256 of everything that decides the experiment, the order of corpora and systems included."""
        record = {
            "assay": __version__,
            "kind": kind.name,
            "settings": asdict(settings),
            "only": dict(given.only),
            "files": [_digests(file) for file in self._files(kind, settings)],
            "questions": self.questions.fingerprint,
            "published": self.configuration.questions.published,
            "corpora": [
                (name, corpus.fingerprint, self.configuration.corpora[name].contaminated)
                for name, corpus in self.corpora.items()
            ],
            "partition": asdict(self.configuration.partition),
            "evidence": {name: asdict(one) for name, one in self.configuration.evidence.items()},
            "systems": [
                (
                    name,
                    answers_key(self.systems[name].solver, self.systems[name].questions),
                    contaminated(self.configuration, name),
                )
                for name in self.answers
            ],
            "scores": asdict(self.configuration.scores),
            "seed": self.configuration.seed,
        }
        return hashlib.sha256(json.dumps(record, sort_keys=True, default=str).encode("ascii")).hexdigest()

    def _files(self, kind: Kind, settings: Any) -> list[Path]:
        """Files and folders that the settings may name, there or not."""
        named = [file for name in kind.paths for file in listed(getattr(settings, name))]
        named += [value for name in MAY_NAME_FILES for value in listed(getattr(settings, name, None))]
        texts = (one for one in named if isinstance(one, str) and one not in self.configuration.evidence)
        return [self.configuration.path(text) for text in texts]


@contextmanager
def _said_of(name: str) -> Iterator[None]:
    """An error within that doesn't say so itself says of which experiment it is."""
    where = f"experiments.{name}"
    try:
        yield
    except AssayError as error:
        first, *others = error.faults
        if others or where in first.what:
            raise
        raise AssayError(
            f"{where}: {first.what}",
            file=first.file,
            line=first.line,
            question_id=first.question_id,
            hint=error.hint,
        ) from None


def _resolved(configuration: Configuration, setting: str, value: Any) -> Any:
    if setting == "evidence" and value in configuration.evidence:
        return value
    if isinstance(value, str):
        return str(configuration.path(value))
    if isinstance(value, list):
        return [_resolved(configuration, setting, one) for one in value]
    return value


def _digests(path: Path) -> list[tuple[str, str]]:
    """SHA-256 of a file, or of each file below a folder, by name; empty where there is none."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return [(str(file.relative_to(path)), sha256_of(file)) for file in files if file.is_file()]


def _kept(key: str, path: Path, key_path: Path) -> Experiment | None:
    """The experiment made under this key; None where there is none, or none that can be read any more."""
    if not (path.is_file() and key_path.is_file() and key_path.read_bytes() == _whole(key, path).encode()):
        return None
    try:
        return stored.decode(Experiment, read_text(path), file=path)
    except AssayError:
        return None


def _whole(key: str, path: Path) -> str:
    """What the key file of a finished experiment holds."""
    return f"{key}\n{sha256_of(path)}\n"
