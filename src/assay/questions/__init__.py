"""Questions: the item model, reading and writing them in any known format, and their integrity."""

from assay.questions.reading import FileReading, QuestionFile, QuestionStream, Reading, read_questions

__all__ = ["FileReading", "QuestionFile", "QuestionStream", "Reading", "read_questions"]
