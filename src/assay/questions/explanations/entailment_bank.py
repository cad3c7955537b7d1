"""EntailmentBank's lines: question, answer, hypothesis and sentences, a tab, and the proof that uses them.

    $proof$ ; $question$ = ... ; $answer$ = ... ; $hypothesis$ = ... ; $context$ = sent1: ... sent2: ...
    <tab>$proof$ = sent1 & sent2 -> int1: ...; int1 & sent4 -> hypothesis;

What the proof names is gold; what it doesn't (the distractors of task 2) is near. There are no ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from assay.errors import Fault, FaultyInput
from assay.questions.explanations.explanation import Explanation, Explanations, Fact, Step

START = "$proof$ ;"
_FIRST = re.compile(
    r"\$proof\$ ; \$question\$ = (.*?) ; \$answer\$ = (.*?) ; \$hypothesis\$ = (.*?) ; \$context\$ = (.*)"
)
_SENTENCE = re.compile(r"(?:^| )sent(\d+): ")
_PROOF = "$proof$ = "
_STEP = re.compile(r"((?:sent|int)\d+(?: & (?:sent|int)\d+)*) -> (hypothesis|(int\d+): (.*))", re.DOTALL)
_BETWEEN_STEPS = re.compile(r";\s*(?=(?:sent|int)\d+(?: & (?:sent|int)\d+)* -> |$)")


class _Wrong(Exception):
    pass


def entailment_bank(lines: Iterable[tuple[int, str]], file: str) -> Explanations:
    """The explanations of a file's lines. Raises FaultyInput with every line that isn't EntailmentBank's."""
    made, faults = [], []
    for number, line in lines:
        if line.strip():
            try:
                made.append(_explanation(line.removesuffix("\r"), file, number))
            except _Wrong as wrong:
                faults.append(Fault(str(wrong), file, number))
    if faults:
        raise FaultyInput(faults)
    return Explanations(tuple(made))


def _explanation(line: str, file: str, number: int) -> Explanation:
    first, tab, proof = line.partition("\t")
    found = _FIRST.fullmatch(first)
    if not found:
        raise _Wrong("not of the form $proof$ ; $question$ = ... ; $answer$ = ... ; $hypothesis$ = ... ; "
                     "$context$ = sent1: ...")  # fmt: skip
    if not tab or not proof.startswith(_PROOF):
        raise _Wrong(f"no proof: {_PROOF.strip()!r} is due after a tab")
    stem, answer, hypothesis, context = found.groups()
    sentences = _sentences(context)
    steps, named = _steps(proof.removeprefix(_PROOF), sentences, hypothesis)
    facts = tuple(Fact(text) for name, text in sentences.items() if name in named)
    near = tuple(Fact(text) for name, text in sentences.items() if name not in named)
    return Explanation(None, stem, answer, facts, near, hypothesis, steps, file, number)


def _sentences(context: str) -> dict[str, str]:
    before, *rest = _SENTENCE.split(context)
    numbers, texts = rest[::2], rest[1::2]
    if before or numbers != [str(n) for n in range(1, len(numbers) + 1)] or not texts:
        raise _Wrong("its context isn't sent1: ... sent2: ..., numbered from 1")
    return {f"sent{number}": text.strip() for number, text in zip(numbers, texts, strict=True)}


def _steps(proof: str, sentences: dict[str, str], hypothesis: str) -> tuple[tuple[Step, ...], set[str]]:
    """The proof's steps, and the names of the sentences that it uses."""
    known, named, steps = dict(sentences), set[str](), []
    for text in filter(None, (part.strip() for part in _BETWEEN_STEPS.split(proof))):
        found = _STEP.fullmatch(text)
        if not found:
            raise _Wrong(f"not a step of a proof: {text[:60]!r}")
        premises, end, name, conclusion = found.groups()
        names = premises.split(" & ")
        for one in names:
            if one not in known:
                raise _Wrong(f"its proof uses {one}, which isn't there")
        named.update(names)
        steps.append(Step(tuple(known[one] for one in names), hypothesis if name is None else conclusion))
        if end != "hypothesis":
            known[name] = conclusion
    if not named & sentences.keys():
        raise _Wrong("its proof names no sentence")
    return tuple(steps), named
