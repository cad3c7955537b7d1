"""Mutated files, thousands a reader: the outcome is a clear error or a sound read, never anything else.

ASSAY_FUZZ says how many for each reader (300 where it isn't set; 10000 is the full run of docs/questions.md).
"""

import gzip
import lzma
import os
import random
import signal
from dataclasses import replace

import pytest
import zstandard

from assay.errors import AssayError
from assay.questions import integrity, read_questions, write_questions
from assay.questions.formats.registry import FORMATS
from assay.questions.keys import read_keys
from tests.questions.question_cases import FACTS, variety

COUNT = int(os.environ.get("ASSAY_FUZZ", "300"))
SECONDS = 20
NAMES = [known.name for known in FORMATS]
PACKED = {"gz": gzip.compress, "xz": lzma.compress, "zst": zstandard.compress}
TOKENS = [
    *(b'"', b"'", b"{", b"}", b"[", b"]", b",", b":", b"\n", b"\r", b"\r\n", b"\t", b"\\", b"\\u", b"\x00"),
    *(
        b"null",
        b"true",
        b"NaN",
        b"-Infinity",
        b"1e999",
        b"-0",
        b"0.1",
        b"\\ud800",
        b"\\udc00\\ud800",
        b"\xff",
    ),
    *(
        b"\xef\xbb\xbf",
        b"\xe2\x80\xa8",
        b"\xc2\x85",
        b"(A)",
        b"(1)",
        b'""',
        b"{}",
        b"[]",
        b"9" * 400,
        b"[" * 120,
    ),
    *(b"id", b"question", b"choices", b"label", b"text", b"answerKey", b"stem", b"PAR1", b"\x1f\x8b", b" "),
]


def files(folder):
    """A small file of each format, by name."""
    questions = [*variety(4), *(replace(q, id=f"{q.id}n", facts=FACTS) for q in variety(3, digits=True))]
    found = {}
    for name in NAMES:
        write_questions(questions, folder / "file", name)
        found[name] = (folder / "file").read_bytes()
    return found


def mutated(rng, data, others):
    """One to four changes: flipped, cut, doubled, moved or foreign bytes, a token put in, the end lost."""
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        start = rng.randrange(len(changed) + 1)
        end = min(len(changed), start + int(rng.expovariate(1 / 12)) + 1)
        kind = rng.randrange(8)
        if kind == 0 and changed:
            changed[min(start, len(changed) - 1)] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del changed[start:end]
        elif kind == 2:
            changed[start:start] = changed[start:end] * rng.choice([1, 1, 40])
        elif kind == 3:
            changed[start:start] = rng.choice(TOKENS)
        elif kind == 4:
            changed[start:end] = rng.choice(TOKENS)
        elif kind == 5:
            del changed[start:]
        elif kind == 6:
            other = rng.choice(others)
            place = rng.randrange(len(other))
            changed[start:end] = other[place : place + rng.randrange(1, 200)]
        else:
            changed[start:end] = rng.randbytes(end - start)
    return bytes(changed)


def hung(signum, frame):
    raise TimeoutError(f"still reading after {SECONDS} s")


def outcome(path):
    """How a file reads: "error" or "read"; whatever is wrong with either is raised."""
    try:
        reading = read_questions(path)
    except AssayError as refused:
        faults = refused.faults
    else:
        return sound(reading.questions, path)
    assert faults
    assert all(fault.what and fault.file == str(path) for fault in faults)
    return "error"


def sound(questions, path):
    assert len(questions)
    for question in questions:
        assert not list(integrity.faults(question))
    write_questions(questions, f"{path}.copy", "assay")
    again = read_questions(f"{path}.copy", format="assay").questions
    assert again.fingerprint == questions.fingerprint
    return "read"


def run(path, make, read=outcome):
    seen = {"error": 0, "read": 0}
    previous = signal.signal(signal.SIGALRM, hung)
    try:
        for number in range(COUNT):
            data = make(random.Random(number))
            path.write_bytes(data)
            signal.alarm(SECONDS)
            try:
                seen[read(path)] += 1
            except Exception as error:
                raise AssertionError(f"seed {number}: {error!r}\n{data[:2000]!r}") from error
            finally:
                signal.alarm(0)
    finally:
        signal.signal(signal.SIGALRM, previous)
    print(f"{COUNT:,} files: {seen}")
    return seen


@pytest.mark.parametrize("name", NAMES)
def test_mutated_files(name, tmp_path):
    known = files(tmp_path)
    seen = run(tmp_path / "fuzz", lambda rng: mutated(rng, known[name], list(known.values())))
    assert seen["error"] > COUNT / 20
    assert seen["read"] > COUNT / 100


@pytest.mark.parametrize("packing", sorted(PACKED))
def test_mutated_compressed_files(packing, tmp_path):
    packed = [PACKED[packing](data) for data in files(tmp_path).values()]
    seen = run(tmp_path / "fuzz", lambda rng: mutated(rng, rng.choice(packed), packed))
    assert seen["error"] > COUNT / 2


def test_mutated_key_files(tmp_path):
    keys = [
        b'{"id":"q1","answerKey":"A"}\n{"id":"q2","answerKey":"B"}\n',
        b"q1,A\nq2,B\n",
        b"id\tanswer\nq\tA\n",
    ]

    def read(path):
        try:
            return "read" if read_keys(path).keys else "nothing"
        except AssayError:
            return "error"

    seen = run(tmp_path / "fuzz", lambda rng: mutated(rng, rng.choice(keys), keys), read)
    assert seen["error"]
    assert seen["read"]
