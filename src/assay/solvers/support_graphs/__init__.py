"""Support graphs by integer programming: what ties a question's terms, facts and one choice together."""
