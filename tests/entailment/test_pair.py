from __future__ import annotations

import pytest

from assay.entailment.pair import Pair


@pytest.mark.parametrize(("label", "key"), [("entails", 1), ("neutral", 0), (None, None)])
def test_the_key_is_the_place_of_entails_among_a_networks_scores(label, key) -> None:
    assert Pair("a", "Wax melts when it is hot.", "Heat melts wax.", label).key == key
