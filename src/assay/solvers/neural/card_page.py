"""A model's card for people, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.settings import shown
from assay.solvers.neural.reader import READS


def card_page(card: Mapping[str, Any]) -> str:
    """The page of a card as `model_folder.save_reader` has it; what the card doesn't say isn't shown."""
    parts = [f"# A trained reader: {card['kind']}\n"]
    parts.append(
        "Made by `assay train`. `reader.json` says the same for programs; docs/training.md explains it."
    )
    training = card.get("training")
    if training:
        parts += ["\n## How it was trained\n", *_training(training)]
    recipe = card.get("recipe", {"stages": [], "trials": []})
    if recipe["stages"][1:]:
        parts += ["\n## Stages\n", *_models(recipe["stages"])]
    if recipe["trials"]:
        parts += ["\n## Sweep\n", *_models(recipe["trials"])]
    parts += ["\n## Reader\n", *_pairs(card["settings"])]
    if training:
        parts += ["\n## Recipe\n", *_pairs(training["settings"])]
        if training["curve"]:
            parts += ["\n## Dev curve\n", *_curve(training)]
        parts += ["\n## Data\n", *(_data(part) for part in training["data"])]
    parts += ["\n## Fingerprints (SHA-256)\n", *_pairs({"weights": card["weights"], **card["sources"]})]
    if "versions" in card:
        parts += ["\n## Versions\n", *_pairs(card["versions"])]
    return "\n".join(parts) + "\n"


def _training(training: Mapping[str, Any]) -> list[str]:
    best = training["best"]
    lines = [
        f"- {training['steps']:,} of {training['planned']:,} planned steps, seed {training['seed']}, "
        f"{training['minutes']:.1f} minutes",
        f"- ended: {ENDED[training['stopped']]}",
    ]
    if best is not None:
        lines.append(f"- best on dev after step {best['step']:,}: {100 * best['accuracy']:.2f} percent")
    else:
        lines.append("- no dev set: the weights are those after the last step")
    if training.get("ignored"):
        lines.append(f"- {training['ignored']:,} examples left out: the reader can make nothing of them")
    if training["start"] is not None:
        lines.append(f"- started from the weights {training['start']}")
    return lines


ENDED = {
    "done": "all steps taken",
    "patience": "dev got no better for as many looks as `patience` says",
    "max_minutes": "the time was up; the same command with more minutes goes on",
}


def _models(models: Sequence[Mapping[str, Any]]) -> list[str]:
    """A table of stages or trials; each trial's values stand in columns of their own."""
    names = list(models[0].get("values", {}))
    rows = [f"| {' | '.join([*names, 'folder', 'dev, percent', 'steps', 'minutes'])} |"]
    rows.append("|---" * (len(names) + 4) + "|")
    for model in models:
        dev = "" if model["accuracy"] is None else f"{100 * model['accuracy']:.2f}"
        cells = [shown(model["values"][name]) for name in names]
        cells += [model["folder"], dev, str(model["steps"]), f"{model['minutes']:.1f}"]
        rows.append(f"| {' | '.join(cells)} |")
    return rows


def _curve(training: Mapping[str, Any]) -> list[str]:
    rows = ["| step | epochs | loss | dev, percent | minutes |", "|---|---|---|---|---|"]
    for point in training["curve"]:
        loss = "" if point["loss"] is None else f"{point['loss']:.4f}"
        rows.append(
            f"| {point['step']} | {point['epochs']:.2f} | {loss} | {100 * point['accuracy']:.2f} "
            f"| {point['minutes']:.1f} |"
        )
    return rows


def _data(part: Mapping[str, Any]) -> str:
    """A set: its files stand under the name of what they hold."""
    reads = next(name for name in READS if name in part)
    evidence = ""
    if reads == "questions":
        evidence = f"; evidence {part['evidence']}" if part["evidence"] else "; no evidence"
    counts = f"{part['examples']:,} {reads} read"
    if part["without_key"]:
        counts += f", {part['without_key']:,} left out without a key"
    if part.get("without_evidence"):
        counts += f", {part['without_evidence']:,} read without evidence"
    return f"- {part['use']}: {', '.join(part[reads])}{evidence}; {counts}"


def _pairs(values: Mapping[str, Any]) -> Sequence[str]:
    return [
        f"- {name}: {value if isinstance(value, str) else shown(value)}" for name, value in values.items()
    ] or ["- none"]
