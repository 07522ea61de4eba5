"""The command line: `cuevault` and `python -m cuevault`."""

from __future__ import annotations

import argparse
import signal
import sys
from typing import NoReturn

from ..errors import CuevaultError
from ..version import __version__
from .commands import env, prompt, run, types
from .exits import HELP, OTHER, SIGNALLED, TEXT, USAGE, CliError, cli_message, exit_code_of
from .terminal import out, warn

DESCRIPTION = "Secrets and prompts from your Cuevault service."

_COMMANDS = (
    ("run", run, "run a command with secrets in its environment", "[options] -- COMMAND [ARGUMENT...]"),
    ("env", env, "print secrets as dotenv, JSON or for a shell", "[options]"),
    ("prompt", prompt, "print a prompt, or write prompts to a snapshot", "get | snapshot ..."),
    ("types", types, "write Python types of prompts", "NAME[@VERSION|@LABEL]... [-o FILE]"),
)

_ONLY_IN_NPM = ("push", "pull", "diff", "import", "completion", "whoami")


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
    for name, module, summary, usage in _COMMANDS:
        parser = commands.add_parser(
            name,
            help=summary,
            usage=f"%(prog)s {usage}",
            description=module.DESCRIPTION,
            epilog=f"{HELP}\n\n{TEXT}",
            formatter_class=plain,
            allow_abbrev=False,
        )
        if name != "prompt":
            parser.set_defaults(run=module.run)
        module.add_options(parser)
    return top


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; a failure is one line on standard error."""
    try:
        given = sys.argv[1:] if arguments is None else arguments
        if given[:1] and given[0] in _ONLY_IN_NPM:
            raise CliError(f'"cuevault {given[0]}" is only in the npm package cuevault', USAGE)
        options = _parser().parse_args(run.with_values(given))
        code: int = options.run(options)
        return code
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
