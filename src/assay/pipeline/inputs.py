"""The run's inputs: questions with their tags, and corpora, imported once into the run folder."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.corpus import Corpus, Reading, import_corpus, open_corpus
from assay.corpus.info import warnings_of
from assay.corpus.manifest import read_manifest
from assay.errors import AssayError
from assay.pipeline.configuration import Configuration, CorpusSettings
from assay.progress import SILENT, Progress
from assay.questions import QuestionFile, read_questions
from assay.questions.model import QuestionSet
from assay.questions.types.tagging import Tagged, named, tag
from assay.questions.types.taxonomy import BUILT_IN
from assay.text.analysis import Analyser

IMPORT_SETTINGS = ("cleaning", "dedupe", "include_sources", "exclude_sources")
LIST_SETTINGS = ("cleaning", "include_sources", "exclude_sources")
READING_SETTINGS = tuple(entry.name for entry in dataclasses.fields(Reading))


@dataclasses.dataclass(frozen=True, slots=True)
class Questions:
    """The run's questions, and what was noticed on the way: warnings and notes, in words. `types`: the types
    of taxonomies by kind of tag."""

    questions: QuestionSet
    notes: tuple[str, ...]
    types: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)


def load_questions(configuration: Configuration) -> Questions:
    """Read every question file and tag file that the configuration names.

    Raises FaultyInput with every fault; AssayError when a file can't be read or a setting is wrong.
    """
    settings = configuration.questions
    files = [
        QuestionFile(
            configuration.path(entry["path"]),
            metadata={name: value for name, value in entry.items() if name != "path"},
        )
        for entry in settings.files
    ]
    reading = read_questions(
        files,
        format=settings.format,
        columns=dict(settings.columns) or None,
        answers=settings.answers,
    )
    if not len(reading.questions):
        raise AssayError("no questions", hint="the files named under [questions] are empty")
    tagged = _tagged(configuration, reading.questions)
    notes = (*map(str, reading.warnings), *reading.notes, *tagged.notes)
    return Questions(tagged.questions, notes, tagged.levels)


def _tagged(configuration: Configuration, questions: QuestionSet) -> Tagged:
    settings = configuration.questions

    def there(name: str) -> bool:
        return configuration.path(name).exists()

    files = [named(name, there=there) for name in settings.tags]
    taxonomies = [(kind or None, name) for kind, name in settings.taxonomy.items()]
    return tag(
        questions,
        [(kind, str(configuration.path(name))) for kind, name in files],
        [(kind, name if name in BUILT_IN else str(configuration.path(name))) for kind, name in taxonomies],
        [configuration.path(name) for name in settings.type_labels],
    )


def load_corpora(
    configuration: Configuration, folder: Path, *, progress: Progress = SILENT
) -> Mapping[str, Corpus]:
    """Import each corpus into `folder`/<name>, or open it where it lies; the unchanged isn't read again."""
    return {
        name: _load(name, settings, configuration, folder / name, progress)
        for name, settings in configuration.corpora.items()
    }


def corpus_notes(configuration: Configuration, folder: Path) -> tuple[str, ...]:
    """What a reader should know about the corpora that `load_corpora` opened: sources that aren't there,
    sentences without tokens, files passed over."""
    return tuple(
        f"corpus {name}: {warning}"
        for name, settings in configuration.corpora.items()
        for warning in warnings_of(
            read_manifest(configuration.path(settings.folder) if settings.folder else folder / name)
        )
    )


def _load(
    name: str, settings: CorpusSettings, configuration: Configuration, folder: Path, progress: Progress
) -> Corpus:
    if settings.folder is not None:
        _nothing_of_import(name, settings)
        return dataclasses.replace(open_corpus(configuration.path(settings.folder)), name=name)
    reading = _reading(name, settings.settings)
    analyser = Analyser(settings.language)
    if settings.stop_words is not None:
        analyser = Analyser(settings.language, _stop_words(settings.stop_words, configuration))
    return import_corpus(
        [str(configuration.path(file)) for file in settings.files],
        folder,
        analyser,
        name=name,
        reading=reading,
        progress=progress,
        **{key: value for key, value in settings.settings.items() if key in IMPORT_SETTINGS},
    )


def _nothing_of_import(name: str, settings: CorpusSettings) -> None:
    """Raises AssayError for a setting that could only have been heeded when the corpus was imported."""
    given = [*settings.settings]
    given += ["stop_words"] if settings.stop_words is not None else []
    given += ["language"] if settings.language != CorpusSettings.language else []
    if given:
        raise AssayError(
            f"corpora.{name}.{given[0]}: beside folder only contaminated can be set",
            hint="a corpus that was imported before is as it was imported; files = [...] imports one",
        )


def _stop_words(name: str, configuration: Configuration) -> str:
    """A list's name as it is, a list's file relative to benchmark.toml."""
    path = configuration.path(name)
    return str(path) if path.is_file() else name


def _reading(name: str, settings: Mapping[str, Any]) -> Reading:
    known = (*IMPORT_SETTINGS, *READING_SETTINGS)
    for key in settings:
        if key not in known:
            raise AssayError(f"unknown setting corpora.{name}.{key}", hint=f"known: {', '.join(known)}")
        value = settings[key]
        if key in LIST_SETTINGS:
            if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
                raise AssayError(f"corpora.{name}.{key} must be a list of strings, got {value!r}")
        elif not isinstance(value, str):
            raise AssayError(f"corpora.{name}.{key} must be a string, got {value!r}")
    return Reading(**{key: value for key, value in settings.items() if key in READING_SETTINGS})
