from __future__ import annotations

import subprocess
from pathlib import Path

PROJECT = Path(__file__).parents[2]


def test_variables_decide_whether_there_is_a_compiled_text_for_pyright(tmp_path: Path) -> None:
    pyright = PROJECT.parents[1] / "node_modules" / "pyright" / "index.js"
    assert pyright.exists(), "Run npm install at the top of the repository."
    settings = tmp_path / "pyrightconfig.json"
    settings.write_text(
        f'{{"include": ["{PROJECT / "tests" / "project" / "typed_use.py"}"], "typeCheckingMode": "strict",'
        f' "reportUnnecessaryTypeIgnoreComment": "error", "extraPaths": ["{PROJECT / "src"}"]}}'
    )
    done = subprocess.run(
        ["node", str(pyright), "--project", str(settings)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
