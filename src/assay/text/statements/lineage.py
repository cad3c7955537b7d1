"""The statement as the ARC lineage makes it: the first question word becomes a blank, the blank the
choice.

Source: "Think you have Solved Question Answering?" (Clark et al. 2018), appendix B, and the rules of the
code published with it. Kept as they were, faults and all, so that published numbers can be compared:

- no word boundaries: the end of "show " is taken for "how";
- every choice is lower-cased unless a blank opens a sentence: DNA becomes dna;
- the words stay in the question's order ("One many times does Earth rotate"), and so do the sentences
  before it;
- a stem with a blank of its own and a question word is filled at both.

Two things differ, since they were crashes: a backslash in a choice is text, and an empty choice fills
nothing.
"""

from __future__ import annotations

import re

WH_WORDS = ("which", "what", "where", "when", "how", "who", "why")
BLANK = "___"


def fill_in_the_blank(stem: str) -> tuple[str, str]:
    """The stem with a blank, and the rule that put it there.

    Which, what, where, when, how, who, why are looked for in that order in a lower-cased copy: the first
    that stands directly before "?" with no full stop after it wins; else, of those followed by a space or
    a comma with no full stop after them, the leftmost. No such word: at the end if the text doesn't end in
    "." or "?", else at " this ".
    """
    stem = stem.strip()
    found = _wh_word(stem)
    if found is not None:
        start, end = found
        text = f"{stem[:start]}{BLANK}{stem[end:]}"
        text = re.sub(r"\?$", ".", text)
        return text.replace(f"{BLANK} of the following", BLANK), "question word"
    if not re.search(r"[.?]\s*$", stem):
        return f"{stem} {BLANK}", "unfinished"
    if "_" in (marked := re.sub(r" this[ ?]", f" {BLANK} ", stem)):
        return marked, "blank" if marked == stem else "this"
    return re.sub(r"[.? ]*$", "", stem) + f" {BLANK}", "appended"


def _wh_word(stem: str) -> tuple[int, int] | None:
    # A letter whose lower case is longer would move every place after it.
    lower = "".join(small if len(small := letter.lower()) == 1 else letter for letter in stem)
    # A full stop may end the text, or spaces and more full stops: nothing but those may follow one.
    last = lower.rstrip(". ")
    after = last.rfind(".") + 1
    places = []
    for word in WH_WORDS:
        if (at := last.find(word + "?", after)) >= 0:
            return at, at + len(word)
        # "[ ,]" needs the text as it was: the word may be its last.
        followed = [at for mark in " ," if (at := lower.find(word + mark, after)) >= 0]
        if followed:
            places.append((min(followed), len(word)))
    if not places:
        return None
    at, length = min(places)
    return at, at + length


def fill(blanked: str, choice: str) -> str:
    """The choice in every blank (two underscores or more): lower-cased, or with a capital if a blank opens
    a sentence; its final full stops stay only where the blank is the end of the text."""
    if f". {BLANK}" in blanked or blanked.startswith(BLANK):
        choice = choice[:1].upper() + choice[1:]
    else:
        choice = choice.lower()
    if not blanked.endswith(BLANK):
        choice = choice.rstrip(".")
    return re.sub("__+", lambda _: choice, blanked)
