"""Predictions files of any known format, read to one answer a question."""

from assay.questions.predictions.reading import (
    NO_PREDICTION,
    NO_SUCH_QUESTION,
    PredictionFile,
    Predictions,
    match_predictions,
    read_predictions,
)

__all__ = [
    "NO_PREDICTION",
    "NO_SUCH_QUESTION",
    "PredictionFile",
    "Predictions",
    "match_predictions",
    "read_predictions",
]
