"""Experiments on question sets: what they show, as tables and plots that any page can draw."""

from assay.experiments.experiment import Experiment, Figure, Line, Measure, Panel, Plot, Point, Row, Table

__all__ = ["Experiment", "Figure", "Line", "Measure", "Panel", "Plot", "Point", "Row", "Table"]
