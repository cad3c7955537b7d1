"""How numbers are written: one decimal, intervals in brackets, a real minus, a dash for the undefined."""

from __future__ import annotations

NONE = "–"
_MINUS = "\u2212"


def _fixed(value: float, decimals: int) -> str:
    said = f"{value:,.{decimals}f}"
    return said.lstrip("-") if float(said.replace(",", "")) == 0 else said.replace("-", _MINUS)


def percent(value: float | None) -> str:
    """28.4"""
    return NONE if value is None else _fixed(value, 1)


def signed(value: float | None) -> str:
    """+2.0, −2.0, 0.0"""
    if value is None:
        return NONE
    said = _fixed(value, 1)
    return f"+{said}" if value > 0 and said != "0.0" else said


def interval(low: float | None, high: float | None) -> str:
    """[26.3, 30.5]"""
    return NONE if low is None or high is None else f"[{_fixed(low, 1)}, {_fixed(high, 1)}]"


def signed_interval(low: float | None, high: float | None) -> str:
    """[−1.3, +5.3]"""
    return NONE if low is None or high is None else f"[{signed(low)}, {signed(high)}]"


def decimals(value: float | None, places: int = 2) -> str:
    """A share, a kappa: 0.74"""
    return NONE if value is None else _fixed(value, places)


def probability(value: float | None) -> str:
    """A p value: three decimals, or "< 0.001"."""
    if value is None:
        return NONE
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def count(value: int) -> str:
    """7,787"""
    return f"{value:,}"


def questions(value: int) -> str:
    """1 question, 7,787 questions"""
    return f"{value:,} question{'' if value == 1 else 's'}"
