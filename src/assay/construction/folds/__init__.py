"""Folds: which questions go to train, dev and test, so that as little as possible leaks between them."""
