"""The page of artifacts: every shortcut a row, whatever the names, no scripts."""

import re

from assay.construction.artifacts.figures import artifacts
from assay.construction.artifacts.settings import ArtifactSettings
from assay.questions.model import Choice, Question
from assay.report.artifacts_page import artifacts_page


def made(n, *texts):
    choices = tuple(Choice("ABC"[place], text) for place, text in enumerate(texts))
    return Question(f"q{n}", f"Which is {n}?", choices, "A")


LONG = [made(n, "the longest", "b", "cc") for n in range(40)]
FEW = [made(n, "never", "b", "cc") for n in range(40, 43)]


def test_a_row_for_each_shortcut():
    found = artifacts({"<b>long</b>": LONG, "few": FEW}, ArtifactSettings(folds=3))
    page = artifacts_page(found, "Artifacts & more", "assay check x")
    assert "<script" not in page
    assert "<b>long</b>" not in page
    assert "Artifacts &amp; more" in page
    for group in found.groups:
        for figure in group.figures:
            assert f"<b>{figure.name}</b>" in page
    assert "What choice-only goes by" in page
    assert "40 questions: longest gets furthest, +66.7 points above chance." in page
    assert "few, 3 questions: no shortcut gets further above chance than luck may." in page
    assert "probes left out" in page
    assert len(re.findall(r'class="track"', page)) >= 2 * sum(len(group.figures) for group in found.groups)


def test_the_axis_is_not_stretched_by_few_questions():
    found = artifacts({"few": FEW}, ArtifactSettings(folds=0))
    page = artifacts_page(found, "t", "c")
    assert ">+100<" not in page
    # Every sign stands within its track.
    assert all(0 <= float(x) <= 100 for x in re.findall(r'x="(-?[\d.]+)%"', page))
