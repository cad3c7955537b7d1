"""Texts as word pieces: tokenising, fitting a sequence into its limit, and padding a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from assay.errors import AssayError
from assay.solvers.neural.encoder import Encoder, readable

Pieces = np.ndarray[Any, np.dtype[np.int32]]
"""Numbers of word pieces, int32 [n]."""
NOTHING: Pieces = np.zeros(0, np.int32)
CHUNK_PIECES = 4096
"""Pieces, padding included, that are read at once: more falls out of a core's cache."""


class Tokenizer:
    """An encoder's tokeniser, with the marks that part a sequence."""

    def __init__(self, encoder: Encoder) -> None:
        """Raises AssayError when the tokeniser has no mark for the start, the end, or padding."""
        self._tokenizer = encoder.tokenizer
        marks = (self._tokenizer.cls_token_id, self._tokenizer.sep_token_id, self._tokenizer.pad_token_id)
        if None in marks:
            raise AssayError(
                f"encoder {encoder.name!r}: its tokeniser lacks a start, separating or padding mark",
                hint="an encoder of BERT's kind is due",
            )
        self.cls, self.sep, self.pad = (int(mark) for mark in marks)

    def pieces(self, texts: Sequence[str]) -> list[Pieces]:
        """Each text's pieces, without marks; the same text is tokenised once."""
        distinct = list(dict.fromkeys(texts))
        if not distinct:
            return []
        found = self._tokenizer(
            [readable(text) for text in distinct],
            add_special_tokens=False,
            return_attention_mask=False,
            verbose=False,
        )["input_ids"]
        known = {text: np.asarray(ids, np.int32) for text, ids in zip(distinct, found, strict=True)}
        return [known[text] for text in texts]


def kept(first: int, second: int, limit: int) -> tuple[int, int]:
    """How many pieces of two texts stay when the longer is cut, one by one, until both fit into `limit`.

    The first is cut while it is longer, else the second (QASC's baselines, after BERT's own).
    """
    if first + second <= limit:
        return first, second
    if second <= limit // 2:
        return limit - second, second
    if first <= limit - limit // 2:
        return first, limit - first
    return limit - limit // 2, limit // 2


def chunks(lengths: Sequence[int], most: int = CHUNK_PIECES) -> list[list[int]]:
    """The places of sequences, shortest first, cut so that a padded chunk holds at most `most` pieces.

    A sequence that is longer stands alone.
    """
    parts: list[list[int]] = []
    for place in sorted(range(len(lengths)), key=lambda place: (lengths[place], place)):
        if not parts or lengths[place] * (len(parts[-1]) + 1) > most:
            parts.append([])
        parts[-1].append(place)
    return parts


def places_in(parts: Sequence[Sequence[int]]) -> torch.Tensor:
    """Where each sequence stands when the chunks lie one after another, int64 [sequences]."""
    order = torch.tensor([number for part in parts for number in part], dtype=torch.long)
    return torch.argsort(order)


def padded(rows: Sequence[Pieces], pad: int) -> tuple[torch.Tensor, torch.Tensor | None]:
    """The rows as int64 [rows, longest], and which pieces are real (the same shape), None where all are."""
    lengths = [len(row) for row in rows]
    width = max(lengths)
    ids = np.full((len(rows), width), pad, np.int64)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = row
    if min(lengths) == width:
        return torch.from_numpy(ids), None
    mask = np.arange(width)[None, :] < np.asarray(lengths)[:, None]
    return torch.from_numpy(ids), torch.from_numpy(mask.astype(np.int64))


def distinct(rows: Sequence[Pieces], marks: Sequence[int] | None = None) -> tuple[list[int], torch.Tensor]:
    """Places of the first row of each content, and for every row the number of its content among these.

    Rows are the same where their pieces are, and their marks, if there are any.
    """
    numbers: dict[tuple[bytes, int], int] = {}
    first: list[int] = []
    which: list[int] = []
    for place, row in enumerate(rows):
        number = numbers.setdefault((row.tobytes(), 0 if marks is None else marks[place]), len(numbers))
        if number == len(first):
            first.append(place)
        which.append(number)
    return first, torch.tensor(which)
