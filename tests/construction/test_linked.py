"""What stays together, against walking from place to place."""

from hypothesis import given
from hypothesis import strategies as st

from assay.construction.linked import linked


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=3), max_size=12))
def test_chains_are_one_group_and_nothing_else_is(keys: list[list[str]]) -> None:
    groups = linked(keys)
    assert [place for group in groups for place in sorted(group)] == [
        place for group in groups for place in group
    ]
    assert sorted(place for group in groups for place in group) == list(range(len(keys)))
    assert [group[0] for group in groups] == sorted(group[0] for group in groups)
    group_of = {place: number for number, group in enumerate(groups) for place in group}
    for start in range(len(keys)):
        reached, before = {start}, set()
        while reached != before:
            before = set(reached)
            reached |= {
                place for place, own in enumerate(keys) if any(set(own) & set(keys[one]) for one in before)
            }
        assert reached == {place for place in group_of if group_of[place] == group_of[start]}
