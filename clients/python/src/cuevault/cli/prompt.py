"""`cuevault prompt get`: a prompt's text."""

from __future__ import annotations

import argparse

from ..client import Cuevault
from .exits import DONE
from .terminal import is_terminal, out

DESCRIPTION = "Prints the template, compiled with the variables that are given."


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError("must be NAME=VALUE")
    return name, value


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of `prompt`."""
    parser.add_argument("action", choices=("get",), metavar="get")
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--version", metavar="V", help="MAJOR.MINOR.PATCH; the latest when left out")
    parser.add_argument("--label", metavar="L", help="the version that this label points to")
    parser.add_argument(
        "--var",
        metavar="NAME=VALUE",
        type=_variable,
        action="append",
        default=[],
        help="a value for a placeholder; may be given many times",
    )
    parser.add_argument("--strict", action="store_true", help="fail if a placeholder has no value")


def run(options: argparse.Namespace, _: list[str] | None) -> int:
    """Print the prompt; returns the exit code. Raises CuevaultError."""
    with Cuevault() as client:
        prompt = client.prompts.get(options.name, version=options.version, label=options.label)
    text = prompt.compile(dict(options.var), strict=options.strict)
    # Byte for byte, but for a person's eyes.
    out(f"{text}\n" if is_terminal() else text)
    return DONE
