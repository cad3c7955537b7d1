"""`assay run`: from benchmark.toml to the report, doing only what has changed since the last run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from assay import __version__
from assay.corpus import Corpus
from assay.errors import AssayError
from assay.experiments import Experiment
from assay.pipeline.answering import Answered, answer_all, answers_key
from assay.pipeline.configuration import Configuration
from assay.pipeline.evidence import make_evidence
from assay.pipeline.experiments.context import Unfinished
from assay.pipeline.experiments.step import Step
from assay.pipeline.finished_run import Run
from assay.pipeline.inputs import Questions, corpus_notes, load_corpora, load_questions
from assay.pipeline.partitioning import make_partition, placement_lines, write_sets
from assay.pipeline.report_data import report_data
from assay.pipeline.results import check_scores, make_results, results_record
from assay.pipeline.run_log import ANSWERS, RunLog
from assay.pipeline.systems import System, build_systems, settings_record
from assay.progress import SILENT, Progress
from assay.questions.model import Answer, QuestionSet
from assay.report import stored
from assay.report.data import ReportData, read_report_data, write_report_data
from assay.report.page import write_report
from assay.storage import only_writer, remove_half_written, sha256_of, to_json, write_json, write_text

RESULTS = ("scores.json", "report.json", "report.html")
PARTITION = ("partition.jsonl", "sets/Easy.jsonl", "sets/Challenge.jsonl")


@dataclass(frozen=True)
class RunDone:
    """What a run left behind: its folder, the report to open, what it shows (`data`, less the questions
    themselves), what each step made and reused, and notes on the inputs."""

    folder: Path
    report: Path
    data: ReportData
    steps: tuple[Mapping[str, object], ...]
    notes: tuple[str, ...]


def run(
    configuration: Configuration, folder: str | Path, *, command: str, progress: Progress = SILENT
) -> RunDone:
    """Make the run folder, or bring it up to date, and return what is in it.

    A run killed anywhere goes on where it stood, to the same bytes; log.jsonl alone differs. `command` is
    printed at the end of the report. Raises AssayError for anything a user can mend; another process in the
    same folder is such a thing.
    """
    folder = Path(folder)
    with only_writer(folder):
        for inner in ("answers", "evidence", "experiments", "experiments/*", "sets"):
            for left in folder.glob(inner):
                remove_half_written(left)
        log = RunLog(folder / "log.jsonl")
        return _Runner(configuration, folder, command, progress, log).run()


@dataclass(frozen=True)
class _Runner:
    configuration: Configuration
    folder: Path
    command: str
    progress: Progress
    log: RunLog

    def run(self) -> RunDone:
        with self.log.step("questions") as said:
            loaded = load_questions(self.configuration)
            check_scores(self.configuration, loaded.questions, loaded.types)
            said["questions"] = len(loaded.questions)
        with self.log.step("corpora") as said:
            corpora = load_corpora(self.configuration, self.folder / "corpora", progress=self.progress)
            said.update({name: len(corpus) for name, corpus in corpora.items()})
        noted = corpus_notes(self.configuration, self.folder / "corpora")
        loaded = replace(loaded, notes=(*loaded.notes, *noted, *self._unread))
        evidence = {name: self._evidence(name, loaded.questions, corpora) for name in self._read_by_solvers}
        systems = build_systems(self.configuration, loaded.questions, corpora, evidence)
        resolved = self.resolved(loaded.questions, corpora, systems)
        write_text(self.folder / "configuration.json", resolved)
        experiments = Step(
            self.configuration,
            loaded.questions,
            corpora,
            systems,
            {},
            evidence,
            self.ask,
            self.folder / "experiments",
            self.progress,
        )
        experiments.check()
        asked = {name: self._answered(system, name) for name, system in systems.items()}
        answers = {name: found.answers for name, found in asked.items() if found.whole}
        loaded = replace(loaded, notes=(*loaded.notes, *self._unfinished(systems, asked)))
        experiments = replace(experiments, answers=answers)
        made, unmade = self._experiments(experiments)
        loaded = replace(loaded, notes=(*loaded.notes, *unmade))
        # Which systems are whole decides the results as the configuration does, and so do the types that a
        # taxonomy has and no question.
        decides = "\n".join(
            [__version__, self.command, resolved, *answers, to_json(loaded.types), *map(stored.encode, made)]
        )
        key = hashlib.sha256(decides.encode()).hexdigest()
        with self.log.step("results") as said:
            said["reused"] = self._is_made(key)
            if not said["reused"]:
                whole = {name: systems[name] for name in answers}
                self._make_results(loaded, corpora, whole, answers, resolved, made)
                write_text(self.folder / "results.key", self._results_key(key))
        report = self.folder / "report.html"
        data = read_report_data(self.folder / "report.json", questions=False)
        return RunDone(self.folder, report, data, tuple(self.log.steps), loaded.notes)

    @property
    def _read_by_solvers(self) -> list[str]:
        """Which of [evidence] some solver reads; what none does isn't retrieved."""
        asked = [solver.settings.get("evidence") for solver in self.configuration.solvers.values()]
        return [name for name in self.configuration.evidence if name in asked]

    @property
    def _unread(self) -> list[str]:
        """What is to be said of tables of [evidence] that neither a solver nor an experiment names."""
        named = [
            one
            for experiment in self.configuration.experiments.values()
            for value in experiment.settings.values()
            for one in (value if isinstance(value, list) else [value])
        ]
        read = (*self._read_by_solvers, *named)
        return [
            f"evidence.{name}: nobody reads it, so that it isn't retrieved."
            for name in self.configuration.evidence
            if name not in read
        ]

    def _evidence(self, name: str, questions: QuestionSet, corpora: Mapping[str, Corpus]) -> Path:
        path = self.folder / "evidence" / f"{name}.jsonl"
        settings = self.configuration.evidence[name]
        with self.log.step(f"evidence {name}") as said:
            found = make_evidence(name, settings, questions, corpora, path, progress=self.progress)
            said.update(questions=len(found.answers), reused=found.reused)
        return path

    def _experiments(self, experiments: Step) -> tuple[list[Experiment], list[str]]:
        """Those that can be made, and what is to be said of those that can't yet."""
        found, unmade = [], []
        for name in self.configuration.experiments:
            try:
                with self.log.step(f"experiment {name}") as said:
                    made = experiments.make(name)
                    said["reused"] = made.reused
            except Unfinished as error:
                unmade.append(f"{error.faults[0].what}. Run again: it goes on from there.")
            else:
                found.append(made.experiment)
        return found, unmade

    def ask(self, system: System, stored: str) -> Sequence[Answer]:
        """A system's answers to all questions, kept in answers/<stored>.jsonl, however long they take."""
        return self._answered(system, stored, bounded=False).answers

    def _answered(self, system: System, stored: str, *, bounded: bool = True) -> Answered:
        path = self.folder / "answers" / f"{stored}.jsonl"
        minutes = self.configuration.solvers[system.name].minutes if bounded else None
        with self.log.step(ANSWERS + stored) as said:
            found = answer_all(system.solver, system.questions, path, progress=self.progress, minutes=minutes)
            said.update(questions=len(found.answers), reused=found.reused)
        return found

    def _unfinished(self, systems: Mapping[str, System], asked: Mapping[str, Answered]) -> list[str]:
        """What is to be said of systems whose time was up. Raises AssayError where one is a filter."""
        said = []
        for name, found in asked.items():
            if found.whole:
                continue
            minutes = self.configuration.solvers[name].minutes
            what = (
                f"{name}: {len(found.answers):,} of {len(systems[name].questions):,} questions answered when "
                f"its {minutes:g} minutes were up"
            )
            if name in self.configuration.partition.filters:
                raise AssayError(
                    f"{what}, and no partition can be made without this filter",
                    hint="run again: it goes on from there; or give it more minutes",
                )
            said.append(f"{what}; it is left out of the results. Run again: it goes on from there.")
        return said

    def resolved(
        self, questions: QuestionSet, corpora: Mapping[str, Corpus], systems: Mapping[str, System]
    ) -> str:
        """The configuration with every constant and the fingerprints of all inputs, as JSON."""
        settings = asdict(self.configuration)
        del settings["base"], settings["corpora"], settings["solvers"]
        record: dict[str, Any] = {
            "assay": __version__,
            **settings,
            "questions_fingerprint": questions.fingerprint,
            "corpora": {
                name: {
                    **asdict(self.configuration.corpora[name]),
                    "fingerprint": corpus.fingerprint,
                    "analyser": dict(corpus.analyser.settings),
                    "sentences": len(corpus),
                }
                for name, corpus in corpora.items()
            },
            "solvers": {
                name: {
                    **settings_record(system),
                    "only": dict(self.configuration.solvers[name].only),
                    "reported": dict(self.configuration.solvers[name].reported),
                    "answers_key": answers_key(system.solver, system.questions),
                }
                for name, system in systems.items()
            },
        }
        # Through json, so that whatever a solver calls a setting is plain JSON here.
        return to_json(json.loads(json.dumps(record, default=str)), indent=2) + "\n"

    def _is_made(self, key: str) -> bool:
        path = self.folder / "results.key"
        wanted = (*RESULTS, *PARTITION) if self.configuration.partition.filters else RESULTS
        if not path.is_file() or not all((self.folder / name).is_file() for name in wanted):
            return False
        return path.read_bytes() == self._results_key(key).encode()

    def _results_key(self, key: str) -> str:
        """What the results were made under, and a digest of each: one damaged since is made anew."""
        lines = [key]
        for name in (*RESULTS, *PARTITION):
            path = self.folder / name
            if path.is_file():
                lines.append(f"{sha256_of(path)}  {name}")
        return "".join(f"{line}\n" for line in lines)

    def _make_results(
        self,
        loaded: Questions,
        corpora: Mapping[str, Corpus],
        systems: Mapping[str, System],
        answers: Mapping[str, Sequence[Answer]],
        resolved: str,
        experiments: Sequence[Experiment],
    ) -> None:
        (self.folder / "results.key").unlink(missing_ok=True)
        partitioned = make_partition(
            self.configuration, loaded.questions, corpora, systems, answers, self.ask
        )
        if partitioned is None:
            for name in PARTITION:
                (self.folder / name).unlink(missing_ok=True)
        else:
            lines = placement_lines(partitioned)
            write_text(self.folder / "partition.jsonl", "".join(f"{line}\n" for line in lines))
            write_sets(partitioned.partition, self.folder / "sets")
        notes = (*loaded.notes, *(note for system in systems.values() for note in system.notes))
        results = make_results(
            self.configuration, loaded.questions, systems, answers, partitioned, loaded.types
        )
        write_json(self.folder / "scores.json", results_record(results, partitioned, experiments))
        data = report_data(
            Run(
                self.configuration, self.command, resolved, loaded.questions, corpora, systems, answers,
                partitioned, results, notes, tuple(experiments),
            )
        )  # fmt: skip
        write_report_data(data, self.folder / "report.json")
        write_report(data, self.folder / "report.html")
