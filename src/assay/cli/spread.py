"""Options that verbs share, as one parameter: a dataclass whose fields are Typer's options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """The command with each of its parameters that is a dataclass spread out into that class's fields.

    On the command line the fields stand where the parameter stands; the command gets them back as one object.
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, tuple[Any, list[str]]] = {}
    parameters: list[Parameter] = []
    for parameter in signature(command).parameters.values():
        kind = hints[parameter.name]
        if not is_dataclass(kind):
            parameters.append(parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=kind))
            continue
        options = get_type_hints(kind, include_extras=True)
        groups[parameter.name] = kind, [field.name for field in fields(kind)]
        parameters += [
            Parameter(
                field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=options[field.name]
            )
            for field in fields(kind)
        ]

    def called(**given: Any) -> None:
        for name, (kind, names) in groups.items():
            given[name] = kind(**{option: given.pop(option) for option in names})
        command(**given)

    called.__name__, called.__doc__ = command.__name__, command.__doc__
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    called.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return called
