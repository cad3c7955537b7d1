"""Questions: the item model, reading and writing them in any known format, and their integrity."""

from assay.questions.predictions import Predictions, read_predictions
from assay.questions.reading import FileReading, QuestionFile, QuestionStream, Reading, read_questions

__all__ = [
    "FileReading",
    "Predictions",
    "QuestionFile",
    "QuestionStream",
    "Reading",
    "read_predictions",
    "read_questions",
]
