"""`cuevault env`: secrets as text."""

from __future__ import annotations

import argparse

from . import source
from .exits import DONE, USAGE, CliError
from .formats import FORMATS
from .terminal import is_terminal, out

DESCRIPTION = "Prints secrets. To a terminal only with --reveal."


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of `env`."""
    parser.add_argument("--format", choices=tuple(FORMATS), default="dotenv", help="default: dotenv")
    parser.add_argument("--reveal", action="store_true", help="print values even to a terminal")
    source.add_options(parser)


def run(options: argparse.Namespace, _: list[str] | None) -> int:
    """Print the secrets; returns the exit code. Raises CliError, CuevaultError."""
    if is_terminal() and not options.reveal:
        raise CliError(
            "Values are not printed to a terminal: add --reveal, or send the output elsewhere.", USAGE
        )
    out(FORMATS[options.format](source.SecretsSource(options).read()))
    return DONE
