"""The tuples of a sentence: clauses with their arguments, appositions, examples."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from assay.text.openie.arguments import Arguments, arguments_of, lift
from assay.text.openie.clauses import Clause, clauses
from assay.text.openie.extraction import Argument, Extraction, Phrase
from assay.text.openie.phrases import exemplifies, phrase
from assay.text.openie.tree import Tree

MOST = 16
"""Tuples of one clause by coordination: where there would be more, its objects stand together in one."""
NEAR = 16
"""Coordinated verbs over which auxiliaries are shared."""


def tuples(tree: Tree) -> list[Extraction]:
    """All tuples, in the order of their relations' first words."""
    found = [one for clause in clauses(tree) for one in _of_clause(tree, clause)]
    for index, token in enumerate(tree.tokens):
        if token.dep == "appos":
            found.extend(_apposition(tree, index))
        elif token.dep == "prep" and exemplifies(tree, index):
            found.extend(_examples(tree, index))
    unique = dict.fromkeys(found)
    return sorted(unique, key=lambda one: one.relation.tokens[0])


def _of_clause(tree: Tree, clause: Clause) -> Iterator[Extraction]:
    arguments = _shared(tree, clause) or arguments_of(tree, clause)
    relation = Phrase(tuple(sorted({*_relation(tree, clause), *arguments.relation})))
    condition = None if clause.condition is None else Phrase(clause.condition)
    if clause.subjects == [None] and not arguments.choices and not arguments.others:
        return
    for subject, listed in product(clause.subjects, _combinations(arguments, len(clause.subjects))):
        named = None if subject is None else Phrase(subject)
        yield Extraction(named, relation, listed, clause.negated, condition)


def _shared(tree: Tree, clause: Clause) -> Arguments | None:
    """What follows two verbs is said of both: "make and store food"."""
    for other in tree.below(clause.last, "conj"):
        between = set(range(clause.last + 1, other))
        if between and between <= set(tree.below(clause.last, "cc")) and not tree.below(other, "aux", "neg"):
            own = {child for child in tree.children[clause.last] if child > clause.last} - between
            if own - set(tree.below(clause.last, "punct")) == {other}:
                joined = arguments_of(tree, Clause([other]))
                before = arguments_of(tree, clause)
                joined.others.extend(before.others)
                return joined
    return None


def _combinations(arguments: Arguments, subjects: int) -> list[tuple[Argument, ...]]:
    """The arguments of each tuple: one of every coordinated object, then all others as they stand."""
    others = tuple(argument for _, argument in sorted(arguments.others, key=lambda one: one[0]))
    count = subjects
    for choice in arguments.choices:
        count *= len(choice)
    choices = sorted(arguments.choices, key=lambda choice: choice[0][0])
    if count > MOST:
        return [(*(argument for choice in choices for _, argument in choice), *others)]
    return [(*(argument for _, argument in one), *others) for one in product(*choices)]


def _relation(tree: Tree, clause: Clause) -> list[int]:
    found: list[int] = []
    for verb in (*clause.before, *clause.chain):
        found.append(verb)
        found.extend(
            child
            for child in tree.below(verb, "aux", "auxpass", "prt")
            if tree[child].tag != "TO" or clause.before or verb != clause.verb
        )
    found.extend(_shared_auxiliaries(tree, clause))
    return found


def _shared_auxiliaries(tree: Tree, clause: Clause) -> list[int]:
    """Those of the verb that this one is coordinated with: "are washed and cut", "wants to swim and dive"."""
    verb = clause.verb
    if tree[verb].dep != "conj" or tree.below(verb, "aux", "auxpass", "nsubj", "nsubjpass"):
        return []
    first = tree[verb].head
    for _ in range(NEAR):
        if tree[first].dep != "conj" or tree.below(first, "aux", "auxpass"):
            break
        first = tree[first].head
    if not clause.before and tree[first].tag != tree[verb].tag:
        return []
    auxiliaries = tree.below(first, "aux", "auxpass")
    return [child for child in auxiliaries if tree[child].tag != "TO" or clause.before]


def _apposition(tree: Tree, head: int) -> Iterator[Extraction]:
    """What a noun is said to be between commas; the mark between stands for "is"."""
    noun = tree[head].head
    marks = [at for at in range(noun + 1, head) if tree[at].pos == "PUNCT"]
    if not marks or tree[noun].pos not in ("NOUN", "PROPN", "PRON"):
        return
    lifted = Arguments()
    lift(tree, head, lifted)
    others = tuple(argument for _, argument in sorted(lifted.others, key=lambda one: one[0]))
    yield Extraction(
        Phrase(tuple(phrase(tree, noun))),
        Phrase((marks[-1],)),
        (Argument(Phrase(tuple(phrase(tree, head)))), *others),
    )


def _examples(tree: Tree, preposition: int) -> Iterator[Extraction]:
    noun = tree[preposition].head
    if tree[noun].pos not in ("NOUN", "PROPN", "PRON"):
        return
    such = [child for child in tree.children[preposition] if tree.lower(child) == "such"]
    for child in tree.below(preposition, "pobj"):
        for one in tree.conjuncts(child):
            yield Extraction(
                Phrase(tuple(phrase(tree, noun))),
                Phrase(tuple(sorted([*such, preposition]))),
                (Argument(Phrase(tuple(phrase(tree, one)))),),
            )
