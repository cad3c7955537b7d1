"""The figures and the real sets that several scoring tests share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.questions.model import Answer, Question
from tests.scoring.scoring_cases import arc, stored


@pytest.fixture(scope="session")
def figures(shared_cases: Path) -> Any:
    return json.loads((shared_cases / "figures.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def challenge_test(shared_data: Path) -> list[Question]:
    return arc(shared_data / "arc/ARC-Challenge/ARC-Challenge-Test.jsonl")


@pytest.fixture(scope="session")
def stored_systems(shared_data: Path, challenge_test: list[Question]) -> dict[str, list[Answer]]:
    folder = shared_data / "predictions/arc-challenge-test"
    return {name: stored(folder / f"{name}.csv", challenge_test) for name in ("GSA", "DGEM")}
