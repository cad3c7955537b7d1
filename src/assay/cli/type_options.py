"""Options that verbs share: tags of questions from files, and the taxonomies that they are of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from assay.questions.model import QuestionSet
    from assay.questions.types.tagging import Tagged


@dataclass(frozen=True, slots=True)
class TypeOptions:
    """Tags and taxonomies."""

    tags: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="A table of tags by question id (tsv: columns of 0 and 1, or tags joined by ;); KIND=FILE "
            "names the kind. May be repeated: several files of one kind are several people's.",
        ),
    ] = None
    taxonomy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="What the tags are of: arc-knowledge, arc-reasoning, arc-topics, or a TOML or TSV file of "
            "names and definitions; KIND=NAME where there are several kinds. May be repeated.",
        ),
    ] = None
    type_labels: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="What labels of tag files stand for in the taxonomy: lines of label, tab, type.",
        ),
    ] = None

    @property
    def files(self) -> Iterator[str]:
        """Every file that is read."""
        for given in (self.tags, self.taxonomy, self.type_labels):
            yield from given or ()

    def tag(self, questions: QuestionSet, *, new_kinds: bool = False) -> Tagged:
        """The questions with their tags; `new_kinds` and errors as of `assay.questions.types.tagging.tag`."""
        from assay.questions.types.tagging import named, tag

        return tag(
            questions,
            [named(argument) for argument in self.tags or ()],
            [named(argument) for argument in self.taxonomy or ()],
            self.type_labels or (),
            new_kinds=new_kinds,
        )
