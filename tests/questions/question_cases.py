"""Small question sets of our own, in every shape that formats must carry."""

import json

from assay.questions.model import Choice, Facts, Question

LETTERS = "ABCDEFGHIJKL"


def line(id="q1", key="A", stem="Which floats?", choices=("cork", "lead"), **beside):
    listed = [{"text": text, "label": LETTERS[place]} for place, text in enumerate(choices)]
    record = {"id": id, "question": {"stem": stem, "choices": listed}, "answerKey": key, **beside}
    return json.dumps({name: value for name, value in record.items() if value is not None})


def question(id="q1", stem="Which floats?", texts=("cork", "lead", "slate"), labels=LETTERS, key=0, **more):
    choices = tuple(Choice(label, text) for label, text in zip(labels, texts, strict=False))
    return Question(id, stem, choices, None if key is None else choices[key].label, **more)


def variety(k=4, *, digits=False, keyed=True):
    """Questions of `k` choices: plain words, words of many scripts, signs that formats use themselves."""
    labels = [str(number) for number in range(1, 13)] if digits else LETTERS
    texts = [f"kind {number}" for number in range(k)]
    foreign = [
        "Größe",
        "水の流れ",
        "Ωmega ≥ 3",
        "naïve café",
        "déjà, vu",
        "çok",
        "øst",
        "ψ",
        "ж",
        "ñ",
        "ß",
        "ł",
    ]
    signs = ['5" pipe', "a, b; c", "x|y", "{1, 2}", "[z]", "a\\b", "½", "Rr", "rr", "100 %", "<b>", "&amp;"]
    sets = [texts, foreign[:k], signs[:k]]
    stems = ["Which kind is it?", "Wie groß ist die „Größe“, 水?", 'He said "no", then what? a\\b {x} [y]']
    return [
        question(f"Set_{k}_{number}+&-", stem, words, labels, number % k if keyed else None)
        for number, (stem, words) in enumerate(zip(stems, sets, strict=True))
    ]


FACTS = Facts("Cork is light.", "Light things float.", "Cork floats.")
