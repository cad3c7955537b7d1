"""Results as strict JSON: dataclasses to plain values, deterministic, no NaN."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

import numpy as np


def as_record(value: Any) -> Any:
    """The JSON value of a result: dataclasses become objects in field order, fractions text ("3715/12"),
    arrays lists, and what is no finite number null."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_record(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): as_record(item) for key, item in value.items()}
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, np.ndarray):
        return as_record(value.tolist())
    if isinstance(value, np.generic):
        return as_record(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [as_record(item) for item in value]
    return value
