from __future__ import annotations

import sys

import pytest

from cuevault.cli.terminal import inert, warn
from support.cli import run


def test_without_standard_output_there_is_one_line_and_no_success() -> None:
    done = run(["/bin/sh", "-c", f"exec {sys.executable} -m cuevault --help >&-"])
    assert done.returncode == 1
    assert done.stderr == "cuevault: There is no standard output to write to.\n"


def test_nothing_that_is_printed_acts_on_a_terminal_or_a_ci_system() -> None:
    text = "a\u001b[31m\r\n  ::add-mask::x\n::error::y ##[command]z ##vso[task] ## [ok]\u202e\u200b\U000e0041\ufe0f\n"
    assert inert(text) == (
        "a\\u001b[31m\\u000d\n  :\\u003aadd-mask::x\n:\\u003aerror::y #\\u0023[command]z #\\u0023vso[task] ## [ok]"
        "\\u202e\\u200b\\udb40\\udc41\\ufe0f\n"
    )


def test_an_error_is_one_line_without_what_acts(capsys: pytest.CaptureFixture[str]) -> None:
    warn('The service said: no\n::error::pwned\u001b[2K\ud800"é"')
    assert (
        capsys.readouterr().err == 'cuevault: The service said: no :\\u003aerror::pwned\\u001b[2K\\ud800"é"\n'
    )
