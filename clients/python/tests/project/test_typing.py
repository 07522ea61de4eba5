from __future__ import annotations

import json
from pathlib import Path

from support.cli import run

PROJECT = Path(__file__).parents[2]


def test_pyright_infers_compiled_texts_and_accepts_chats_for_sdks() -> None:
    pyright = PROJECT.parents[1] / "node_modules" / "pyright" / "index.js"
    assert pyright.exists(), "Run npm install at the top of the repository."
    report = json.loads(run(["node", str(pyright), "--project", str(PROJECT), "--outputjson"]).stdout)
    assert (report["generalDiagnostics"], report["summary"]["filesAnalyzed"]) == ([], 5)
