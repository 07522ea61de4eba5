from __future__ import annotations

import gc
import os
import re
from pathlib import Path

import pytest

from support.http_server import samples, serve

TOP = Path(__file__).parents[4]
FILES = (TOP / "clients/python/README.md", TOP / "docs/reference/client-python.md")
TEXTS = [file.read_text("utf-8") for file in FILES]
BLOCKS = [block for text in TEXTS for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL)]


# Two pasted lines leave closing the connection to the end of the program.
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_the_readme_works_as_pasted(
    block: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "environ", dict(os.environ))
    os.environ["CUEVAULT_API_KEY"] = "cue_right"
    with serve(samples) as url:
        os.environ["CUEVAULT_URL"] = url
        names: dict[str, object] = {"__name__": "pasted"}
        exec(compile(block, "README.md", "exec", dont_inherit=True), names)
        client = names.get("cuevault")
        if client is not None:
            client.close()  # type: ignore[attr-defined]
        names.clear()
        gc.collect()
    assert "sk-sample" not in capsys.readouterr().out


def test_the_tests_in_the_readme_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = [block for block in BLOCKS if "def test_" in block]
    file = tmp_path / "test_pasted.py"
    file.write_text(block)
    without = ("cacheprovider", "langsmith_plugin", "unraisableexception")
    plugins = [part for name in without for part in ("-p", f"no:{name}")]
    assert pytest.main(["-q", *plugins, "-c", os.devnull, str(file)]) == 0
    assert "2 passed" in capsys.readouterr().out
