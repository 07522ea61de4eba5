"""Prints what the Python client exports, as Markdown: signatures and docstrings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from importlib import import_module
from types import ModuleType

from cuevault._core import reads

MODULES = ("cuevault", "cuevault.adapters", "cuevault.otel", "cuevault.testing")
# The options that the methods of `prompts` and `secrets` take by name.
OPTIONS = (reads.CallOptions, reads.PromptOptions, reads.SecretOptions)
# What a client has, and nobody else makes.
PARTS = ("Prompts", "SecretReads")
WIDEST = 100
# Methods of answers that the clients themselves call.
INTERNAL = ("has", "own", "served", "compiled", "content", "on_start")


def code(text: str) -> str:
    return f"```python\n{text}\n```"


def default_of(value: object) -> str:
    """A default, shortened where it is an object with the defaults of its own class."""
    kind = type(value)
    return f"{kind.__name__}()" if is_dataclass(kind) else repr(value)


def parameter(each: inspect.Parameter) -> str:
    stars = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(each.kind.name, "")
    default = "" if each.default is each.empty else f" = {default_of(each.default)}"
    return f"{stars}{each.name}: {each.annotation}{default}"


def signature(name: str, function: Callable[..., object]) -> str:
    """The signature of a function, on one line where it fits."""
    given = inspect.signature(function)
    own = [each for each in given.parameters.values() if each.name != "self"]
    parts = [parameter(each) for each in own]
    named = [number for number, each in enumerate(own) if each.kind is each.KEYWORD_ONLY]
    if named:
        parts.insert(named[0], "*")
    prefix = "async def" if inspect.iscoroutinefunction(function) else "def"
    line = f"{prefix} {name}({', '.join(parts)}) -> {given.return_annotation}"
    if len(line) <= WIDEST:
        return line
    lines = "".join(f"    {part},\n" for part in parts)
    return f"{prefix} {name}(\n{lines}) -> {given.return_annotation}"


def doc(thing: object) -> str:
    return inspect.getdoc(thing) or ""


def members(kind: type) -> Iterator[str]:
    """What a class has beside its constructor."""
    for name, member in vars(kind).items():
        if name.startswith("_") or name in INTERNAL:
            continue
        if isinstance(member, property) and member.fget is not None:
            yield f"{code(f'{name}: {inspect.signature(member.fget).return_annotation}')}\n\n{doc(member)}"
        elif inspect.isfunction(member):
            yield f"{code(signature(name, member))}\n\n{doc(member)}"


def fields(kind: type) -> Iterator[str]:
    """The attributes that a class declares, with their defaults."""
    for name, annotation in vars(kind).get("__annotations__", {}).items():
        if not name.startswith("_"):
            default = vars(kind).get(name)
            shown = "" if default is None else f" = {default_of(default)}"
            yield f"{name}: {getattr(annotation, '__forward_arg__', annotation)}{shown}"


def section(name: str, thing: object) -> str:
    parts = [f"### {name}"]
    if inspect.isclass(thing):
        bases = ", ".join(base.__name__ for base in thing.__bases__ if base is not object)
        declared = list(fields(thing))
        hidden = declared or name in PARTS or "__init__" not in vars(thing)
        start = [] if hidden else [signature("__init__", thing.__init__)]
        lines = [f"    {line}" for line in "\n".join([*declared, *start]).split("\n") if line]
        head = f"class {name}({bases})" if bases else f"class {name}"
        parts += [code("\n".join([f"{head}:", *lines] if lines else [head])), doc(thing), *members(thing)]
    elif inspect.isfunction(thing):
        parts += [code(signature(name, thing)), doc(thing)]
    else:
        parts.append(code(f"{name} = {str(thing).replace('typing.', '')}"))
    return "\n\n".join(part for part in parts if part)


def exports(module: ModuleType) -> dict[str, object]:
    """The names of a module: those in `__all__`, else the public ones that it defines."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return {name: getattr(module, name) for name in listed if not name.startswith("__")}
    return {
        name: thing
        for name, thing in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(thing) or inspect.isfunction(thing))
        and thing.__module__ == module.__name__
    }


for title in MODULES:
    found = exports(import_module(title))
    if title == "cuevault":
        client = import_module("cuevault._sync.client")
        found |= {name: getattr(client, name) for name in PARTS}
        found |= {kind.__name__: kind for kind in OPTIONS}
    print(f"## {title}", *(section(name, thing) for name, thing in found.items()), sep="\n\n", end="\n\n")
