"""The loop: it fits, its gradient is right, it stops when it should, and a checkpoint is never guessed at."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra 'neural' isn't installed")

import torch

from assay.errors import AssayError
from assay.pipeline.recipe import read_recipe
from assay.settings import declared_settings, read_settings
from assay.solvers.neural.evaluation import accuracy
from assay.solvers.neural.reader import Example
from assay.solvers.neural.training import Trained, choice_loss, train
from assay.solvers.neural.training_settings import Budget, TrainingSettings
from tests.conftest import ROOT
from tests.solvers.neural.tiny import TinyReader, TinySettings
from tests.solvers.neural.toy import toy_examples

SETTINGS = TrainingSettings(learning_rate=0.05, batch=8, at_once=3, epochs=4, weight_decay=0.0)


def reader(**settings: object) -> TinyReader:
    return TinyReader.new(TinySettings(sentences=0, **settings), 3)  # type: ignore[arg-type]


def trained(
    one: TinyReader,
    work: Path,
    settings: TrainingSettings = SETTINGS,
    budget: Budget | None = None,
    dev: list[Example] | None = None,
) -> Trained:
    return train(
        one,
        toy_examples(60, 1),
        toy_examples(30, 2) if dev is None else dev,
        settings,
        seed=5,
        work=work,
        key="k",
        budget=budget or Budget(),
    )


def weights(one: TinyReader) -> dict[str, torch.Tensor]:
    return {name: value.clone() for name, value in one.network.state_dict().items()}


def same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return all(torch.equal(one[name], other[name]) for name in one)


def test_fits_a_toy_set_and_keeps_the_best_weights(tmp_path: Path) -> None:
    one = reader()
    done = trained(one, tmp_path)
    assert done.best is not None
    assert done.best.accuracy == 1.0
    assert [point.step for point in done.curve] == [8, 16, 24, 32]
    assert (done.stopped, done.steps, done.planned) == ("done", 32, 32)
    fitted = [one.prepare(shown) for shown in toy_examples(60, 1)]
    assert accuracy(one, fitted, [shown.key or 0 for shown in toy_examples(60, 1)], at_once=7) == 1.0
    assert not one.network.training


def test_of_equal_looks_the_first_counts(tmp_path: Path) -> None:
    one, seen = reader(), []
    done = train(
        one,
        toy_examples(60, 1),
        toy_examples(30, 2),
        replace(SETTINGS, epochs=8),
        seed=5,
        work=tmp_path,
        key="k",
        tell=lambda point: seen.append((point, weights(one))),
    )
    best = [kept for point, kept in seen if point.accuracy == 1.0]
    assert len(best) > 1
    assert not same(best[0], best[-1])
    assert same(weights(one), best[0])
    assert done.best == next(point for point, _ in seen if point.accuracy == 1.0)


def test_the_best_weights_are_those_of_the_best_look(tmp_path: Path) -> None:
    """What is learnt is wrong on this dev set, so that its best look isn't the last."""
    dev = [replace(shown, key=((shown.key or 0) + 1) % len(shown.choices)) for shown in toy_examples(30, 2)]
    one, settings = reader(), replace(SETTINGS, evaluate_every=2, evaluate_first=True)
    done = trained(one, tmp_path, settings, dev=dev)
    assert done.curve[0].step == 0
    assert done.best is not None
    assert done.best.accuracy > done.curve[-1].accuracy
    found = accuracy(one, [one.prepare(shown) for shown in dev], [shown.key or 0 for shown in dev], at_once=4)
    assert found == done.best.accuracy


def test_the_loss_is_the_cross_entropy_of_each_question_and_its_gradient_is_right() -> None:
    scores = [
        torch.tensor([0.3, -1.0, 2.0], dtype=torch.float64),
        torch.tensor([1.0, 0.5], dtype=torch.float64),
    ]
    for tensor in scores:
        tensor.requires_grad_(True)
    choice_loss(scores, [2, 1]).backward()
    for tensor, key in zip(scores, (2, 1), strict=True):
        slow = torch.softmax(tensor.detach(), 0)
        slow[key] -= 1
        assert torch.allclose(tensor.grad, slow, atol=1e-6)


def test_a_step_is_the_gradient_of_the_mean_loss(tmp_path: Path) -> None:
    """The loop's first step, in parts and padded, against AdamW over one plain sum, without the loop."""
    one, plain = reader(dropout=0.0), reader(dropout=0.0)
    settings = replace(SETTINGS, max_steps=1, warm_up=0.0, batch=60, clip=0.0, weight_decay=0.1, epsilon=0.01)
    trained(one, tmp_path, settings)
    optimizer = torch.optim.AdamW(
        [
            {"params": [p for p in plain.network.parameters() if p.ndim > 1], "weight_decay": 0.1},
            {"params": [p for p in plain.network.parameters() if p.ndim == 1], "weight_decay": 0.0},
        ],
        lr=0.05,
        # Of a gradient near 0 (the last bias has none at all) AdamW's first step would show but the sign.
        eps=0.01,
    )
    losses = []
    for shown in toy_examples(60, 1):
        score = plain.scores([plain.prepare(shown)])[0]
        losses.append(-torch.log_softmax(score, 0)[shown.key])
    torch.stack(losses).mean().backward()
    optimizer.step()
    mine, plainly = weights(one), weights(plain)
    assert all(torch.allclose(mine[name], plainly[name], atol=1e-6) for name in mine)


def test_long_gradients_are_cut(tmp_path: Path) -> None:
    """AdamW's first step hardly depends on the gradient's length; one shorter than epsilon shows the cut."""
    start, free, cut = reader(), reader(), reader()
    settings = replace(SETTINGS, max_steps=1, warm_up=0.0, epsilon=1e-3)
    trained(free, tmp_path / "free", replace(settings, clip=0.0))
    trained(cut, tmp_path / "cut", replace(settings, clip=1e-6))

    def moved(one: TinyReader) -> float:
        return sum(float((weights(one)[name] - value).norm()) for name, value in weights(start).items())

    assert moved(cut) < moved(free) / 50


def test_patience_ends_it(tmp_path: Path) -> None:
    done = trained(reader(), tmp_path, replace(SETTINGS, patience=2, evaluate_every=4, epochs=30))
    assert done.stopped == "patience"
    assert done.best is not None
    assert done.curve[-1].step == done.steps == done.best.step + 8


def test_minutes_end_it_and_more_of_them_go_on(tmp_path: Path) -> None:
    whole, cut = reader(), reader()
    trained(whole, tmp_path / "whole", dev=[])
    done = trained(cut, tmp_path / "cut", budget=Budget(max_minutes=0), dev=[])
    assert (done.stopped, done.steps) == ("max_minutes", 0)
    fresh = reader()
    done = trained(fresh, tmp_path / "cut", dev=[])
    assert done.stopped == "done"
    assert same(weights(fresh), weights(whole))


def test_goes_on_from_a_checkpoint_with_the_same_weights(tmp_path: Path) -> None:
    """Every step of a run is cut off once, dropout, moments, best weights and curve included."""
    settings = replace(SETTINGS, epochs=2, evaluate_every=3, max_steps=12)
    whole = reader()
    expected = trained(whole, tmp_path / "whole", settings)

    class Cut(Exception):
        pass

    one = reader()
    for _ in range(12):
        one = reader()
        inner, calls = one.scores, 0

        def scores(batch: object) -> object:
            nonlocal calls
            calls += one.network.training  # noqa: B023 (called within this round)
            if calls > 4:
                raise Cut
            return inner(batch)  # type: ignore[arg-type] # noqa: B023

        one.scores = scores  # type: ignore[assignment,method-assign]
        try:
            done = trained(one, tmp_path / "cut", settings, Budget(checkpoint_steps=1))
        except Cut:
            continue
        break
    assert same(weights(one), weights(whole))
    assert [(p.step, p.loss, p.accuracy) for p in done.curve] == [
        (p.step, p.loss, p.accuracy) for p in expected.curve
    ]


def test_frozen_layers_stay(tmp_path: Path) -> None:
    start, one = reader(), reader()
    trained(one, tmp_path, replace(SETTINGS, freeze=1))
    assert torch.equal(one.network[0].weight, start.network[0].weight)
    assert not torch.equal(one.network[3].weight, start.network[3].weight)
    with pytest.raises(AssayError, match="has 2 layers"):
        trained(reader(), tmp_path / "three", replace(SETTINGS, freeze=3))
    with pytest.raises(AssayError, match="no weights to train"):
        trained(reader(), tmp_path / "two", replace(SETTINGS, freeze=2))


def test_a_loss_that_is_no_number_stops_it(tmp_path: Path) -> None:
    one = reader()
    with torch.no_grad():
        one.network[3].weight.fill_(float("nan"))
    with pytest.raises(AssayError, match="the loss is nan"):
        trained(one, tmp_path)
    assert not list(tmp_path.glob("step-*")), "spoilt weights are never kept"


def test_bf16_trains_too(tmp_path: Path) -> None:
    done = trained(reader(), tmp_path, replace(SETTINGS, precision="bf16"))
    assert done.best is not None
    assert done.best.accuracy == 1.0


def test_ties_earn_a_share() -> None:
    one = reader()
    with torch.no_grad():
        one.network[3].weight.zero_()
    dev = toy_examples(12, 2)
    found = accuracy(one, [one.prepare(shown) for shown in dev], [shown.key or 0 for shown in dev], at_once=4)
    assert found == pytest.approx(sum(1 / len(shown.choices) for shown in dev) / 12)


def test_a_damaged_checkpoint_is_said(tmp_path: Path) -> None:
    def made(name: str) -> Path:
        work = tmp_path / name
        trained(reader(), work)
        return next(work.glob("step-*"))

    folder = made("cut")
    file = folder / "optimizer.safetensors"
    file.write_bytes(file.read_bytes()[:-7])
    with pytest.raises(AssayError, match="cut off or altered") as error:
        trained(reader(), tmp_path / "cut")
    assert error.value.hint is not None
    assert "--restart" in error.value.hint
    folder = made("gone")
    (folder / "best.safetensors").unlink()
    with pytest.raises(AssayError, match="missing"):
        trained(reader(), tmp_path / "gone")
    folder = made("state")
    (folder / "state.json").write_text('{"key": "k"', encoding="utf-8")
    with pytest.raises(AssayError, match="checkpoint is damaged"):
        trained(reader(), tmp_path / "state")
    made("other")
    with pytest.raises(AssayError, match="other data or settings"):
        train(reader(), toy_examples(60, 1), [], SETTINGS, seed=5, work=tmp_path / "other", key="other")


@pytest.mark.parametrize(
    "changed",
    [
        {"files": {}},
        {"files": []},
        {"step": "three"},
        {"record": None},
        {"record": {}},
        {"record": {"seconds": 1.0, "curve": [{"lap": 1}], "loss_sum": 0.0, "loss_count": 0}},
    ],
)
def test_a_checkpoint_that_doesnt_fit_is_said(tmp_path: Path, changed: dict[str, object]) -> None:
    trained(reader(), tmp_path)
    path = next(tmp_path.glob("step-*")) / "state.json"
    path.write_text(json.dumps({**json.loads(path.read_bytes()), **changed}), encoding="utf-8")
    with pytest.raises(AssayError, match="checkpoint is damaged") as error:
        trained(reader(), tmp_path)
    assert error.value.hint is not None
    assert "--restart" in error.value.hint


def test_every_setting_is_in_the_docs() -> None:
    page = (ROOT / "docs/training.md").read_text(encoding="utf-8")
    for one in declared_settings(TrainingSettings):
        row = f"| `{one.name}` | {one.must_be} | {one.default} | {' '.join(one.meaning.split())} |"
        assert row in page, f"docs/training.md lacks: {row}"


def test_the_recipe_in_the_docs_can_be_read(tmp_path: Path) -> None:
    page = (ROOT / "docs/training.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```toml\n(.*?)^```", page, re.M | re.S)
    (tmp_path / "recipe.toml").write_text(block, encoding="utf-8")
    trials = read_recipe(tmp_path / "recipe.toml")
    assert len(trials) == 6
    assert len({stage.plan.seed for trial in trials for stage in trial.stages[:1]}) == 3
    for trial in trials:
        for stage in trial.stages:
            read_settings(TrainingSettings, stage.plan.training, "training")


class Squared(TinyReader):
    """Trained towards the squared distance of the key's score from 1, and judged by how near it comes."""

    def loss(self, batch: list[object], keys: list[int]) -> torch.Tensor:
        found = self.scores(batch)
        return torch.stack([(scores[key] - 1) ** 2 for scores, key in zip(found, keys, strict=True)]).sum()

    def points(self, batch: list[object], keys: list[int]) -> list[float]:
        found = self.scores(batch)
        return [max(0.0, 1 - abs(1 - float(s[key]))) for s, key in zip(found, keys, strict=True)]


def test_a_reader_with_its_own_loss_is_trained_and_chosen_by_it(tmp_path: Path) -> None:
    one = Squared.new(TinySettings(sentences=0, dropout=0.0), 3)
    dev = toy_examples(30, 2)
    prepared, keys = [one.prepare(shown) for shown in dev], [shown.key or 0 for shown in dev]
    before = accuracy(one, prepared, keys, at_once=7)
    found = train(one, toy_examples(60, 1), dev, SETTINGS, seed=5, work=tmp_path / "w", key="k")
    after = accuracy(one, prepared, keys, at_once=7)
    assert found.best is not None
    assert after == pytest.approx(found.best.accuracy)
    assert after > max(before, 0.9)
    one.network.eval()
    with torch.no_grad():
        alone = [one.points([shown], [key])[0] for shown, key in zip(prepared, keys, strict=True)]
    assert after == pytest.approx(sum(alone) / len(alone))
