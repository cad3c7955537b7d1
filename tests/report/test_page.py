"""The page as text: well formed, escaped, self-contained, the same bytes again, readable by anyone."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import itertools
import json
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.report.data import ReportData
from assay.report.page import page, write_report
from tests.report.hostile import NASTY, STEM, hostile
from tests.report.made_up import SYSTEMS, made_up

VOID = {"meta", "input", "br", "link", "hr"}
DATA = made_up(300)
PAGE = page(DATA)
BARE = ReportData("Bare", "Nothing yet.", "assay run bare.toml", "", (), (), (), ())


class Outline(HTMLParser):
    """Elements with their attributes and text; complains about what isn't closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.said: list[str] = []
        self.blocks: dict[str, str] = {}
        self.tables: list[list[str]] = []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "table":
            self.tables.append([])
        elif "table" in self.open:
            self.tables[-1].append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data) -> None:
        inside = self.open[-1] if self.open else ""
        if inside == "script" and (name := self.elements[-1][1].get("id")):
            self.blocks[name] = data
        elif inside not in ("script", "style"):
            self.said.append(data)

    def attributes(self, name: str) -> list[str]:
        return [value or "" for _, found in self.elements for key, value in found.items() if key == name]


def unpacked(outline: Outline, name: str):
    attributes = next(found for tag, found in outline.elements if tag == "script" and found.get("id") == name)
    text = outline.blocks[name]
    if attributes["data-form"] == "deflate":
        text = zlib.decompress(base64.b64decode(text)).decode("utf-8")
    return json.loads(text)


@pytest.mark.parametrize("data", [DATA, BARE, hostile()], ids=["made up", "bare", "hostile"])
def test_well_formed_with_distinct_ids_and_whole_tables(data: ReportData) -> None:
    outline = Outline(page(data))
    ids = outline.attributes("id")
    assert len(ids) == len(set(ids))
    anchors = [link[1:] for link in outline.attributes("href") if link.startswith("#") and "=" not in link]
    assert set(anchors) <= set(ids)
    for cells in outline.tables:
        rows = "".join("|" if tag == "tr" else tag[1] for tag in cells if tag in ("tr", "td", "th")).split(
            "|"
        )[1:]
        assert len({len(row) for row in rows}) == 1, rows
        assert cells[0] == "caption"
    assert all(value in ("col", "row") for value in outline.attributes("scope"))


def test_every_part_of_the_data_is_said() -> None:
    said = " ".join(Outline(PAGE).said)
    for part in (DATA.title, DATA.sentence, DATA.command, *DATA.left_out, *DATA.settings.values()):
        assert part in said
    for score in DATA.scores:
        if score.score is not None and score.low is not None and score.high is not None:
            assert f"{score.score:.1f}" in said
            assert f"[{score.low:.1f}, {score.high:.1f}]" in said
    for row in DATA.sensitivity:
        assert row.change in said
    for corpus in DATA.corpora:
        assert corpus.name in said
        assert corpus.contaminated is None or f"{corpus.name} is contaminated" in said
    end = said[said.index("What was left out") :]
    assert end.strip().endswith(DATA.command)


def test_the_data_block_holds_every_question() -> None:
    outline = Outline(PAGE)
    index = unpacked(outline, "questions-index")
    assert index["id"] == [one.question.id for one in DATA.questions]
    assert [len(codes) for codes in index["outcomes"]] == [300] * len(DATA.systems)
    details = [*unpacked(outline, "questions-0"), *unpacked(outline, "questions-1")]
    assert len(details) == 300
    for one, detail in zip(DATA.questions, details, strict=True):
        for answer, said in zip(one.answers, detail["answers"], strict=True):
            assert (answer is None) == (said is None)
            assert answer is None or (said.get("chosen", []), said["status"]) == (
                list(answer.chosen),
                answer.status,
            )


def test_asks_the_network_for_nothing() -> None:
    outline = Outline(PAGE)
    assert not outline.attributes("src")
    assert all(link.startswith(("#", "data:text/csv")) for link in outline.attributes("href"))
    tags = {tag for tag, _ in outline.elements}
    assert not tags & {"link", "iframe", "object", "embed", "base", "image"}
    style = re.search(r"<style>(.*?)</style>", PAGE, re.DOTALL)
    assert style
    assert not re.search(r"url\(|@import|@font-face", style[1])
    assert not re.search(r"https?://|//[a-z]+\.", PAGE)


def test_only_its_own_script_and_style_may_run() -> None:
    policy = next(f["content"] for t, f in Outline(PAGE).elements if t == "meta" and f.get("http-equiv"))
    assert policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        code = re.findall(rf"<{tag}>(.*?)</{tag}>", PAGE, re.DOTALL)
        assert len(code) == 1
        digest = base64.b64encode(hashlib.sha256(code[0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not [name for _, found in Outline(PAGE).elements for name in found if name.startswith("on")]
    assert not Outline(PAGE).attributes("style")


def test_markup_in_the_data_stands_as_text() -> None:
    """A stem with "</script>" and a reply with "<!-- <script>" show literally and break nothing."""
    data = hostile()
    text = page(data)
    outline = Outline(text)
    shown = NASTY.replace("\x07", "\ufffd")
    said = "".join(outline.said)
    assert said.count(shown) > 20
    assert STEM in said
    for name, block in outline.blocks.items():
        assert "</script" not in block
        assert "<!--" not in block
        assert name
    assert text.count("</script") == text.count("<script")
    assert "<!--" not in text
    index = unpacked(outline, "questions-index")
    assert set(index["stem"]) == {STEM}
    assert unpacked(outline, "questions-0")[0]["answers"][0]["replies"] == ["<!-- <script> window.broken = 1"]
    assert not [1 for tag, found in outline.elements if tag == "img" or found.get("class") == "from-data"]


def test_same_data_same_bytes(tmp_path: Path) -> None:
    write_report(DATA, tmp_path / "a.html")
    write_report(ReportData.from_json(DATA.to_json()), tmp_path / "b.html")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == PAGE


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(AssayError, match="can't be written"):
        write_report(BARE, tmp_path / "file" / "report.html")


def test_undefined_numbers_are_dashes_and_lone_surrogates_survive(tmp_path: Path) -> None:
    nothing = [dataclasses.replace(s, n=0, score=None, low=None, high=None) for s in DATA.scores]
    one = DATA.questions[0]
    strange = dataclasses.replace(one, question=dataclasses.replace(one.question, stem="\udc00 gas\u2028?"))
    write_report(
        dataclasses.replace(DATA, scores=tuple(nothing), questions=(strange,)), tmp_path / "report.html"
    )
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    outline = Outline(text)
    assert "nan" not in " ".join(outline.said).lower().split()
    assert unpacked(outline, "questions-index")["stem"] == ["\udc00 gas\u2028?"]


def test_all_questions_in_one_set_are_pictured_as_all() -> None:
    columns = tuple(column for column in DATA.columns if column.basis == "all")
    scores = tuple(score for score in DATA.scores if score.column == "All")
    data = ReportData(
        "t", "s", "c", "", DATA.corpora, DATA.systems, columns, scores, questions=DATA.questions
    )
    outline = Outline(page(data))
    assert "300 questions · all questions" in outline.said
    assert "gap" not in outline.attributes("id")


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(a: str, b: str) -> float:
    low, high = sorted((_luminance(a), _luminance(b)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_enough_in_light_and_dark() -> None:
    """WCAG 2.1 AA: 4.5 for text, 3 for signs and lines that carry meaning."""
    schemes = re.findall(r":root \{(.*?)\}", PAGE, re.DOTALL)[:2]
    assert len(schemes) == 2
    for scheme in schemes:
        colour = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6})", scheme))
        for text, ground in itertools.product(
            ("ink", "soft", "accent", "warn", "easy", "challenge"), ("paper", "raised", "select")
        ):
            assert _contrast(colour[text], colour[ground]) >= 4.5, (text, ground)
        for sign in ("easy", "challenge", "mark", "soft"):
            assert _contrast(colour[sign], colour["band"]) >= 3, sign
        # The darkest cell of the heat map: its tint over paper, under ink.
        tint = [int(part) for part in re.search(r"--heat: (\d+), (\d+), (\d+)", scheme).groups()]
        paper = [int(colour["paper"][i : i + 2], 16) for i in (1, 3, 5)]
        mixed = "#" + "".join(f"{round(0.45 * t + 0.55 * p):02x}" for t, p in zip(tint, paper, strict=True))
        assert _contrast(colour["ink"], mixed) >= 4.5


def test_a_hundred_systems_make_a_page_that_can_be_read() -> None:
    systems = [(f"system {number:03d}", "predictions", "p.csv", False, 40.0, 25.0) for number in range(100)]
    text = page(made_up(30, systems=[*SYSTEMS, *systems]))
    assert "The first 200 of 5,995, by rank; the CSV has them all." in text
    assert "The 30 best systems of 110." in text
    outline = Outline(text)
    links = [link for link in outline.attributes("href") if link.startswith("data:")]
    assert max(link.count("%0D%0A") for link in links) == 5995 + 1


def test_filters_of_one_name_are_told_apart_and_the_published_set_is_not_offered_twice() -> None:
    def told(one):
        metadata = {"set": one.published, "split": "Test" if one.made == "Easy" else "Dev"}
        question = dataclasses.replace(one.question, metadata=metadata, tags={"split": ("a", one.made)})
        return dataclasses.replace(one, question=question)

    data = dataclasses.replace(DATA, questions=tuple(map(told, DATA.questions)))
    columns = unpacked(Outline(page(data)), "questions-index")["columns"]
    assert [(column["key"], column["name"]) for column in columns] == [
        ("choices", "number of choices"),
        ("metadata:split", "split (metadata)"),
        ("tag:split", "split (tag)"),
    ]
