"""HTML as a type: text is escaped unless it is markup already, so that no question can break a page."""

from __future__ import annotations

import html


class Html(str):
    """Markup. Only `el`, `join` and `trusted` make it."""

    __slots__ = ()


Child = str | None
"""Html stands as it is, other text is escaped, None is nothing."""

_VOID = frozenset({"meta", "input", "br", "link", "hr"})


def text(value: str) -> Html:
    """`value` as text, escaped; markup stays markup."""
    if isinstance(value, Html):
        return value
    # Control characters are no valid HTML: show that one was there.
    shown = "".join("\ufffd" if ord(c) < 32 and c not in "\t\n\r" else c for c in value)
    return Html(html.escape(shown, quote=True))


def join(*children: Child) -> Html:
    """Children one after the other."""
    return Html("".join(text(child) for child in children if child is not None))


def trusted(markup: str) -> Html:
    """Markup of our own package files, never of data."""
    return Html(markup)


def el(tag: str, *children: Child, **attributes: str | float | bool | None) -> Html:
    """One element; in attribute names a trailing underscore is dropped, others become hyphens (`aria_label`).

    True writes the bare name, None and False leave the attribute out.
    """
    parts = [tag]
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        name = name.removesuffix("_").replace("_", "-")
        parts.append(name if value is True else f'{name}="{text(str(value))}"')
    opening = f"<{' '.join(parts)}>"
    return Html(opening) if tag in _VOID else Html(f"{opening}{join(*children)}</{tag}>")
