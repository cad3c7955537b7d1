"""Assay: build multiple-choice benchmarks that simple methods can't pass, and measure systems on them."""

__version__ = "0.1.0"
