"""Fixtures that every room's tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no fault of the code: speed is measured in bench/.
settings.register_profile("assay", deadline=None)
settings.load_profile("assay")

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data: ASSAY_DATA, by default ../shared/data beside the checkout."""
    path = Path(os.environ.get("ASSAY_DATA", ROOT / "../shared/data")).resolve()
    if not path.is_dir():
        pytest.skip(f"no real data at {path}: set ASSAY_DATA to the folder that holds arc/, corpus/, ...")
    return path


@pytest.fixture(scope="session")
def shared_cases(shared_data: Path) -> Path:
    """The folder of small inputs with their right values, beside the real data."""
    path = shared_data.parent / "cases"
    if not path.is_dir():
        pytest.skip(f"no cases at {path}")
    return path
