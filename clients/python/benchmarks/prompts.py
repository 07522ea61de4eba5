"""How fast the cache answers `prompts.get`, compiling included, and how long the import takes.

python benchmarks/prompts.py
"""

from __future__ import annotations

import subprocess
import sys
import time

import httpx

from cuevault import Cuevault

CALLS = 300_000
CACHED_TARGET = 400_000
IMPORT_TARGET_MS = 30

BODY = (
    b'{"err":null,"res":{"promptId":"prm_1","name":"greeting","version":"1.0.0","tags":[],"metaProperties":{},'
    b'"prompt":"Hello {{user}}! Welcome to {{place}}."}}'
)
IMPORT = (
    "import time, httpx; begun = time.process_time(); import cuevault; print(time.process_time() - begun)"
)


def cached() -> float:
    """Calls per second of processor time; the best of three runs."""
    transport = httpx.MockTransport(lambda _: httpx.Response(200, content=BODY))
    variables = {"user": "Ada", "place": "Cuevault"}
    times = []
    with Cuevault("http://localhost", "cue_benchmark", transport=transport) as client:
        for _ in range(3):
            begun = time.thread_time()
            for _ in range(CALLS):
                client.prompts.get("greeting", variables=variables)
            times.append(time.thread_time() - begun)
    return CALLS / min(times)


def import_ms() -> float:
    """Milliseconds of processor time that importing cuevault takes after httpx; the best of five."""
    runs = [subprocess.check_output([sys.executable, "-c", IMPORT], text=True) for _ in range(5)]
    return min(map(float, runs)) * 1000


if __name__ == "__main__":
    rate, imported = cached(), import_ms()
    print(f"cached get and compile: {rate:,.0f} calls/s (target {CACHED_TARGET:,})")
    print(f"import over httpx: {imported:.1f} ms (target {IMPORT_TARGET_MS})")
    sys.exit(rate < CACHED_TARGET or imported > IMPORT_TARGET_MS)
