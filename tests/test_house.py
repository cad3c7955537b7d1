"""The house: a floor imports only from floors below it."""

import ast
import re
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "assay"
FLOORS = [
    {"errors", "progress", "compression"},
    {"storage", "text_files", "settings"},
    {"text"},
    {"questions", "corpus", "tables"},
    {"evidence"},
    {"entailment", "passages"},
    {"solvers"},
    {"scoring"},
    {"construction", "experiments"},
    {"pipeline", "report"},
    {"cli", "app"},
]
ALLOWED_SIDEWAYS = {("pipeline", "report")}
WHOLE = {"__init__", "__main__"}


def floor_of(room: str) -> int:
    for number, rooms in enumerate(FLOORS):
        if room in rooms:
            return number
    raise AssertionError(f"{room} stands on no floor: name it in FLOORS")


def imports(path: Path) -> set[str]:
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = (
                [f"{node.module}.{alias.name}" for alias in node.names]
                if node.module == "assay"
                else [node.module]
            )
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        assert not (isinstance(node, ast.ImportFrom) and node.level), f"{path}: relative import"
        rooms |= {name.split(".")[1] for name in names if name.startswith("assay.")}
    return {room for room in rooms if not room.startswith("__")}


def test_imports_point_downward() -> None:
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if room in WHOLE:
            continue
        for other in imports(path) - {room}:
            same_floor = floor_of(other) == floor_of(room) and (room, other) not in ALLOWED_SIDEWAYS
            if floor_of(other) > floor_of(room) or same_floor:
                wrong.append(f"{path.relative_to(SOURCE)} imports {other}")
    assert not wrong, "\n".join(wrong)


def test_files_are_short() -> None:
    long = {
        str(path.relative_to(SOURCE)): count
        for path in SOURCE.rglob("*.py")
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > 420
    }
    assert not long


def test_no_rooms_without_a_subject() -> None:
    names = {path.stem for path in SOURCE.rglob("*")}
    assert not names & {"utils", "util", "helpers", "helper", "manager", "misc", "common"}


def test_the_house_page_names_every_file() -> None:
    page = (SOURCE.parent.parent / "docs/house.md").read_text(encoding="utf-8")
    table = page[page.index("## What stands where") : page.index("## Where a change goes")]
    named = set(re.findall(r"\w+", table))
    files = {path.stem for path in SOURCE.rglob("*.py")} - WHOLE
    assert not files - named, f"say in docs/house.md what belongs into {', '.join(sorted(files - named))}"


def test_torch_lives_only_in_neural() -> None:
    """Everything else must start quickly and run where PyTorch isn't installed."""
    for path in SOURCE.rglob("*.py"):
        if (SOURCE / "solvers/neural") in path.parents:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not {name.split(".")[0] for name in names} & {"torch", "transformers"}, path
