"""The page of `assay describe --html`: one file, no scripts, tables and pictures of a question set."""

from __future__ import annotations

from collections.abc import Sequence

from assay.questions.description import ALL, BAR, CrossTable, Description, Lengths, Spread
from assay.report.charts.bars import cell_bars, colour, histogram
from assay.report.frame import Section, folded, note, table
from assay.report.markup import Html, el, join
from assay.report.numbers import NONE as DASH
from assay.report.numbers import count, percent, questions
from assay.report.plain_page import plain_page
from assay.report.types import type_sections
from assay.scoring.annotators import Annotation
from assay.scoring.types import TypeTable

STYLES = ("base.css", "charts.css", "describe.css")


def description_page(
    description: Description,
    title: str,
    command: str,
    types: Sequence[TypeTable] = (),
    annotations: Sequence[Annotation] = (),
) -> str:
    """The whole page. `title` names the set, `command` is what made the page; `types` and `annotations`:
    what there is of taxonomies, in place of the plain counts of their tags."""
    shown = [one.kind for one in types]
    splits = _cross("splits", f"By {description.split_by}", description.splits)
    sections = [
        *([splits] if description.splits.says_something else []),
        *(
            _cross(f"by-{place}", f"By {of.name}", of)
            for place, of in enumerate(description.columns.values())
        ),
        _lengths(description),
        *type_sections(types, annotations),
        *(
            _cross(f"tags-{place}", f"Tags: {of.name}", of)
            for place, of in enumerate(description.tags.values())
            if of.name not in shown
        ),
        _keys(description),
    ]
    return plain_page(title, _sentence(description), sections, command, STYLES)


def _sentence(description: Description) -> str:
    name = list(description.lengths)[-1]
    whole, stems, splits = description.lengths[name], description.stems[name], description.splits
    # Sets have names that speak; other columns' values (a grade, a year) need the column's.
    of = "" if description.group_by == "set" else f"of {description.group_by} "
    parts = [f"{total:,} {of}{group}" for group, total in zip(splits.groups, splits.totals, strict=True)]
    return (
        f"{questions(description.n)}{': ' + ', '.join(parts) if len(parts) > 1 else ''}, "
        f"with {_mean(whole.choices)} choices and {_mean(whole.question_words)} words each, "
        f"and {stems:,} distinct word stems."
    )


def _mean(spread: Spread) -> str:
    return "no" if spread.mean is None else f"{spread.mean:.1f}"


def _named(group: str) -> str:
    return "questions" if group == ALL else group


def _cross(anchor: str, title: str, cross: CrossTable) -> Section:
    """Counts with each group's share, and bars of the shares."""
    classes = [colour(place, group) for place, group in enumerate(cross.groups)]
    shares = {
        value: [100 * n / total if total else 0.0 for n, total in zip(counts, cross.totals, strict=True)]
        for value, counts in cross.rows.items()
    }
    most = max((share for of in shares.values() for share in of), default=0.0)
    rows: list[list[str]] = [
        [value, cell_bars(of, most, classes), *_cells(cross.rows[value], of)] for value, of in shares.items()
    ]
    if not cross.several:
        rows.append(["all", "", *(count(total) for total in cross.totals)])
    heads = [
        None,
        None,
        *(
            join(el("span", class_=f"sign {kind}"), _named(group))
            for group, kind in zip(cross.groups, classes, strict=True)
        ),
    ]
    drawn = table(
        "Questions, and their share of each column",
        [(cross.name, "text"), ("", "track"), *((_named(group), "number") for group in cross.groups)],
        rows,
        heads=heads,
    )
    several = note("A question counts in each of its tags.") if cross.several else None
    return Section(anchor, title, cross.name, join(drawn, several))


def _cells(counts: Sequence[int], shares: Sequence[float]) -> list[str]:
    return [f"{count(n)} ({percent(share)}%)" for n, share in zip(counts, shares, strict=True)]


def _lengths(description: Description) -> Section:
    groups = [name for name in description.lengths if name != ALL] or [ALL]
    bars = max(len(description.lengths[name].word_histogram) for name in groups)
    pictures = [
        el(
            "figure",
            el("figcaption", f"{name}: questions by words, {BAR} to a bar"),
            histogram(_padded(description.lengths[name], bars), BAR, colour(place, name), f"{name}: words"),
        )
        for place, name in enumerate(groups)
    ]
    fields = {
        "question words": "question_words",
        "sentences a question": "sentences",
        "choice words": "choice_words",
        "choices": "choices",
    }
    rows = [
        [said, *(_spread(getattr(lengths, field)) for lengths in description.lengths.values())]
        for said, field in fields.items()
    ]
    rows.append(["distinct word stems", *(count(description.stems[name]) for name in description.lengths)])
    numbers = table(
        "Mean and range: words are split at white space, choice words averaged over choices",
        [("", "text"), *((name, "number") for name in description.lengths)],
        rows,
    )
    choices = sorted({c for lengths in description.lengths.values() for c in lengths.choice_counts}, key=int)
    by_choices = table(
        "Questions by number of choices",
        [("choices", "text"), *((name, "number") for name in description.lengths)],
        [[c, *(_with(lengths, c) for lengths in description.lengths.values())] for c in choices],
    )
    words = folded("The histograms' numbers", _words(description, groups))
    return Section("lengths", "Lengths", "lengths", join(numbers, by_choices, *pictures, words))


def _padded(lengths: Lengths, bars: int) -> list[int]:
    """The histogram with empty bars at its end, so that those of several groups lie below each other."""
    return [*lengths.word_histogram, *[0] * (bars - len(lengths.word_histogram))]


def _words(description: Description, groups: Sequence[str]) -> Html:
    bars = max(len(description.lengths[name].word_histogram) for name in groups)
    counts = [_padded(description.lengths[name], bars) for name in groups]
    rows = [
        [f"{place * BAR} to {(place + 1) * BAR - 1}", *(count(of[place]) for of in counts)]
        for place in range(bars)
    ]
    return table("Questions by words", [("words", "text"), *((name, "number") for name in groups)], rows)


def _with(lengths: Lengths, choices: str) -> str:
    return count(lengths.choice_counts.get(choices, 0))


def _spread(spread: Spread) -> str:
    return DASH if spread.mean is None else f"{spread.mean:.1f} [{spread.minimum}-{spread.maximum}]"


def _keys(description: Description) -> Section:
    keys = description.keys
    total = sum(keys.by_place.values())
    if not total:
        return Section("keys", "Answer keys", "keys", note("No question has a key: a hidden set."))
    most = max(max(keys.by_place.values()), *keys.expected_by_place.values())
    rows = [
        [
            place,
            cell_bars([n], most, ["g3"], keys.expected_by_place[place]),
            f"{count(n)} ({percent(100 * n / total)}%)",
            f"{keys.expected_by_place[place]:,.1f}",
        ]
        for place, n in keys.by_place.items()
    ]
    by_place = table(
        "Questions by the place of the right choice",
        [("place", "text"), ("", "track"), ("questions", "number"), ("expected", "number")],
        rows,
    )
    by_label = table(
        "Questions by the label of the right choice",
        [("label", "text"), ("questions", "number")],
        [[label, count(n)] for label, n in keys.by_label.items()],
    )
    said = "Expected (the stroke): keys spread evenly over the choices of each question."
    if keys.hidden:
        said += f" {questions(keys.hidden)} without a key."
    return Section("keys", "Answer keys", "keys", join(by_place, note(said), by_label))
