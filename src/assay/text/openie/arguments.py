"""Arguments of a relation: objects, what prepositions bring, adverbs, complements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.text.openie.clauses import Clause, condition_word
from assay.text.openie.extraction import Argument, Phrase
from assay.text.openie.phrases import exemplifies, phrase, trimmed
from assay.text.openie.tree import Tree
from assay.text.openie.words import CAUSING, KINDS, LIGHT, LINKING, SAYING

_DIRECT = ("dobj", "attr", "acomp", "oprd", "dative")


@dataclass
class Arguments:
    """`choices`: places of direct objects, each with its coordinated ones, of which a tuple takes one each.

    `others`: arguments that every tuple has, each with its place in the sentence. `relation`: tokens of a
    noun that belong to the relation ("takes place", "is a kind").
    """

    choices: list[list[tuple[int, Argument]]] = field(default_factory=list)
    others: list[tuple[int, Argument]] = field(default_factory=list)
    relation: list[int] = field(default_factory=list)


def arguments_of(tree: Tree, clause: Clause) -> Arguments:
    """All arguments of a clause."""
    found = Arguments()
    for verb in clause.chain:
        for child in tree.children[verb]:
            if child not in clause.chain:
                _add(tree, clause, verb, child, found)
    if clause.filler is not None:
        _fill(tree, clause, found)
    return found


def argument(tokens: Sequence[int], preposition: str | None = None) -> Argument:
    """Some tokens as an argument."""
    return Argument(Phrase(tuple(tokens)), preposition)


def _add(tree: Tree, clause: Clause, verb: int, child: int, found: Arguments) -> None:
    dep = tree[child].dep
    if dep in ("dative", "prep", "agent") and tree[child].pos in ("ADP", "SCONJ", "VERB", "ADV", "PART"):
        _prepositional(tree, child, found)
    elif dep in _DIRECT:
        _direct(tree, clause, verb, child, found)
    elif dep == "npadvmod":
        found.others.append((child, argument(phrase(tree, child))))
    elif dep == "advmod":
        _adverb(tree, verb, child, found)
    elif dep in ("advcl", "xcomp", "ccomp"):
        _complement(tree, child, found)


def _direct(tree: Tree, clause: Clause, verb: int, head: int, found: Arguments) -> None:
    if _is_subject(tree, clause, head):
        return lift(tree, head, found)
    if (tree[verb].lemma, tree[head].lemma) in LIGHT:
        found.relation.extend(_without_of(tree, head))
        return lift(tree, head, found, of=True)
    if tree[head].dep == "attr" and tree[head].lemma in KINDS and _of(tree, head) is not None:
        found.relation.extend(_without_of(tree, head))
        return lift(tree, head, found, of=True)
    heads = tree.conjuncts(head)
    if tree[head].pos in ("ADJ", "ADV"):
        heads = [one for one in heads if one == head or tree[one].pos in ("NOUN", "PROPN")]
    if tree[head].tag.startswith("W") and tree[head].dep == "dobj" and clause.filler is not None:
        return None
    choice = [(one, argument(phrase(tree, one))) for one in heads if not tree.verbal(one) or one == head]
    found.choices.append(choice)
    for one in heads:
        lift(tree, one, found)
    return None


def _is_subject(tree: Tree, clause: Clause, head: int) -> bool:
    # The noun of "there is ..." is the clause's subject already.
    return tree.first(clause.verb, "expl") is not None and any(
        subject is not None and head in subject for subject in clause.subjects
    )


def _of(tree: Tree, head: int) -> int | None:
    return next((child for child in tree.below(head, "prep") if tree.lower(child) == "of"), None)


def _without_of(tree: Tree, head: int) -> list[int]:
    of = _of(tree, head)
    gone = set() if of is None else set(tree.subtree(of))
    return [at for at in phrase(tree, head) if at not in gone]


def lift(tree: Tree, head: int, found: Arguments, *, of: bool = False) -> None:
    """Make arguments of what hangs from a noun or an adjective with a preposition, and of its infinitives."""
    waiting = [head]
    while waiting:
        at = waiting.pop()
        for child in tree.children[at]:
            dep = tree[child].dep
            if dep == "prep" and (of or tree.lower(child) != "of" or tree[at].pos == "ADJ"):
                if not exemplifies(tree, child):
                    _prepositional(tree, child, found)
            elif dep in ("acl", "xcomp", "relcl", "advcl") and tree.infinitive(child):
                _complement(tree, child, found)
            elif tree[at].pos == "ADJ" and (dep == "advmod" or (dep == "conj" and tree[child].pos == "ADJ")):
                waiting.append(child)


def _prepositional(tree: Tree, preposition: int, found: Arguments) -> None:
    """Every noun behind the preposition as an argument of its own."""
    for one in [
        at for at in tree.conjuncts(preposition) if tree[at].dep in ("prep", "agent", "dative", "conj")
    ]:
        said = _preposition(tree, one)
        for child in tree.children[one]:
            dep = tree[child].dep
            if dep == "pobj":
                for noun in tree.conjuncts(child):
                    found.others.append((noun, argument(phrase(tree, noun), said)))
                    lift(tree, noun, found)
            elif dep == "pcomp" and tree[child].tag not in ("IN", "RB"):
                found.others.append((child, argument(trimmed(tree, tree.subtree(child)), said)))
            elif dep == "prep":
                if child == one + 1:
                    _further(tree, said, child, found)
                else:
                    _prepositional(tree, child, found)
            elif dep in ("amod", "advmod") and child > one:
                found.others.append((child, argument(phrase(tree, child), said)))


def _further(tree: Tree, before: str, preposition: int, found: Arguments) -> None:
    """A preposition behind a preposition: "out of", "from under"."""
    for child in tree.below(preposition, "pobj"):
        for noun in tree.conjuncts(child):
            found.others.append((noun, argument(phrase(tree, noun), f"{before} {tree.lower(preposition)}")))
            lift(tree, noun, found)


def _preposition(tree: Tree, index: int) -> str:
    """The word, with what makes one preposition of several: "because of", "instead of", "according to"."""
    words = [
        child for child in tree.below(index, "pcomp", "prep", "advmod", "fixed") if abs(child - index) == 1
    ]
    joined = [child for child in words if tree[child].tag in ("IN", "RB") and not tree.children[child]]
    return " ".join(tree.lower(at) for at in sorted([index, *joined]))


def _adverb(tree: Tree, verb: int, child: int, found: Arguments) -> None:
    if child < verb or tree.lower(child) in LINKING or tree[child].tag == "WRB":
        return
    found.others.append((child, argument(phrase(tree, child))))
    lift(tree, child, found)
    for below in tree.below(child, "prep"):
        if tree.lower(below) == "of" and tree[child].pos != "ADJ":
            _prepositional(tree, below, found)


def _complement(tree: Tree, verb: int, found: Arguments) -> None:
    """A clause as an argument: "that ...", "to ...", or a noun and what it does."""
    dep = tree[verb].dep
    subject = tree.first(verb, "nsubj", "nsubjpass")
    finite = tree[verb].tag in ("VBZ", "VBP", "VBD", "MD") or any(
        tree[child].tag in ("MD", "VBZ", "VBP", "VBD") for child in tree.below(verb, "aux", "auxpass")
    )
    if tree[tree[verb].head].lemma in CAUSING and tree[verb].text == tree[verb].lemma:
        finite = False
    marks = [
        child for child in tree.below(verb, "mark", "aux") if tree[child].tag in ("TO", "IN") and child < verb
    ]
    if dep == "advcl" and (not tree.infinitive(verb) or condition_word(tree, verb) is not None):
        return
    if dep == "ccomp" and verb < tree[verb].head and not marks and tree[tree[verb].head].lemma not in SAYING:
        return
    if finite or subject is None:
        said = next(
            (tree.lower(mark) for mark in marks if tree.lower(mark) in ("that", "to", "whether", "if")), None
        )
        tokens = trimmed(tree, tree.subtree(verb, marks))
        found.others.append((verb, argument(tokens, said)))
        return
    nouns = tree.conjuncts(subject)
    found.choices.append([(noun, argument(phrase(tree, noun))) for noun in nouns])
    if tree.verbal(verb):
        tokens = trimmed(tree, tree.subtree(verb, [*marks, subject]))
        found.others.append((verb, argument(tokens, "to" if tree.infinitive(verb) else None)))
        return
    found.others.append((verb, argument(phrase(tree, verb))))
    lift(tree, verb, found)


def _fill(tree: Tree, clause: Clause, found: Arguments) -> None:
    """Put the noun that a relative clause leaves out in its place."""
    assert clause.filler is not None
    tokens = clause.filler
    relative = {at for at in tree.subtree(clause.verb) if tree[at].tag in ("WDT", "WP", "WRB")}
    for place, (at, given) in enumerate(found.others):
        if set(given.phrase.tokens) <= relative:
            found.others[place] = (at, argument(tokens, given.preposition))
            return
    found.choices = [
        [one for one in choice if not set(one[1].phrase.tokens) <= relative] for choice in found.choices
    ]
    found.choices = [[(tokens[-1], argument(tokens))], *[choice for choice in found.choices if choice]]
