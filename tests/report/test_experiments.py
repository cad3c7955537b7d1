"""The experiments' part of the report, and their plots as files."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

from assay.experiments import Experiment, Figure, Line, Measure, Panel, Plot, Point, Row, Table
from assay.report import stored
from assay.report.data import ReportData
from assay.report.experiments import csv_rows, plot_files, sections
from assay.report.page import page
from tests.report.made_up import made_up


def experiment(name: str = "oracle") -> Experiment:
    measures = (Measure("score", "percent", drawn=True), Measure("rise", "difference", test="sign flips"))
    rows = (
        Row(("<reader>", "none"), (Figure(25.0, 24.0, 26.0, chance=25.0), None)),
        Row(("<reader>", "gold"), (Figure(71.2, 67.0, 75.4, chance=25.0), Figure(46.2, 41.0, 51.4, 0.0004))),
        Row(("nobody", "gold"), (Figure(None), None)),
    )
    lines = (Line("<reader>", (Point(0, 25.0, 24.0, 26.0), Point(1, 71.2, 67.0, 75.4))), Line("nobody", ()))
    plot = Plot("Score by evidence", "evidence", (Panel("All", lines, 25.0),), ("none", "gold, one by one"))
    return Experiment(
        name,
        "oracle",
        "Oracle",
        ("Found <much>.",),
        (Table("All", ("system", "evidence"), measures, rows),),
        (plot,),
    )


def shown(*experiments: Experiment) -> ReportData:
    return replace(made_up(12), experiments=experiments)


def test_a_report_without_experiments_has_no_such_part() -> None:
    assert sections(made_up(3)) == []


def test_sentences_numbers_and_tests_stand_on_the_page() -> None:
    drawn = page(shown(experiment()))
    assert "Found &lt;much&gt;." in drawn
    assert "71.2" in drawn
    assert "[67.0, 75.4]" in drawn
    assert "p &lt; 0.001" in drawn
    assert "<reader>" not in drawn


def test_it_survives_being_stored() -> None:
    data = shown(experiment(), experiment("again"))
    assert ReportData.from_json(data.to_json()) == data
    assert stored.decode(Experiment, stored.encode(experiment())) == experiment()


def test_a_plot_is_an_svg_file_of_its_own() -> None:
    files = plot_files(experiment())
    assert list(files) == ["oracle.svg"]
    tree = ET.fromstring(files["oracle.svg"])
    said = "".join(tree.itertext())
    assert "<reader>" in said
    assert "chance" in said
    assert "gold, one" in said


def test_a_table_as_csv_has_every_part_of_a_figure() -> None:
    heading, rows = csv_rows(experiment().tables[0])
    assert heading == [
        "system", "evidence", "score", "score low", "score high", "score chance", "rise", "rise low",
        "rise high", "rise p",
    ]  # fmt: skip
    assert rows[1][2:6] == [71.2, 67.0, 75.4, 25.0]
    assert rows[2] == ["nobody", "gold", *[None] * 8]


def test_several_experiments_are_named_at_the_top() -> None:
    one, two = experiment("by depth"), experiment("oracle")
    drawn = page(shown(one, two))
    assert 'href="#experiment-by_depth"' in drawn
    assert 'id="experiment-by_depth"' in drawn
    assert 'class="index"' not in page(shown(one))
