"""Questions: the item model, reading and writing them in any known format, and their integrity."""

from assay.questions.predictions import Predictions, read_predictions
from assay.questions.reading import (
    FileReading,
    QuestionFile,
    QuestionStream,
    Reading,
    questions_from_rows,
    read_questions,
)
from assay.questions.writing import write_questions

__all__ = [
    "FileReading",
    "Predictions",
    "QuestionFile",
    "QuestionStream",
    "Reading",
    "questions_from_rows",
    "read_predictions",
    "read_questions",
    "write_questions",
]
