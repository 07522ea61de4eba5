"""`cuevault prompt`: print a prompt, or write prompts to a snapshot."""

from __future__ import annotations

import argparse
import errno
import json
import re
from collections.abc import Sequence
from pathlib import Path

from ..._core.offline import write_whole
from ..._sync.client import Cuevault
from ...errors import CuevaultError
from ...settings import ENVIRONMENT_VARIABLE, LABEL_VARIABLE, LATEST, label_from_variables
from ...snapshot import SnapshotEntry, fields_of, snapshot_text
from ..exits import DONE, OTHER, CliError, cli_message, exit_code_of
from ..terminal import is_terminal, out

DESCRIPTION = """\
"get" prints the template, compiled with the given variables. "snapshot" writes prompts to a file that an application
can use while the service is down."""

_VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError("must be NAME=VALUE")
    return name, value


def add_options(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(metavar="get | snapshot", dest="action", required=True, prog=parser.prog)
    get = actions.add_parser("get", help="print one prompt", allow_abbrev=False)
    get.add_argument("name", metavar="NAME")
    get.add_argument("--version", metavar="V", help="MAJOR.MINOR.PATCH, or latest")
    get.add_argument(
        "--label",
        metavar="L",
        help=f"the version of this label (default: {LABEL_VARIABLE}, {ENVIRONMENT_VARIABLE}, else the latest)",
    )
    get.add_argument(
        "--var",
        metavar="NAME=VALUE",
        type=_variable,
        action="append",
        default=[],
        help="a value for a placeholder; can be repeated",
    )
    get.add_argument("--strict", action="store_true", help="fail if a placeholder has no value")
    get.add_argument("--json", action="store_true", help="print all fields as JSON")
    get.set_defaults(run=_get)
    several = actions.add_parser("snapshot", help="write prompts to a file", allow_abbrev=False)
    several.add_argument("names", metavar="NAME[@VERSION|@LABEL]", nargs="+")
    add_output(several)
    several.set_defaults(run=_snapshot)


def add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="default: standard output")


def write(text: str, file: Path | None, mode: int = 0o600, *, keep_mode: bool = True) -> None:
    """Write to a file, see write_whole, or print. Raises CliError (1)."""
    if file is None:
        out(text)
        return
    try:
        write_whole(file, text.encode(), mode, keep_mode=keep_mode)
    except OSError as error:
        name = errno.errorcode.get(error.errno or 0, "unknown")
        raise CliError(f"{json.dumps(str(file))} cannot be written ({name}).", OTHER) from None


def fetch_all(names: Sequence[str]) -> list[SnapshotEntry]:
    """The prompts that NAME, NAME@VERSION or NAME@LABEL mean. Raises CliError that names the one that fails."""
    with Cuevault() as client:
        return [_fetch_one(client, name) for name in names]


def _fetch_one(client: Cuevault, text: str) -> SnapshotEntry:
    name, at, which = text.rpartition("@")
    if not at:
        # What a client would ask for.
        name, which = text, label_from_variables() or LATEST
    version = which if which == LATEST or _VERSION.fullmatch(which) else None
    label = which if version is None else None
    try:
        prompt = client.prompts.get(name, version=version, label=label)
    except CuevaultError as error:
        raise CliError(f"{json.dumps(text)}: {cli_message(error)}", exit_code_of(error)) from None
    return SnapshotEntry(prompt, label, latest=which == LATEST)


def _get(options: argparse.Namespace) -> int:
    with Cuevault() as client:
        prompt = client.prompts.get(
            options.name,
            version=options.version,
            label=options.label,
        )
    compiled = prompt.compile(dict(options.var), strict=options.strict)
    if options.json:
        fields = {**fields_of(prompt), "compiledPrompt": compiled, "source": prompt.source}
        out(json.dumps(fields, ensure_ascii=False, indent=2) + "\n")
    else:
        # Byte for byte, except on a terminal.
        out(f"{compiled}\n" if is_terminal() else compiled)
    return DONE


def _snapshot(options: argparse.Namespace) -> int:
    write(snapshot_text(fetch_all(options.names)), options.output)
    return DONE
