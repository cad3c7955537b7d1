"""`assay curves`: the looks of cards as an SVG file."""

import re
import xml.etree.ElementTree as ET
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from assay.errors import AssayError
from assay.report.charts.training_curves import training_curves
from tests.cli.conftest import Assay


def card(*looks: tuple[int, float | None, float], planned: int = 200) -> dict[str, Any]:
    curve = [{"step": step, "loss": loss, "accuracy": accuracy} for step, loss, accuracy in looks]
    return {"training": {"planned": planned, "curve": curve}}


def test_dev_and_loss_against_the_share_of_steps() -> None:
    one = card((0, None, 0.5), (100, 0.8, 0.625), (200, 0.4, 0.75))
    drawn = training_curves({"one": one, "<two>": card((50, 1.0, 0.25), planned=50)})
    label = ET.fromstring(drawn).attrib["aria-label"]
    assert "one: 50.0 at 0, 62.5 at 50, 75.0 at 100" in label
    assert "one: 100.0 at 50, 50.0 at 100" in label
    assert "<two>: 25.0 at 100" in label


def test_labels_have_room() -> None:
    looks = [(step, 1.0, 0.5) for step in range(1, 101)]
    drawn = training_curves({"many": card(*looks, planned=100)})
    shown = [float(x) for x in re.findall(r'text-anchor="middle" fill="#555"><tspan x="([0-9.]+)"', drawn)]
    assert len(shown) > 8
    first = shown[: len(shown) // 2]
    assert min(b - a for a, b in pairwise(first)) >= 28


def test_a_model_without_a_curve() -> None:
    for one in ({}, card()):
        with pytest.raises(AssayError, match="no curve"):
            training_curves({"one": one})


def test_what_the_verb_refuses(assay: Assay, tmp_path: Path) -> None:
    # To read a model's card takes the extra 'neural'.
    no_card = "no model folder" if find_spec("torch") else r"assay\[neural\]"
    for said, *given in (
        ("is SVG", str(tmp_path), "-o", str(tmp_path / "curves.png")),
        (no_card, str(tmp_path), "-o", str(tmp_path / "curves.svg")),
    ):
        status, _, error = assay("curves", *given)
        assert (status, bool(re.search(said, error))) == (2, True)


def test_a_trained_model_is_drawn(assay: Assay, tmp_path: Path, tiny_reader: None) -> None:
    from tests.solvers.neural.toy import write_toy

    files = {name: write_toy(tmp_path, name, 24, seed)[0] for name, seed in (("train", 1), ("dev", 2))}
    model, out = tmp_path / "model", tmp_path / "curves.svg"
    given = ("--train", str(files["train"]), "--dev", str(files["dev"]), "--to", str(model))
    assert assay("train", "tiny", *given, "--set", "sentences=0")[0] == 0
    assert assay("curves", f"mine={model}", "-o", str(out))[0] == 0
    assert "mine: " in ET.fromstring(out.read_text()).attrib["aria-label"]
    assert assay("curves", str(model), f"model={model}", "-o", str(out))[0] == 2


def test_looks_stand_where_their_step_is() -> None:
    """However unevenly they were made, on a scale from 0 to 100."""
    drawn = training_curves({"one": card((4, 1.0, 0.5), (20, 0.5, 0.5), (200, 0.25, 0.5))})
    dots = [float(x) for x in re.findall(r'<circle cx="([0-9.]+)" cy="125', drawn)]
    assert [round(100 * x / 380) for x in dots[:3]] == [2, 10, 100]
    assert ">20</text>" in drawn
