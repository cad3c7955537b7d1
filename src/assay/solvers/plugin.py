"""A solver from a user's own file: its source is part of its settings, and what it says is checked."""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import sys
import traceback
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

from assay.corpus.model import Corpus
from assay.errors import AssayError
from assay.questions.answers import answer_from_json, answer_to_json
from assay.questions.model import Answer, Question
from assay.storage import to_json


def build_plugin(
    path: str, attribute: str, name: str, settings: Mapping[str, Any], corpora: Mapping[str, Corpus]
) -> Plugin:
    """The solver that class `attribute` of the file at `path` makes.

    The class is called as `attribute.build(name, settings, corpora)` where it has `build`, else with the
    settings as keywords. Modules beside the file may be imported at its top.
    Raises AssayError, with the file's line, for whatever goes wrong in it.
    """
    sources = _sources(Path(path))
    module = _load(Path(path), sources)
    made = getattr(module, attribute, None)
    if made is None:
        raise AssayError(f"has no {attribute}", file=path)
    try:
        with redirect_stdout(sys.stderr):
            solver = made.build(name, settings, corpora) if hasattr(made, "build") else made(**settings)
            own = dict(getattr(solver, "settings", None) or {})
    except (AssayError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise _blamed(error, path) from None
    try:
        to_json(own)
    except (TypeError, ValueError, RecursionError) as error:
        raise AssayError(f"{attribute}.settings must be JSON values: {error}", file=path) from None
    if not callable(getattr(solver, "answer", None)):
        raise AssayError(f"{attribute} has no method answer(questions)", file=path)
    digest = hashlib.sha256()
    for source in sources.values():
        digest.update(hashlib.sha256(source).digest())
    record = {
        "solver": f"{Path(path).name}:{attribute}",
        "source_sha256": digest.hexdigest(),
        "given": dict(settings),
        "own": own,
    }
    return Plugin(solver, path, name, record)


class Plugin:
    """A user's solver behind our contract: it never sees a key, and its answers are checked one by one."""

    def __init__(self, solver: Any, path: str, name: str, settings: Mapping[str, Any]) -> None:
        self.name = name
        self._solver = solver
        self._path = path
        self._settings = settings

    @property
    def settings(self) -> Mapping[str, Any]:
        """Fingerprint of the source and of the files beside it that it imports; what was given; its own."""
        return self._settings

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """One answer a question, in order. Raises AssayError for anything else, naming the question."""
        asked: deque[Question] = deque()
        source = iter(questions)

        def without_keys() -> Iterator[Question]:
            for question in source:
                asked.append(question)
                yield dataclasses.replace(question, answer=None)

        try:
            with redirect_stdout(sys.stderr):
                answers: Iterator[Any] = iter(self._solver.answer(without_keys()))
        except (AssayError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise _blamed(error, self._path) from None
        while True:
            try:
                with redirect_stdout(sys.stderr):
                    answer = next(answers, None)
            except (AssayError, KeyboardInterrupt):
                raise
            except BaseException as error:
                raise _blamed(error, self._path, asked[0].id if asked else None) from None
            if answer is None:
                break
            if not asked:
                raise AssayError("more answers than questions", file=self._path)
            checked = self._checked(asked[0], answer)
            asked.popleft()
            yield checked
        if asked or next(without_keys(), None) is not None:
            raise AssayError("no answer", file=self._path, question_id=asked[0].id)

    def _checked(self, question: Question, answer: Any) -> Answer:
        """The answer as it reads back from an answers file: one kept and one just made are the same."""
        what = None
        if not isinstance(answer, Answer):
            what = f"the answer must be an assay Answer. Got {type(answer).__name__}."
        elif answer.question_id != question.id:
            what = f"the answer is to {answer.question_id!r}"
        if what is not None:
            raise AssayError(what, file=self._path, question_id=question.id)
        try:
            return answer_from_json(question, answer_to_json(question, answer))
        except AssayError as error:
            raise AssayError(
                "; ".join(fault.what for fault in error.faults), file=self._path, question_id=question.id
            ) from None
        except (TypeError, ValueError, AttributeError) as error:
            raise AssayError(
                f"the answer can't be kept: {error}", file=self._path, question_id=question.id
            ) from None


def _sources(path: Path) -> dict[Path, bytes]:
    """The bytes of the file and of every module beside it that it imports, directly or through another."""
    sources: dict[Path, bytes] = {}
    waiting = [path]
    while waiting:
        file = waiting.pop(0)
        if file in sources:
            continue
        try:
            sources[file] = file.read_bytes()
        except OSError as error:
            raise AssayError(f"can't be read: {error.strerror or error}", file=file) from None
        waiting += _imported(file, sources[file], path.parent)
    return sources


def _imported(file: Path, source: bytes, folder: Path) -> list[Path]:
    try:
        tree = ast.parse(source, str(file))
    except (SyntaxError, ValueError) as error:
        raise AssayError(
            f"not Python: {error.args[0]}", file=file, line=getattr(error, "lineno", None)
        ) from None
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    found = []
    for name in names:
        stem = folder.joinpath(*name.split("."))
        found += [file for file in (stem.with_suffix(".py"), stem / "__init__.py") if file.is_file()]
    return found


def _load(path: Path, sources: Mapping[Path, bytes]) -> ModuleType:
    """Run the file's present text; Python's own cache goes by whole seconds and would miss a quick edit."""
    module = ModuleType(f"assay_plugin_{path.stem}")
    module.__file__ = str(path)
    folder = str(path.parent.resolve())
    beside = {file.resolve() for file in sources}
    for name, loaded in list(sys.modules.items()):
        file = getattr(loaded, "__file__", None)
        if file and Path(file).resolve() in beside:
            del sys.modules[name]
    # Dataclasses and pickles look a class's module up by name.
    sys.modules[module.__name__] = module
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, folder)
    try:
        with redirect_stdout(sys.stderr):
            exec(compile(sources[path], str(path), "exec"), module.__dict__)
    except (AssayError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise _blamed(error, str(path)) from None
    finally:
        sys.path.remove(folder)
        sys.dont_write_bytecode = writes
    return module


def _blamed(error: BaseException, path: str, question_id: str | None = None) -> AssayError:
    """The error, at the deepest line of the plug-in's file that led to it."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    what = f"{type(error).__name__}: {error}"
    return AssayError(what, file=path, line=lines[-1] if lines else None, question_id=question_id)
