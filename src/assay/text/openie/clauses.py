"""Clauses: which tokens are predicates, what their subjects are, and under what condition they hold."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.text.openie.phrases import denied, phrase, trimmed
from assay.text.openie.tree import Tree
from assay.text.openie.words import ABLE, ASKING, CONDITION, HYPOTHETICAL, RELATIVE

_SUBJECTS = ("nsubj", "nsubjpass")
_HEADS = frozenset("ROOT conj relcl acl advcl ccomp xcomp pcomp csubj csubjpass parataxis dep".split())


@dataclass
class Clause:
    """A predicate with its subjects.

    `chain`: the verbs of one relation, first to last ("want", "become"); its last one has the objects.
    `subjects`: the phrases a tuple each is made of; None: none is named. `filler`: the noun that a relative
    clause leaves out, when it isn't the subject. `before`: verbs of the relation that this clause shares with
    the one it is coordinated with ("wants to swim and (wants to) dive").
    """

    chain: list[int]
    subjects: list[tuple[int, ...] | None] = field(default_factory=list)
    filler: tuple[int, ...] | None = None
    negated: bool = False
    condition: tuple[int, ...] | None = None
    before: list[int] = field(default_factory=list)

    @property
    def verb(self) -> int:
        return self.chain[0]

    @property
    def last(self) -> int:
        return self.chain[-1]


def clauses(tree: Tree) -> list[Clause]:
    """The clauses of a sentence that may give tuples, by their verbs' places."""
    merged: set[int] = set()
    found: dict[int, Clause] = {}
    owners: dict[int, Clause] = {}
    hypothetical = _hypothetical(tree)
    for verb in _outward(tree):
        if verb in merged or not predicate(tree, verb):
            continue
        chain = _chain(tree, verb)
        merged.update(chain[1:])
        clause = Clause(chain)
        if _find_subjects(tree, clause, owners):
            found[verb] = clause
            owners.update(dict.fromkeys(chain, clause))
            clause.negated = _negated(tree, clause, found)
            clause.condition = _condition(tree, clause, found)
    return [found[verb] for verb in sorted(found) if verb not in hypothetical]


def predicate(tree: Tree, index: int) -> bool:
    """The token heads a clause: a verb that isn't an auxiliary or an adjective."""
    token = tree[index]
    if token.dep not in _HEADS:
        return False
    if tree.verbal(index):
        return token.tag.startswith("VB") or token.tag == "MD"
    if token.dep == "conj" and token.tag in ("NN", "NNS") and tree[token.head].tag.startswith("VB"):
        # What is coordinated with a verb is a verb, whatever the tagger took it for.
        return tree[token.head].dep != "amod" and not tree.below(index, "det", "amod", "poss", "compound")
    return (
        tree.first(index, *_SUBJECTS) is not None and tree.first(index, "cop", "aux", "auxpass") is not None
    )


def passive(tree: Tree, verb: int) -> bool:
    """It stands in the passive, by its auxiliary or as a participle alone."""
    if tree.first(verb, "auxpass", "nsubjpass") is not None:
        return True
    return tree[verb].tag == "VBN" and tree.first(verb, "aux", "nsubj") is None


def subject_phrases(tree: Tree, head: int) -> list[tuple[int, ...]]:
    """A phrase for each coordinated noun."""
    return [tuple(phrase(tree, one, prepositions=True)) for one in tree.conjuncts(head)]


def condition_word(tree: Tree, clause: int) -> str | None:
    """The word that makes an adverbial clause a condition: "if", "when" and their kind."""
    marks = tree.below(clause, "mark", "advmod")
    return next((tree.lower(mark) for mark in marks if mark < clause and tree.lower(mark) in CONDITION), None)


def _outward(tree: Tree) -> list[int]:
    """Every token, a governor always before what it governs."""
    order = [index for index, token in enumerate(tree.tokens) if token.head == index]
    for at in order:
        order.extend(tree.children[at])
    return order


def _hypothetical(tree: Tree) -> set[int]:
    found: set[int] = set()
    for index, token in enumerate(tree.tokens):
        if token.dep == "advcl" and index not in found and condition_word(tree, index) in HYPOTHETICAL:
            found.update(tree.subtree(index))
    return found


def _chain(tree: Tree, verb: int) -> list[int]:
    """The verbs that are one relation: want (to) become; are able (to) hear; enjoy playing."""
    chain = [verb]
    while True:
        last = chain[-1]
        if tree.below(last, "dobj", "attr", "dative"):
            return chain
        able = tree.first(last, "acomp")
        if able is not None and tree.lower(able) in ABLE and tree.first(able, "xcomp") is not None:
            chain.append(able)
            last = able
        elif able is not None:
            return chain
        next_ = next(
            (
                child
                for child in tree.below(last, "xcomp")
                if tree.verbal(child)
                and child > last
                and tree.first(child, *_SUBJECTS) is None
                and (tree.infinitive(child) or tree[child].tag == "VBG")
            ),
            None,
        )
        if next_ is None:
            return chain
        chain.append(next_)


def _find_subjects(tree: Tree, clause: Clause, owners: dict[int, Clause]) -> bool:
    """Fill in `subjects` and `filler`; False: the clause states nothing."""
    verb, token = clause.verb, tree[clause.verb]
    if token.dep in ("relcl", "acl") and _of_noun(tree, clause, token.head, owners):
        return True
    if (own := tree.first(verb, *_SUBJECTS)) is not None:
        clause.subjects = [*subject_phrases(tree, own)]
        return True
    if (whole := tree.first(verb, "csubj", "csubjpass")) is not None:
        clause.subjects = [tuple(trimmed(tree, tree.subtree(whole)))]
        return True
    if tree.first(verb, "expl") is not None:
        clause.subjects = [
            one
            for there in tree.below(verb, "attr", "dobj")[:1]
            for one in (tuple(phrase(tree, noun)) for noun in tree.conjuncts(there))
        ]
        return bool(clause.subjects)
    return _inherit(tree, clause, next((owners[at] for at in tree.above(verb) if at in owners), None))


def _inherit(tree: Tree, clause: Clause, governor: Clause | None) -> bool:
    """The subject of the clause that governs this one, where it is its subject too."""
    token = tree[clause.verb]
    if token.dep == "ROOT" or governor is None:
        clause.subjects = [None]
        return token.dep in ("ROOT", "dep", "conj", "parataxis") and token.tag != "VBG"
    if token.dep == "conj":
        if token.head not in governor.chain:
            return False
        clause.subjects, clause.filler = list(governor.subjects), governor.filler
        clause.before = [*governor.before, *governor.chain[: governor.chain.index(token.head)]]
        return True
    clause.subjects = list(governor.subjects)
    if token.dep == "advcl":
        if None in governor.subjects:
            return False
        if tree.infinitive(clause.verb):
            return not passive(tree, governor.last)
        participle = token.tag in ("VBG", "VBN")
        return participle and (
            tree.first(clause.verb, "mark") is None or condition_word(tree, clause.verb) is not None
        )
    if token.dep == "pcomp":
        return (
            tree.lower(token.head) == "by"
            and not passive(tree, governor.last)
            and governor.subjects != [None]
        )
    return _controlled(tree, clause, governor)


def _controlled(tree: Tree, clause: Clause, governor: Clause) -> bool:
    """An infinitive behind an object: who is asked to close it does, who uses nectar to make honey does."""
    token = tree[clause.verb]
    if token.dep not in ("xcomp", "ccomp") or token.head not in governor.chain:
        return False
    if tree[token.head].lemma not in ASKING:
        return None not in governor.subjects and not passive(tree, governor.last)
    objects = [one for one in tree.below(token.head, "dobj") if one < clause.verb]
    if not objects:
        return False
    clause.subjects = [*subject_phrases(tree, objects[-1])]
    return True


def _of_noun(tree: Tree, clause: Clause, noun: int, owners: dict[int, Clause]) -> bool:
    """A relative clause or a participle: the noun is its subject or what it leaves out."""
    verb, token = clause.verb, tree[clause.verb]
    if tree[noun].pos not in ("NOUN", "PROPN", "PRON", "NUM", "SYM"):
        return False
    antecedent = tuple(phrase(tree, noun))
    own = tree.first(verb, *_SUBJECTS)
    if own is None:
        if tree.infinitive(verb) or tree.infinitive(clause.last):
            return _purpose_of_object(tree, clause, noun, owners)
        clause.subjects = [antecedent]
        return True
    if tree.lower(own) in RELATIVE and tree[own].tag.startswith("W"):
        clause.subjects = [antecedent]
        return True
    whose = next((child for child in tree.below(own, "poss") if tree.lower(child) == "whose"), None)
    if whose is not None:
        kept = [at for at in phrase(tree, own) if at != whose]
        clause.subjects = [tuple(sorted({*antecedent, *kept}))]
        return True
    clause.subjects = [*subject_phrases(tree, own)]
    clause.filler = antecedent
    return token.dep == "relcl"


def _purpose_of_object(tree: Tree, clause: Clause, noun: int, owners: dict[int, Clause]) -> bool:
    """An infinitive at an object ("have wings to fly"): who has the object does it."""
    governor = next((owners[at] for at in tree.above(noun) if at in owners), None)
    if governor is None or passive(tree, governor.last) or None in governor.subjects:
        return False
    if tree[noun].dep != "dobj":
        return False
    clause.subjects = list(governor.subjects)
    return True


def _negated(tree: Tree, clause: Clause, found: dict[int, Clause]) -> bool:
    if any(tree.first(verb, "neg") is not None for verb in clause.chain):
        return True
    token = tree[clause.verb]
    if token.dep == "conj":
        words = {tree.lower(child) for child in tree.below(token.head, "cc", "preconj")}
        shared = tree.first(clause.verb, "aux", "auxpass", *_SUBJECTS) is None
        if "nor" in words or ("or" in words and shared):
            return token.head in found and found[token.head].negated
    if any(tree.lower(child) == "nor" for child in tree.below(clause.verb, "cc")):
        return True
    nouns = [*tree.below(clause.verb, *_SUBJECTS), *tree.below(clause.last, "dobj", "attr")]
    return any(denied(tree, noun) for noun in nouns)


def _condition(tree: Tree, clause: Clause, found: dict[int, Clause]) -> tuple[int, ...] | None:
    for verb in clause.chain:
        for child in tree.below(verb, "advcl"):
            if condition_word(tree, child) is not None:
                return tuple(trimmed(tree, tree.subtree(child)))
    token = tree[clause.verb]
    if token.dep == "conj" and token.head in found:
        shared = found[token.head].condition
        own_subject = tree.first(clause.verb, *_SUBJECTS) is not None
        # Before both verbs or behind both it is said of both.
        if shared and not own_subject and (shared[0] < token.head or shared[0] > clause.verb):
            return shared
    return None
