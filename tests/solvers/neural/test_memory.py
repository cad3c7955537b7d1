"""What oneDNN keeps of products is bounded before the first of a training, unless someone else bounded it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra 'neural' isn't installed")

from assay.solvers.neural import memory

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(("given", "said"), [(None, str(memory.KEPT)), ("64", "64")])
def test_a_training_bounds_what_is_kept(tmp_path: Path, given: str | None, said: str) -> None:
    program = """
import os, sys
from pathlib import Path
from assay.solvers.neural.training import train
from assay.solvers.neural.training_settings import TrainingSettings
from tests.solvers.neural.tiny import TinyReader, TinySettings
from tests.solvers.neural.toy import toy_examples
reader = TinyReader.new(TinySettings(sentences=0), 1)
work = Path(sys.argv[1])
train(reader, toy_examples(8, 1), [], TrainingSettings(epochs=1), seed=1, work=work, key="k")
print(os.environ["ONEDNN_PRIMITIVE_CACHE_CAPACITY"])
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    environment.pop(memory.PRIMITIVES, None)
    if given is not None:
        environment[memory.PRIMITIVES] = given
    command = [sys.executable, "-c", program, str(tmp_path / "work")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == said
