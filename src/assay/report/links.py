"""Links into the question browser: the address fragment that script and page agree on."""

from __future__ import annotations

from urllib.parse import quote

from assay.report.markup import Html, el


def question(question_id: str) -> Html:
    """A question's id as a link that opens it."""
    return el("a", question_id, href=f"#q={_quoted(question_id)}")


def browse(words: str, only: str) -> Html:
    """`words` as a link that lists the questions of one group: `only` is "metadata:grade=4"."""
    return el("a", words, href=f"#only={_quoted(only)}")


def suspects(words: str) -> Html:
    """`words` as a link that lists the questions with suspect keys."""
    return el("a", words, href="#set=suspect")


def _quoted(value: str) -> str:
    return quote(value, safe="", errors="backslashreplace")
