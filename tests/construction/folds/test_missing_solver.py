"""Without OR-tools a split says what to install and how to do without."""

import numpy as np
import pytest

from assay.construction.folds import program
from assay.construction.folds.sizes import fold_sizes
from assay.construction.folds.split import SplitSettings, split_groups
from assay.errors import MissingExtra
from tests.construction.folds.fold_cases import graph_of


def test_the_extra_is_named(monkeypatch) -> None:
    monkeypatch.setattr(program, "find_spec", lambda _: None)
    graph, weights, sizes = graph_of(4, {(0, 1): 9}), np.ones(4, dtype=np.int64), fold_sizes("a=50,b=50", 4)
    with pytest.raises(MissingExtra, match="--set solver=none does without") as raised:
        split_groups(graph, weights, sizes, SplitSettings())
    assert raised.value.hint == "pip install 'assay[folds]'"
    assert split_groups(graph, weights, sizes, SplitSettings(solver="none", walks=1, steps=50)).cut == 0
