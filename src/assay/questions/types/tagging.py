"""Questions with tags of files, and tags brought under taxonomies: what `--tags` and `--taxonomy` come to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from assay.errors import AssayError, Fault, FaultyInput
from assay.questions.model import Question, QuestionSet
from assay.questions.tags import KIND, TagFile, read_tags, with_tags
from assay.questions.types.taxonomy import Taxonomy, read_taxonomy, with_labels

Named = tuple[str | None, str]
"""A kind of tag, where one is named, and a file or taxonomy."""


@dataclass(frozen=True, slots=True)
class Tagged:
    """Tagged questions, the taxonomies by kind of tag, the files as they were read, and notes."""

    questions: QuestionSet
    taxonomies: Mapping[str, Taxonomy]
    files: tuple[TagFile, ...]
    notes: tuple[str, ...]

    @property
    def levels(self) -> dict[str, tuple[str, ...]]:
        """The types of each taxonomy by kind: groups that have a row though no question has them."""
        return {kind: one.names for kind, one in self.taxonomies.items()}


def named(argument: str, *, there: Callable[[str], bool] = lambda name: Path(name).exists()) -> Named:
    """KIND=NAME in its parts; a name alone where there is no =, or where `there` knows it as it stands."""
    kind, equals, name = argument.partition("=")
    return (kind, name) if equals and kind and name and not there(argument) else (None, argument)


def tag(
    questions: QuestionSet,
    files: Iterable[Named] = (),
    taxonomies: Iterable[Named] = (),
    labels: Iterable[str | Path] = (),
    *,
    new_kinds: bool = False,
) -> Tagged:
    """The questions with the tags of files, brought under taxonomies: every tag of a taxonomy's kind becomes
    the name of its type.

    A taxonomy without a kind is of the only kind there is, or of the only one that has a label it knows.
    With `new_kinds` it may be of a kind that nobody has given tags of yet. `labels` are files of labels and
    the types they stand for. Raises FaultyInput for a label that its
    taxonomy doesn't know (file, line, question and the known names are said) and for a column called as a
    type that holds something else than 0 and 1, AssayError for a taxonomy whose kind isn't clear and whatever
    the files' readers raise.
    """
    files = list(files)
    if twice := [file for place, (kind, file) in enumerate(files) if (kind, file) in files[:place]]:
        what = "is given twice"
        raise AssayError(what, file=twice[0], hint="several files of a kind are several people's")
    read = tuple(one for kind, file in files for one in read_tags(file, kind))
    found = with_labels(_by_kind(questions, read, taxonomies, new_kinds), labels)
    read = tuple(_whole(one, found) for one in read)
    fit = _Fit(found)
    fitted = tuple(fit.file(one) for one in read)
    own = [fit.question(question) for question in questions]
    if fit.faults:
        raise FaultyInput(list(fit.faults.values()), hint=_hint(found))
    tagged, notes = with_tags(own, *fitted)
    return Tagged(tagged, found, fitted, (*notes, *_renamed(found, questions, read)))


def _whole(file: TagFile, taxonomies: Mapping[str, Taxonomy]) -> TagFile:
    """The file with its empty columns that are called as types: nobody was given these.

    Raises FaultyInput where such a column holds something else than 0 and 1, so that it was left out.
    """
    columns, faults = dict(file.columns), []
    for kind in file.columns:
        names = {name.casefold() for name in taxonomies[kind].names} if kind in taxonomies else set()
        for title, stray in file.left_out.items():
            if title.casefold() not in names:
                continue
            if stray is None:
                columns[kind] = (*columns[kind], title)
            else:
                line, name, cell = stray
                faults.append(Fault(f"{cell!r} in column {title} isn't 0 or 1", file.file, line, name))
    if faults:
        raise FaultyInput(faults, hint="write 1 where a question is of a type, 0 or nothing where not")
    return replace(file, columns=columns)


def _labels(kind: str, questions: Iterable[Question], files: Iterable[TagFile]) -> dict[str, None]:
    """Every label of a kind, in the order of first sight."""
    found: dict[str, None] = {}
    for one in files:
        found.update(dict.fromkeys(one.columns.get(kind, ())))
        for tags in one.by_id.values():
            found.update(dict.fromkeys(tags.get(kind, ())))
    for question in questions:
        found.update(dict.fromkeys(question.tags.get(kind, ())))
    return found


def _by_kind(
    questions: QuestionSet, files: Sequence[TagFile], taxonomies: Iterable[Named], new_kinds: bool
) -> dict[str, Taxonomy]:
    kinds = list(
        dict.fromkeys(
            [kind for one in files for kind in one.kinds] + [kind for q in questions for kind in q.tags]
        )
    )
    found: dict[str, Taxonomy] = {}
    for asked, name in taxonomies:
        taxonomy = read_taxonomy(name)
        kind = asked if asked is not None else _kind_of(name, taxonomy, kinds, questions, files)
        if asked is not None and kinds and asked not in kinds and not new_kinds:
            raise AssayError(f"no tags of kind {asked}", hint=f"there are: {', '.join(kinds)}")
        if kind in found:
            what = f"two taxonomies for tags of kind {kind}: {found[kind].name} and {taxonomy.name}"
            raise AssayError(what, hint="name each taxonomy's kind: KIND=NAME")
        found[kind] = taxonomy
    return found


def _kind_of(
    given: str,
    taxonomy: Taxonomy,
    kinds: Sequence[str],
    questions: QuestionSet,
    files: Sequence[TagFile],
) -> str:
    if len(kinds) < 2:
        return kinds[0] if kinds else KIND
    names = {name.casefold() for name in taxonomy.names}
    for one in files:
        if called := [kind for kind in one.kinds if kind.casefold() in names and not one.columns]:
            what = f"column {called[0]} is a type of {taxonomy.name}, and nowhere holds 0 or 1"
            hint = "write 1 where a question is of a type, 0 where it isn't"
            raise AssayError(what, file=one.file, hint=hint)
    knows = [k for k in kinds if any(map(taxonomy.type_of, _labels(k, questions, files)))]
    if len(knows) == 1:
        return knows[0]
    what = f"taxonomy {taxonomy.name} could be of several kinds of tags: {', '.join(knows or kinds)}"
    raise AssayError(what, hint=f"name the kind: {(knows or kinds)[0]}={given}")


@dataclass(frozen=True, slots=True)
class _Fit:
    """Labels to types. `faults`: of each kind and unknown label the first."""

    taxonomies: Mapping[str, Taxonomy]
    faults: dict[tuple[str, str], Fault] = field(default_factory=dict)

    def types(self, kind: str, labels: tuple[str, ...], where: Callable[[str], Fault]) -> tuple[str, ...]:
        if kind not in self.taxonomies:
            return labels
        taxonomy, made = self.taxonomies[kind], []
        for label in labels:
            name = taxonomy.type_of(label)
            if name is None:
                self.faults.setdefault((kind, label), where(f"label {label!r} is no type of {taxonomy.name}"))
            made.append(name or label)
        return tuple(dict.fromkeys(made))

    def file(self, file: TagFile) -> TagFile:
        columns = {
            kind: self.types(kind, own, lambda what: Fault(what, file.file, 1))
            for kind, own in file.columns.items()
        }
        by_id = {
            name: {kind: self.types(kind, own, _in_row(file, name)) for kind, own in tags.items()}
            for name, tags in file.by_id.items()
        }
        return replace(file, columns=columns, by_id=by_id)

    def question(self, question: Question) -> Question:
        tags = {kind: self.types(kind, own, question.fault) for kind, own in question.tags.items()}
        return question if tags == question.tags else replace(question, tags=tags)


def _in_row(file: TagFile, name: str) -> Callable[[str], Fault]:
    return lambda what: Fault(what, file.file, file.lines.get(name), name)


def _hint(taxonomies: Mapping[str, Taxonomy]) -> str:
    known = "; ".join(f"{one.name}: {', '.join(one.names)}" for one in taxonomies.values())
    return f"{known}. A file of labels says what others stand for (label, tab, type; - for none)"


def _renamed(
    taxonomies: Mapping[str, Taxonomy], questions: QuestionSet, files: Sequence[TagFile]
) -> list[str]:
    """What the notes say of labels that stand for a type of another name, other than by letter case."""
    notes = []
    for kind, taxonomy in taxonomies.items():
        other: dict[str, list[str]] = {}
        for label in _labels(kind, questions, files):
            name = taxonomy.type_of(label)
            if name is not None and name.casefold() != label.casefold():
                other.setdefault(name, []).append(label)
        for name, labels in other.items():
            many = f" and {len(labels) - 3:,} more" if len(labels) > 3 else ""
            notes.append(f"{taxonomy.name}: {', '.join(labels[:3])}{many}: counted as {name}")
    return notes
