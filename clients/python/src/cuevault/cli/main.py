"""The command line: `cuevault` and `python -m cuevault`."""

from __future__ import annotations

import argparse
import signal
import sys
from typing import NoReturn

from ..errors import CuevaultError
from ..version import __version__
from . import env, prompt, run
from .exits import OTHER, SIGNALLED, TEXT, USAGE, CliError, exit_code_of
from .terminal import warn

DESCRIPTION = "Secrets and prompts from your Cuevault service."
ADDRESS = "The address comes from CUEVAULT_URL, the API key from CUEVAULT_API_KEY."


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise CliError(f'{message}; see "{self.prog} --help"', USAGE)


def _parser() -> argparse.ArgumentParser:
    plain = argparse.RawDescriptionHelpFormatter
    top = _Parser(
        prog="cuevault",
        description=f"{DESCRIPTION} {ADDRESS}",
        epilog=TEXT,
        formatter_class=plain,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=__version__)
    commands = top.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True)
    for name, module, summary, usage in (
        (
            "run",
            run,
            "run a command with secrets in its environment",
            "%(prog)s [options] -- COMMAND [ARGUMENT...]",
        ),
        ("env", env, "print secrets as dotenv, JSON or for a shell", "%(prog)s [options]"),
        ("prompt", prompt, "print a prompt", "%(prog)s get NAME [options]"),
    ):
        parser = commands.add_parser(
            name,
            help=summary,
            usage=usage,
            description=module.DESCRIPTION,
            epilog=f"{ADDRESS}\n\n{TEXT}",
            formatter_class=plain,
            allow_abbrev=False,
        )
        module.add_options(parser)
        parser.set_defaults(run=module.run)
    return top


def _dispatch(arguments: list[str]) -> int:
    own, command = arguments, None
    # Elsewhere it says, as usual, that no options follow.
    if arguments[:1] == ["run"] and "--" in arguments:
        at = arguments.index("--")
        own, command = arguments[:at], arguments[at + 1 :]
    options = _parser().parse_args(own)
    code: int = options.run(options, command)
    return code


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; a failure is one line on standard error."""
    try:
        return _dispatch(sys.argv[1:] if arguments is None else arguments)
    except (CliError, CuevaultError) as error:
        warn(str(error))
        return exit_code_of(error)
    except KeyboardInterrupt:
        return SIGNALLED + signal.SIGINT
    except BrokenPipeError:
        return OTHER
