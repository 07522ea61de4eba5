"""The command line: `cuevault` and `python -m cuevault`."""

from __future__ import annotations

import argparse
import signal
import sys
from typing import NoReturn

from ..errors import CuevaultError
from ..version import __version__
from . import run
from .exits import HELP, OTHER, SIGNALLED, TEXT, USAGE, CliError, cli_message, exit_code_of
from .terminal import out, warn

DESCRIPTION = "Secrets from your Cuevault service; all other commands are in the npm package cuevault."

_ONLY_IN_NPM = ("env", "prompt", "types", "push", "pull", "diff", "import", "whoami")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise CliError(f'{message}; see "{self.prog} --help"', USAGE)

    def _print_message(self, message: str, _file: object = None) -> None:
        # argparse ignores that it cannot write.
        out(message)


def _parser() -> argparse.ArgumentParser:
    plain = argparse.RawDescriptionHelpFormatter
    top = _Parser(
        prog="cuevault",
        description=f"{DESCRIPTION}\n\n{HELP}",
        epilog=TEXT,
        formatter_class=plain,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=__version__)
    commands = top.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True)
    parser = commands.add_parser(
        "run",
        help="run a command with secrets in its environment",
        usage="%(prog)s [options] -- COMMAND [ARGUMENT...]",
        description=run.DESCRIPTION,
        epilog=f"{HELP}\n\n{TEXT}",
        formatter_class=plain,
        allow_abbrev=False,
    )
    run.add_options(parser)
    return top


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; a failure is one line on standard error."""
    try:
        given = sys.argv[1:] if arguments is None else arguments
        if given[:1] and given[0] in _ONLY_IN_NPM:
            raise CliError(f'"cuevault {given[0]}" is only in the npm package cuevault', USAGE)
        return run.run(_parser().parse_args(run.with_values(given)))
    except CliError as error:
        warn(str(error))
        return exit_code_of(error)
    except CuevaultError as error:
        warn(cli_message(error))
        return exit_code_of(error)
    except KeyboardInterrupt:
        return SIGNALLED + signal.SIGINT
    except BrokenPipeError:
        return OTHER
