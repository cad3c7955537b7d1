"""Statements: what each kind of question becomes, by both methods; and what must hold for any text."""

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.errors import AssayError
from assay.text.statements import METHODS, statement
from assay.text.statements.verbs import past, third
from assay.text.statements.written import indefinite

FILE = Path(__file__).with_name("statements.tsv")
TABLE = [line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines()[1:]]
ODD = [
    ("", "iron", "Iron."),
    ("   ", "iron", "Iron."),
    ("What melts ice?", "", "What melts ice?"),
    ("What  melts\n ice ?", "  heat ", "Heat melts ice."),
    ("What’s the job of a root?", "to take in water", "The job of a root is to take in water."),
    ("¿Qué metal es líquido?", "El mercurio", "¿Qué metal es líquido? El mercurio."),
    ("哪个行星最大？", "木星", "哪个行星最大？ 木星。"),
    ("Welches Tier legt Eier?", "das Huhn", "Welches Tier legt Eier? Das Huhn."),
    ("What prints a tab?", "\\t", "\\t prints a tab."),
]


@pytest.mark.parametrize(("kind", "stem", "choice", "right"), TABLE, ids=[" ".join(row[:3]) for row in TABLE])
def test_a_question_becomes_a_statement(kind: str, stem: str, choice: str, right: str) -> None:
    assert statement(stem, choice).text == right


@pytest.mark.parametrize(("stem", "choice", "right"), ODD)
def test_odd_texts(stem: str, choice: str, right: str) -> None:
    assert statement(stem, choice).text == right


@pytest.mark.parametrize(
    ("stem", "choice", "rule", "background"),
    [
        ("Ann has a cat. What does it eat? Think well.", "fish", "object", "Ann has a cat. Think well."),
        ("What melts ice?", "heat", "subject", ""),
        ("The Sun is a", "star", "unfinished", ""),
        ("Ice is ___.", "cold", "blank", ""),
        ("Quo vadis?", "Romam", "side by side", ""),
        ("What melts ice?", " ", "empty choice", ""),
        ("\n", "heat", "empty stem", ""),
        ("How many legs has a fly?", "six", "measure", ""),
        ("Is ice cold?", "Yes", "yes or no", ""),
        ("Name a metal.", "iron", "order", ""),
        ("Why do cats purr?", "to calm down", "why", ""),
    ],
)  # fmt: skip
def test_it_says_what_made_it_and_what_it_left_out(
    stem: str, choice: str, rule: str, background: str
) -> None:
    made = statement(stem, choice)
    assert (made.rule, made.background, made.method) == (rule, background, "grammatical")


LINEAGE = [
    ("How many times does Earth rotate in a day?", "One", "One many times does Earth rotate in a day."),
    ("Ice is cold. Which of the following melts it?", "Heat", "Ice is cold. Heat melts it."),
    ("Sound is carried through what?", "Air.", "Sound is carried through air."),
    ("The tables show which gas?", "CO2", "The tables sco2 which gas."),
    ("Which, if any, is a gas?", "air", "Air, if any, is a gas."),
    ("What do what?", "things", "What do things."),
    ("The Sun is a", "Star.", "The Sun is a star."),
    ("Plants need this ?", "Water", "Plants need water ?"),
    ("All cells need this to live.", "Water", "All cells need water to live."),
    ("It is a ___.", "Metal.", "It is a metal."),
    ("When it melts, ice is ___.", "Water", "Water it melts, ice is Water."),
    ("Name a metal.", "Iron", "Name a metal iron"),
    ("What? It is. Yes", "No", "What? It is. Yes no"),
    (r"What prints a tab?", r"\t", r"\t prints a tab."),
    ("What melts ice?", "", " melts ice."),
    ("İİ which is it?", "A", "İİ a is it."),
]


@pytest.mark.parametrize(("stem", "choice", "right"), LINEAGE)
def test_the_lineage_as_it_was(stem: str, choice: str, right: str) -> None:
    assert statement(stem, choice, "lineage").text == right


def slow_place(stem: str) -> tuple[int, int] | None:
    """The rule read letter by letter: nothing but full stops and spaces may follow a full stop after it."""
    found = []
    for word in ("which", "what", "where", "when", "how", "who", "why"):
        for mark in ("?", " ,"):
            ends = [
                at
                for at in range(len(stem))
                if stem.startswith(word, at)
                and stem[at + len(word) : at + len(word) + 1] in set(mark)
                and "." not in stem[at + len(word) + 1 :].rstrip(". ")
            ]
            if ends and mark == "?":
                return ends[0], len(word)
            found += [(ends[0], len(word))] if ends else []
    return min(found) if found else None


@given(
    st.lists(st.sampled_from("which what how who why show a . ? , ".split(" ")), max_size=9), st.booleans()
)
def test_the_lineage_finds_the_word_its_rule_names(parts: list[str], spaced: bool) -> None:
    stem = (" " if spaced else "").join(parts).strip()
    place = slow_place(stem)
    made = statement(stem, "XYZ", "lineage")
    assert (made.rule == "question word") == (place is not None)
    if place is not None:
        at, length = place
        rest = re.sub(r"\?$", ".", stem[at + length :])
        assert made.text.lower() == f"{stem[:at]}xyz{rest}".replace("xyz of the following", "xyz")


WORDS = """
which what who whose where when why how Which What Where When Why How many much long is are was does
do did can would has the a an of following these statement best explains most likely NOT EXCEPT
plant plants water cell cells DNA measure change causes form made called to in during by because if
not that it they ___ ____ [ ] ? . , : ! ... " ( ) ’ Yes No all above Identify Name called happen
occur sun Mars 8 it's İ ß 木 é \x00 \u2028 \t
""".replace("\n", " ").split(" ")
TEXT = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=14).map("".join),
    st.text(max_size=30),
)


@given(TEXT, TEXT)
@example("___" * 3, "a, b")
@example("A ___ . ___", "")
@example("Is it?", "?")
def test_any_text_makes_a_statement(stem: str, choice: str) -> None:
    for method in METHODS:
        made = statement(stem, choice, method)
        assert made == statement(stem, choice, method)
        assert made.rule
    made = statement(stem, choice)
    assert "  " not in made.text
    assert made.text == made.text.strip()


@given(
    TEXT,
    st.sampled_from(["copper wire", "a red bird", "It melts.", "to grow", "DNA", "eating 3 eggs", "in mud"]),
)
def test_the_choice_is_in_its_statement(stem: str, choice: str) -> None:
    assert choice.rstrip(".").lower() in statement(stem, choice).text.lower()


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(AssayError, match="grammatical, lineage"):
        statement("What?", "x", "magic")  # type: ignore[arg-type]


def test_forms_of_verbs() -> None:
    assert [third(verb) for verb in "carry go have mix play wash be".split()] == (
        "carries goes has mixes plays washes is".split()
    )
    assert [
        past(verb) for verb in "carry go have stop move play".split()
    ] == "carried went had stopped moved played".split()
    assert [
        indefinite(word) for word in ["hour", "unit", "X-ray", "egg", "8th", "DNA", "MRI", "one", "US"]
    ] == ("an a an an an a an a a".split())


@pytest.mark.real_data
def test_most_questions_have_a_rule(shared_data: Path) -> None:
    from assay.questions import read_questions
    from assay.questions.statements import statement_records

    files = [str(path) for path in sorted(shared_data.glob("arc/ARC-*/*Dev.jsonl"))]
    made = statement_records(read_questions(files).questions)
    beside = sum(one["rule"] == "side by side" for one in made)
    assert len(made) > 3000
    assert beside / len(made) < 0.02


def test_a_torn_character_stays_as_it_is() -> None:
    made = statement("It is hot. Which \ud83e is torn?", "a\udc00b")
    assert made.text == "A\udc00b is torn."
    assert made.background == "It is hot."
