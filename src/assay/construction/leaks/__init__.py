"""Leaks: what of one fold's questions can be known from another's."""
