"""The order of questions and the learning rate: pure, complete, and as the settings say."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="the extra 'neural' isn't installed")

from hypothesis import given
from hypothesis import strategies as st

from assay.solvers.neural.schedule import (
    epoch_batches,
    in_parts,
    learning_rate,
    step_seed,
    steps_an_epoch,
    total_steps,
)
from assay.solvers.neural.training_settings import TrainingSettings

COSTS = st.lists(st.integers(1, 200), min_size=1, max_size=80)


@given(COSTS, st.integers(1, 9), st.integers(1, 5), st.integers(0, 3), st.integers(0, 3))
def test_an_epoch_reads_every_question_once(
    costs: list[int], batch: int, window: int, seed: int, epoch: int
) -> None:
    batches = epoch_batches(costs, batch, window, seed, epoch)
    assert sorted(place for part in batches for place in part) == list(range(len(costs)))
    assert len(batches) == steps_an_epoch(len(costs), TrainingSettings(batch=batch))
    assert max(map(len, batches)) <= batch
    assert batches == epoch_batches(costs, batch, window, seed, epoch)


def test_like_lengths_are_read_together_and_epochs_differ() -> None:
    costs = [place % 50 for place in range(400)]
    bucketed = epoch_batches(costs, 8, 50, 0, 0)
    by_chance = epoch_batches(costs, 8, 1, 0, 0)

    def padding(batches: tuple[tuple[int, ...], ...]) -> int:
        return sum(max(costs[place] for place in batch) * len(batch) for batch in batches) - sum(costs)

    assert padding(bucketed) * 10 < padding(by_chance)
    assert bucketed != epoch_batches(costs, 8, 50, 0, 1)
    assert bucketed != epoch_batches(costs, 8, 50, 1, 0)
    longest = [max(costs[place] for place in batch) for batch in bucketed]
    assert longest != sorted(longest)


def test_the_rate_rises_then_falls_to_nearly_nothing() -> None:
    settings = TrainingSettings(learning_rate=1.0, warm_up=0.2)
    rates = [learning_rate(step, 10, settings) for step in range(10)]
    assert rates == pytest.approx([0.5, 1.0, 1.0, 7 / 8, 6 / 8, 5 / 8, 4 / 8, 3 / 8, 2 / 8, 1 / 8])
    constant = TrainingSettings(learning_rate=1.0, warm_up=0.0, schedule="constant")
    assert {learning_rate(step, 10, constant) for step in range(10)} == {1.0}


def test_steps() -> None:
    assert total_steps(33, TrainingSettings(batch=16, epochs=2)) == 6
    assert total_steps(33, TrainingSettings(batch=16, epochs=2, max_steps=50)) == 50
    assert [list(part) for part in in_parts(range(5), 2)] == [[0, 1], [2, 3], [4]]
    assert len({step_seed(seed, step) for seed in range(10) for step in range(10)}) == 100
