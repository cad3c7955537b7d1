"""What a corpus is made of, and what was left out of it, from its manifest alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.corpus.analysis import LONG_TOKENS, SOURCES
from assay.corpus.manifest import Manifest, check_files, read_manifest
from assay.corpus.rules import CLEANING_RULES, DEDUPE_RULES, DUPLICATES
from assay.text.analysis import MAX_TERM_BYTES

CHANGING = {"replace-invalid", "strip-control", "collapse-space"}
BLANK = 0.05
"""A share of blank lines above this looks like paragraphs."""
FEW = 0.01
"""A share of sentences without tokens above this is worth a warning."""


def corpus_info(folder: str | Path, *, verify: bool = False) -> dict[str, Any]:
    """What `assay corpus info` shows: counts, sources, rules with what each did, inputs, sizes, warnings.

    `verify`: every byte of every column is compared with its checksum.
    Raises AssayError as `open_corpus` does.
    """
    manifest = read_manifest(folder)
    check_files(manifest, whole=verify)
    content = manifest.content
    files = {name: described["bytes"] for name, described in content["files"].items()}
    return {
        "name": content["name"],
        "folder": str(folder),
        "fingerprint": content["fingerprint"],
        "version": content["version"],
        "read": sum(source["read"] for source in content["inputs"]),
        **{key: content[key] for key in ("sentences", "tokens", "content_tokens", "terms", "postings")},
        "without_tokens": content["without_tokens"],
        "analyser": {key: value for key, value in content["analyser"].items() if key != "stop_list"},
        "stop_list_words": len(content["analyser"]["stop_list"]),
        "settings": {key: value for key, value in content["settings"].items() if key != "analyser"},
        "sources": content["sources"],
        "rules": rules_of(content),
        "inputs": content["inputs"],
        "passed_over": content["passed_over"],
        "warnings": warnings_of(manifest),
        "files": files,
        "bytes": sum(files.values()),
    }


def rules_of(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each rule: what it `did` ("dropped" or "changed"), to how many (`count`), and what it means."""
    dedupe = content["settings"]["dedupe"]
    rules = []
    for rule, count in content["counts"].items():
        name = rule.partition("=")[0]
        shown, meaning = name and rule, CLEANING_RULES.get(name, "")
        if rule == DUPLICATES:
            shown, meaning = f"dedupe={dedupe}", f"the first stays of those with {DEDUPE_RULES[dedupe]}"
        elif rule == SOURCES:
            meaning = "sentences of sources that were excluded, or not among those included"
        elif rule == LONG_TOKENS:
            meaning = f"tokens of over {MAX_TERM_BYTES:,} bytes are left out of the analysis"
        did = "changed" if name in CHANGING else "dropped"
        rules.append({"rule": shown, "did": did, "count": count, "meaning": meaning})
    return rules


def warnings_of(manifest: Manifest) -> list[str]:
    """What a user should hear of: nothing left, no tokens, sources that never came, files passed over."""
    content = manifest.content
    warnings, settings = [], content["settings"]
    read = sum(source["read"] for source in content["inputs"])
    sentences, without = content["sentences"], content["without_tokens"]
    if sentences == 0:
        dropped = ", ".join(
            f"{rule['rule']} {rule['count']:,}"
            for rule in rules_of(content)
            if rule["did"] == "dropped" and rule["count"]
        )
        because = f"{read:,} of {read:,} read were dropped ({dropped})" if read else "the inputs are empty"
        warnings.append(f"the corpus has no sentence: {because}; searches will find nothing")
    elif without > sentences * FEW:
        warnings.append(f"{without:,} of {sentences:,} sentences have no tokens; searches won't find them")
    if long := content["counts"].get(LONG_TOKENS):
        warnings.append(f"{long:,} token{'s' * (long > 1)} of over {MAX_TERM_BYTES:,} bytes left out")
    blank = content["counts"].get("drop-empty", 0)
    prose = settings["split"] == "none" and all(given["format"] == "text" for given in content["inputs"])
    if sentences and prose and blank > read * BLANK:
        warnings.append(
            f"{blank:,} of {read:,} lines are blank, and each of the others became a sentence: "
            "running text wants --split paragraphs (or lines)"
        )
    asked = content["asked_sources"]
    for verb, names in (("include", settings["include_sources"]), ("exclude", settings["exclude_sources"])):
        warnings += [
            f"no sentence has the source {name!r} ({verb})" for name in names or () if not asked.get(name)
        ]
    if passed := content["passed_over"]:
        shown = ", ".join(passed[:5]) + (", ..." if len(passed) > 5 else "")
        files = f"{len(passed):,} file{'s' * (len(passed) > 1)}"
        warnings.append(f"{files} passed over for the ending (name a file itself to import it): {shown}")
    return warnings
