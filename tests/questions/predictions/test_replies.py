import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.questions.model import Choice, Question
from assay.questions.predictions.replies import read_reply

METALS = Question(
    "m",
    "Which metal?",
    tuple(Choice(*pair) for pair in zip("ABCD", ("carbon", "iron", "copper", "tin"), strict=True)),
)
DIGITS = Question("d", "How many?", tuple(Choice(str(n + 1), f"{n + 3} legs") for n in range(4)))
NUMBERS = Question("n", "2 + 2?", tuple(Choice(*pair) for pair in zip("ABCD", "2345", strict=True)))
GENES = Question("g", "Which genes?", (Choice("A", "Rr"), Choice("B", "rr"), Choice("C", "RR")))
TWINS = Question("t", "Which?", (Choice("A", "ore"), Choice("B", "ore"), Choice("C", "tin")))


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("Answer probably involves heat.\n\nAnswer: D", "D"),
        ("Answer: we need the densest metal.\n...\nanswer: b", "B"),
        ("ANSWER: B, C and D", "BCD"),
        ("**ANSWER: Carbon**", "A"),
        ("Cold air sinks, so the lower vent is right.\n\nC", "C"),
        ("ANSWER: C", "C"),
        ("Answer: A\nNo, wait.\nAnswer: B", "B"),
        ("**Answer:** B", "B"),
        ("**Answer**: (B)", "B"),
        ("## Answer\n\nThe answer is **C**.", "C"),
        ("The correct answer is: D) tin", "D"),
        ("Final Answer: $\\boxed{C}$", "C"),
        ("So \\boxed{B}", "B"),
        ("<answer>B</answer>", "B"),
        ("The answer to the question is C because it melts.", "C"),
        ("Answer: B, because iron rusts.", "B"),
        ("Answer: option B", "B"),
        ("Answer: Option (C).", "C"),
        ("Answer: A bat is a mammal.\nAnswer: tin", "D"),
        ("B", "B"),
        ("b.", "B"),
        ("(B)", "B"),
        ("**B**", "B"),
        ("B and C", "BC"),
        ("B; C", "BC"),
        ("B. iron", "B"),
        ("B) because it rusts, and carbon does not.", "B"),
        ("copper", "C"),
        ("Copper.", "C"),
        ("Let me think.\ncopper", "C"),
        ("It rusts, so it is B.", "B"),
        ("answer = B", "B"),
        ("Answer:\nB", "B"),
        ("Answer:\r\nB\r\n", "B"),
        ("The right choice is D", "D"),
        ("Answer: C, B", "BC"),
        ("Answer: both A and D", "AD"),
        ("Answer: A, B, C, or D", "ABCD"),
    ],
)
def test_labels_are_read(text, chosen) -> None:
    reply = read_reply(METALS, text)
    assert (reply.status, "".join(reply.chosen)) == ("answered", chosen)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("Hard to say.", "unparsed"),
        ("Answer unclear.", "unparsed"),
        ("Answer: unclear", "unparsed"),
        ("Answer: Bronze", "unparsed"),
        ("Because.", "unparsed"),
        ("Dense metals sink", "unparsed"),
        ("A bat is a mammal.", "unparsed"),
        ("Answer: A bat is a mammal.", "unparsed"),
        ("I like vitamin C", "unparsed"),
        ("A. carbon\nB. iron\nC. copper\nD. tin", "unparsed"),
        ("Answer: E", "unparsed"),
        ("Answer: A\nAnswer: E", "unparsed"),
        ("Answer: none of these", "unparsed"),
        ("...", "unparsed"),
        ("**", "unparsed"),
        ("I cannot help with that", "refused"),
        ("I cannot help with that.", "refused"),
        ("I can't assist with this request.", "refused"),
        ("I’m sorry, but no.", "refused"),
        ("Sorry, I am unable to answer this.", "refused"),
        ("We won't discuss this.", "refused"),
    ],
)
def test_what_names_no_label_is_told_apart(text, status) -> None:
    reply = read_reply(METALS, text)
    assert (reply.status, reply.chosen) == (status, ())


def test_a_refusal_that_answers_after_all_is_answered() -> None:
    assert read_reply(METALS, "I cannot help with that. Well: the answer is B.").chosen == ("B",)


def test_letters_stand_for_digits_only_when_asked() -> None:
    assert read_reply(DIGITS, "Answer: B").stranger == "B"
    assert read_reply(DIGITS, "Answer: B", letters_for_digits=True).chosen == ("2",)
    assert read_reply(DIGITS, "2", letters_for_digits=True).chosen == ("2",)
    assert read_reply(DIGITS, "3 legs").chosen == ("1",)


def test_a_number_is_a_choice_where_labels_are_letters() -> None:
    assert read_reply(NUMBERS, "Answer: 4").chosen == ("C",)


def test_case_is_meaning_where_choices_differ_in_nothing_else() -> None:
    assert read_reply(GENES, "Answer: rr").chosen == ("B",)
    assert read_reply(GENES, "Answer: Rr").chosen == ("A",)
    assert read_reply(GENES, "Answer: rR").status == "unparsed"


def test_a_text_that_two_choices_carry_names_both() -> None:
    assert read_reply(TWINS, "Answer: ore").chosen == ("A", "B")
    assert read_reply(TWINS, "Answer: B) ore").chosen == ("B",)


@settings(max_examples=150)
@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            ["Answer:", "A", "B", " ", "\n", "and", "**", "(", ")", ".", "iron", "is", "\u2028", "answer"]
        ),
        max_size=12,
    ).map("".join)
)
def test_any_text_reads_to_labels_of_the_question_or_none(text) -> None:
    reply = read_reply(METALS, text)
    assert set(reply.chosen) <= set("ABCD")
    assert (reply.status == "answered") == bool(reply.chosen)
    assert (reply.status == "empty") == (not text.strip())


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("ANSWER\uff1aB", "B"),
        ("Answer: \uff22", "B"),
        ("Answer: \u200bB", "B"),
        ("B\u3002", "B"),
        (r"\boxed{\text{C}}", "C"),
        ("Option B is correct", "B"),
        ("D is the correct answer", "D"),
    ],
)
def test_labels_in_other_clothes_are_read(text, label) -> None:
    question = Question("q", "Which?", tuple(Choice(letter, f"thing {letter}") for letter in "ABCD"))
    assert read_reply(question, text).chosen == (label,)


@pytest.mark.parametrize(
    "unit", ["Answer: ", "(", r"\boxed{", "the answer is ", "answer" + " " * 50, "A and ", "Answer:\n", "x\n"]
)
def test_a_model_in_a_loop_is_read_in_time_that_grows_with_its_length(unit) -> None:
    question = Question("q", "Which?", tuple(Choice(letter, f"thing {letter}") for letter in "ABCD"))
    started = time.perf_counter()
    assert not read_reply(question, unit * 40_000).chosen
    assert time.perf_counter() - started < 10
