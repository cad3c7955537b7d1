"""From running text to sentences, by sentencex: fast, made for many languages, knows their abbreviations."""

from __future__ import annotations

import re
from collections.abc import Iterator

CODES = {
    "arabic": "ar",
    "armenian": "hy",
    "basque": "eu",
    "catalan": "ca",
    "czech": "cs",
    "danish": "da",
    "dutch": "nl",
    "dutch_porter": "nl",
    "esperanto": "eo",
    "estonian": "et",
    "finnish": "fi",
    "french": "fr",
    "german": "de",
    "greek": "el",
    "hindi": "hi",
    "hungarian": "hu",
    "indonesian": "id",
    "irish": "ga",
    "italian": "it",
    "lithuanian": "lt",
    "nepali": "ne",
    "norwegian": "no",
    "polish": "pl",
    "portuguese": "pt",
    "romanian": "ro",
    "russian": "ru",
    "serbian": "sr",
    "spanish": "es",
    "swedish": "sv",
    "tamil": "ta",
    "turkish": "tr",
    "yiddish": "yi",
}
"""Snowball's names to the codes sentencex goes by; any other language is split by the rules for English."""

# sentencex takes no lone surrogate, which real question files hold: letters for private use stand for them.
_SURROGATES = {code: 0xFF800 + code - 0xD800 for code in range(0xD800, 0xE000)}
_BACK = {stand_in: code for code, stand_in in _SURROGATES.items()}
BLANK_LINES = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")


def sentences(text: str, language: str = "english") -> list[str]:
    """The sentences of `text` in order, without white space at their ends, empty ones left out.

    `language` is a Snowball name as in `Analyser.language`. A line feed is read as a space.
    """
    from sentencex import segment

    code, plain = CODES.get(language, "en"), text.replace("\n", " ")
    try:
        found = segment(code, plain)
    except UnicodeEncodeError:
        found = [part.translate(_BACK) for part in segment(code, plain.translate(_SURROGATES))]
    return [sentence for part in found if (sentence := part.strip())]


def with_full_stop(text: str) -> str:
    """The text without white space at its ends, a full stop added where it ends with none of . ! ? : ;"""
    text = text.strip()
    return text if text.endswith((".", "!", "?", ":", ";")) else f"{text}."


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """The parts of `text` between blank lines, each with the number of the line it starts on, from 0."""
    line = start = 0
    for blank in BLANK_LINES.finditer(text):
        yield line, text[start : blank.start()]
        line += text.count("\n", start, blank.end())
        start = blank.end()
    yield line, text[start:]
