"""`cuevault completion`: scripts that complete commands and options in a shell."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ..exits import DONE, USAGE, CliError
from ..terminal import out

DESCRIPTION = """\
Prints a completion script. bash: eval "$(cuevault completion bash)"; zsh: eval "$(cuevault completion zsh)" after
compinit; fish: cuevault completion fish | source"""

_BASH = """\
_cuevault() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} path= word
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case $word in
      --) return ;;
      -*) ;;
      *) case "$path $word" in {paths}) path="$path $word" ;; esac ;;
    esac
  done
  case $path in
{cases}
  esac
}}
complete -o default -F _cuevault cuevault
"""


_SHELLS = ("bash", "zsh", "fish")


def _known_shell(shell: str | None) -> str:
    if shell not in _SHELLS:
        raise CliError("Usage: cuevault completion bash, zsh or fish.", USAGE)
    return shell


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of `completion`."""
    parser.add_argument("shell", nargs="?", type=_known_shell, choices=_SHELLS)


def words(parser: argparse.ArgumentParser, path: str = "") -> Iterator[tuple[str, list[str]]]:
    """Each command with its path and what can follow it: subcommands, options, choices."""
    found: list[str] = []
    nested: list[tuple[str, argparse.ArgumentParser]] = []
    for action in parser._actions:
        if action.help == argparse.SUPPRESS:
            continue
        found += [option for option in action.option_strings if option.startswith("--")]
        if isinstance(action, argparse._SubParsersAction):
            nested += action.choices.items()
            found += action.choices
        elif not action.option_strings and action.choices is not None:
            found += action.choices
    yield path, found
    for name, child in nested:
        yield from words(child, f"{path} {name}")


def _bash(parser: argparse.ArgumentParser) -> str:
    table = list(words(parser))
    cases = "\n".join(
        f"    '{path}') COMPREPLY=($(compgen -W '{' '.join(found)}' -- \"$current\")) ;;"
        for path, found in table
    )
    return _BASH.format(paths="|".join(f"'{path}'" for path, _ in table[1:]), cases=cases)


def _fish(parser: argparse.ArgumentParser) -> str:
    lines = []
    for path, found in words(parser):
        names = path.split()
        condition = f"__fish_seen_subcommand_from {names[-1]}" if names else "__fish_use_subcommand"
        for word in found:
            argument = f"-l {word[2:]}" if word.startswith("--") else f"-f -a {word}"
            lines.append(f"complete -c cuevault -n '{condition}' {argument}\n")
    return "".join(lines)


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The completion script of a command line for a shell."""
    if shell == "fish":
        return _fish(parser)
    return ("autoload -U bashcompinit && bashcompinit\n" if shell == "zsh" else "") + _bash(parser)


def run(options: argparse.Namespace) -> int:
    """Print the script; returns the exit code."""
    out(script(options.parser, _known_shell(options.shell)))
    return DONE
