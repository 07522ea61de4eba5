from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "generate_sync.py"


def test_the_blocking_client_is_the_one_that_the_asyncio_client_generates() -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True, check=False
    )
    assert (done.stdout + done.stderr, done.returncode) == ("", 0)
