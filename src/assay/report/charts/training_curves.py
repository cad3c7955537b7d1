"""How trainings went, from the cards of their models: dev and loss as curves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.errors import AssayError
from assay.report.charts.curves import Across, CurvePoint, curves

DEV, LOSS = "dev, percent", "loss, percent of the first look's"


def training_curves(cards: Mapping[str, Mapping[str, Any]]) -> str:
    """An SVG file: what each model earned on dev, and its loss, against the share of the steps taken.

    `cards`: model cards by name. Raises AssayError for a card without a curve.
    """
    panels: dict[str, dict[str, list[CurvePoint]]] = {DEV: {}, LOSS: {}}
    for name, card in cards.items():
        training = card.get("training") or {}
        if not training.get("curve"):
            raise AssayError(f"model {name} has no curve: it was trained without dev, or not by assay train")
        looks = [(round(100 * look["step"] / training["planned"]), look) for look in training["curve"]]
        losses = [(x, look["loss"]) for x, look in looks if look["loss"] is not None]
        panels[DEV][name] = [CurvePoint(x, 100 * look["accuracy"], None, None) for x, look in looks]
        panels[LOSS][name] = [CurvePoint(x, 100 * loss / losses[0][1], None, None) for x, loss in losses]
    return curves(panels, Across("percent of the steps planned", (0, 20, 40, 60, 80, 100)))
