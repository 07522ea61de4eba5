"""`cuevault env`: secrets as text."""

from __future__ import annotations

import argparse
import json

from .. import source
from ..exits import DONE, USAGE, CliError
from ..formats import FORMATS
from ..injection import without_dangerous
from ..terminal import is_terminal, warn
from .prompt import add_output, write

DESCRIPTION = """\
Prints secrets, except names that can change what programs do, and names that are not in a file cuevault.names of this
folder. Values are printed to a terminal only with --reveal."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of `env`."""
    parser.add_argument("--format", choices=tuple(FORMATS), default="dotenv", help="default: dotenv")
    parser.add_argument("--json", action="store_const", const="json", dest="format", help="--format json")
    parser.add_argument("--names", action="store_true", help="print only the names, one per line")
    parser.add_argument("--reveal", action="store_true", help="print values even to a terminal")
    add_output(parser)
    source.add_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the secrets; returns the exit code. Raises CliError, CuevaultError."""
    if is_terminal() and not (options.reveal or options.names or options.output):
        sentence = "Values are not printed to a terminal: add --reveal or --names, or redirect the output."
        raise CliError(sentence, USAGE)
    injection = without_dangerous(source.secrets_of(options), options.allow)
    secrets = injection.chosen
    if injection.report is not None:
        warn(injection.report)
    if not options.names:
        text = FORMATS[options.format](secrets)
    elif options.format == "json":
        text = json.dumps(list(secrets), ensure_ascii=False, indent=2) + "\n"
    else:
        text = "".join(f"{name}\n" for name in secrets)
    write(text, options.output)
    return DONE
