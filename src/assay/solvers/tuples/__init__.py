"""Support graphs over tuples of Open IE: what ties a question's terms, tuples and one choice together."""
