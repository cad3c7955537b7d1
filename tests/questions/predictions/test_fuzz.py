"""Mutated files of every format: a clear error or a right read, never anything else.

A few hundred a format here; ASSAY_FUZZ=10000 makes that many.
"""

import os
import random
import time
from pathlib import Path

import pytest

from assay.errors import AssayError, Fault
from assay.questions.predictions import read_predictions
from tests.questions.predictions.prediction_samples import GOOD, LOGS, SET

ROUNDS = int(os.environ.get("ASSAY_FUZZ", "300"))
PIECES = [
    *(b"%c" % byte for byte in b"\"'{}[],:;\n\t\\\x00\xffA1E0"),
    *(b"\r\n", b"\xef\xbb\xbf", b"null", b"true", b"NaN", b"-Infinity", b"1e999", b"-1", b"9" * 400),
    *(b"k1", b"k9", b'"id"', b'"k1"', b'{"id":"k1"}', b'""', b"[" * 300, b"\\ud800", b"answer: "),
    *("\u2028".encode(), "\u0085".encode()),
]


def mutated(text: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.randint(1, 4)):
        at, to = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        kind = rng.randrange(6)
        if kind == 0:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        elif kind == 1:
            text = text[:at] + text[min(to, at + rng.randint(1, 8)) :]
        elif kind == 2:
            text = text[:at] + rng.choice(PIECES) + text[min(to, at + rng.randint(1, 8)) :]
        elif kind == 3:
            text = text[:at]
        elif kind == 4:
            text = text[:at] + text[at:to] * 2 + text[to:]
        else:
            values = [b"null", b"3", b"[]", b"{}", b'"x"', b"[[]]", b"true", b"1e999"]
            colon = text.find(b":", at)
            end = min((n for n in (text.find(c, colon) for c in (b",", b"}")) if n > 0), default=-1)
            if 0 < colon < end:
                text = text[: colon + 1] + rng.choice(values) + text[end:]
    return text


@pytest.mark.parametrize("name", [*GOOD, *LOGS])
@pytest.mark.parametrize("forced", [False, True])
def test_mutated_files_are_read_right_or_refused_clearly(tmp_path: Path, name: str, forced: bool) -> None:
    whole = {**GOOD, **LOGS}[name].encode()
    rng = random.Random(f"{name} {forced}")
    path = tmp_path / "mutated"
    refused = 0
    for round_number in range(ROUNDS):
        content = mutated(whole, rng)
        path.write_bytes(content)
        faults: tuple[Fault, ...] = ()
        started = time.monotonic()
        try:
            predictions = read_predictions(path, SET, format=name if forced else None)
        except AssayError as error:
            refused += 1
            faults = error.faults
        else:
            assert [answer.question_id for answer in predictions.answers] == ["k1", "k2", "k3"]
            for question, answer in zip(SET, predictions.answers, strict=True):
                assert set(answer.chosen) <= set(question.labels)
                assert bool(answer.chosen) == (answer.status == "answered")
        assert all(fault.what and fault.file == str(path) for fault in faults), (round_number, content)
        assert time.monotonic() - started < 5
    assert refused > ROUNDS // 4
