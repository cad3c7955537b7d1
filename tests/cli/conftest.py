"""What tests of verbs share: the command within this process, and a reader small enough to be trained."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest

from assay.cli.main import main

Assay = Callable[..., tuple[int, str, str]]


@pytest.fixture
def assay(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Assay:
    """Runs the command with the arguments given; exit status, standard output, standard error."""

    def run(*given: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["assay", *given])
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return run


@pytest.fixture
def tiny_reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A reader of kind "tiny"; one thread, so that its weights are the same bytes each time."""
    torch = pytest.importorskip("torch", reason="the extra 'neural' isn't installed")
    from assay.solvers.neural.readers import READERS

    monkeypatch.setitem(READERS, "tiny", "tests.solvers.neural.tiny:TinyReader")  # type: ignore[arg-type]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
