"""Passage questions: a passage, a question, and the spans of the passage that answer it."""
