"""What an experiment has to work with: questions, systems and their answers, and ways to ask them again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from assay.construction.partition import SETS, published_set
from assay.corpus import Corpus
from assay.errors import AssayError
from assay.experiments import Experiment
from assay.pipeline.configuration import Configuration
from assay.pipeline.systems import System, build_system, by_question
from assay.progress import SILENT, Progress
from assay.questions.answers import answer_to_json
from assay.questions.model import Answer, Question, QuestionSet
from assay.storage import write_text

Ask = Callable[[System, str], Sequence[Answer]]
"""Answers of a system, kept under a name of its own so that they are made once."""


class Unfinished(AssayError):
    """An experiment that can't be made yet: the time of those it would ask was up. Running again goes on."""


@dataclass(frozen=True)
class Group:
    """A set of questions that figures are given for: Easy, Challenge, All."""

    name: str
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Context:
    """An experiment's surroundings. `questions` have a key and are those that its `only` names.

    `answers`: of every system that answered all of its questions, by name, then by question id. `evidence`:
    the files of [evidence], by name. `folder`: for files of its own, there already.
    """

    name: str
    configuration: Configuration
    questions: QuestionSet
    corpora: Mapping[str, Corpus]
    systems: Mapping[str, System]
    answers: Mapping[str, Mapping[str, Answer]]
    evidence: Mapping[str, Path]
    ask: Ask
    folder: Path
    progress: Progress = SILENT

    @property
    def where(self) -> str:
        """How an error names the experiment: its table in benchmark.toml."""
        return f"experiments.{self.name}"

    @property
    def cluster(self) -> str | None:
        """The column that intervals are clustered by ([scores] cluster)."""
        return self.configuration.scores.cluster

    @property
    def seed(self) -> int:
        return self.configuration.seed

    def chosen(self, named: Sequence[str] | None, setting: str, what: str) -> tuple[str, ...]:
        """The systems that an experiment asks: those named, else all that have `setting`, in their order.

        `what` says what such systems are. Raises AssayError for one that hasn't the setting or wasn't asked
        all of the questions, and where none is left.
        """
        return self.chosen_of(named, self.with_setting(setting), what, f"give one the setting {setting}")

    def chosen_of(
        self,
        named: Sequence[str] | None,
        able: Sequence[str],
        what: str,
        hint: str,
        setting: str = "solvers",
    ) -> tuple[str, ...]:
        """As `chosen`, of the systems that are `able`; `hint` is what to do where none is.

        `setting` is the experiment's that holds the names. Raises Unfinished where those who would be asked
        haven't answered all of their own questions.
        """
        for name in named or ():
            if name not in able:
                raise AssayError(
                    f"{self.where}.{setting} names {name!r}, which isn't {what}",
                    hint=f"those that are: {', '.join(able) or 'none'}",
                )
        if not able:
            raise AssayError(f"{self.where}: no solver is {what}", hint=hint)
        whole = [name for name in (named or able) if self._is_whole(name)]
        if not whole:
            missing = ", ".join(named or able)
            if not any(name in self.answers for name in named or able):
                raise Unfinished(f"{self.where} isn't made: of its solvers none is finished ({missing})")
            raise AssayError(
                f"{self.where}: no solver that is {what} was asked all {len(self.questions):,} questions",
                hint=f"asked some of them alone: {missing}; `only` narrows an experiment likewise",
            )
        return tuple(whole)

    def with_setting(self, setting: str) -> list[str]:
        """The solvers that are given the setting in benchmark.toml, in their order."""
        return [name for name, one in self.configuration.solvers.items() if setting in one.settings]

    def left_out(self, named: Sequence[str] | None, chosen: Sequence[str], setting: str) -> tuple[str, ...]:
        """What is to be said of systems that would be asked but weren't asked all of the questions."""
        return self.not_whole(named or self.with_setting(setting), chosen)

    def not_whole(self, wanted: Sequence[str], chosen: Sequence[str]) -> tuple[str, ...]:
        """As `left_out`, of the systems that are `wanted`."""
        missing = [name for name in wanted if name not in chosen]
        return tuple(f"{name} isn't shown: it wasn't asked all of these questions." for name in missing)

    def _is_whole(self, name: str) -> bool:
        known = self.answers.get(name, {})
        return all(question.id in known for question in self.questions)

    def own(self, name: str, questions: Iterable[Question]) -> list[Answer]:
        """A system's answers in the run itself."""
        return [self.answers[name][question.id] for question in questions]

    def again(
        self,
        name: str,
        condition: str,
        questions: QuestionSet,
        *,
        changed: Mapping[str, Any] | None = None,
        without: Sequence[str] = (),
        corpora: Mapping[str, Corpus] | None = None,
    ) -> list[Answer]:
        """A system's answers with settings `changed` and `without` some, or over other `corpora`.

        They are kept as answers/NAME@EXPERIMENT-CONDITION.jsonl, but that where nothing differs from what
        decided the answers of the run itself, those are taken. Raises AssayError as building the solver does.
        """
        settings = self.configuration.solvers[name]
        given = {key: value for key, value in settings.settings.items() if key not in without}
        varied = replace(settings, settings={**given, **(changed or {})}, only={})
        system = build_system(
            name, varied, self.configuration, questions, corpora or self.corpora, self.evidence
        )
        if name in self.answers and system.solver.settings == self.systems[name].solver.settings:
            return self.own(name, questions)
        found = by_question(self.ask(system, f"{name}@{self.name}-{condition}"))
        return [found[question.id] for question in questions]

    def evidence_file(
        self, condition: str, questions: Iterable[Question], evidence: Iterable[Answer]
    ) -> Path:
        """Evidence written to a file of the experiment, for solvers to read; the path from here, absolute."""
        path = (self.folder / f"{condition}.jsonl").resolve()
        write_text(
            path, "".join(f"{answer_to_json(*pair)}\n" for pair in zip(questions, evidence, strict=True))
        )
        return path

    def groups(self, questions: Sequence[Question]) -> tuple[Group, ...]:
        """Easy and Challenge, where the questions carry published sets, and all of them."""
        published = self.configuration.questions.published
        found = [
            Group(name, tuple(q for q in questions if published_set(q, published) == name)) for name in SETS
        ]
        return (*(group for group in found if group.questions), Group("All", tuple(questions)))


class Kind(Protocol):
    """A kind of experiment: declared settings, and what makes it.

    `declared`: a dataclass of settings. `paths`: those of them that name files, relative to benchmark.toml.
    `about`: a line that says what it shows. `needs_facts`: there is nothing to do without gold facts.
    """

    name: str
    about: str
    declared: type[Any]
    paths: tuple[str, ...]
    needs_facts: bool

    def make(self, context: Context, settings: Any) -> Experiment:
        """Do it. Raises AssayError for anything a user can mend."""
        ...
