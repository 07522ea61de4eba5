"""How fast prompts are read: from the cache with compiling, and from a running service, compared with bare httpx.

    python benchmarks/prompts.py [--calls 300000] [--service]

`--service` needs CUEVAULT_URL and CUEVAULT_API_KEY, and a prompt named greeting.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from typing import Callable

import httpx

from cuevault import Cuevault

CACHED_TARGET = 400_000
UNCACHED_TARGET = 1.15
IMPORT_TARGET_MS = 30
ROUNDS, CALLS_PER_ROUND = 20, 50

BODY = (
    b'{"err":null,"res":{"promptId":"prm_1","name":"greeting","version":"1.0.0","tags":[],"metaProperties":{},'
    b'"prompt":"Hello {{user}}! Welcome to {{place}}."}}'
)


def cached(calls: int) -> float:
    """Calls per second of processor time, answered by the cache and compiled; the best of three runs."""
    transport = httpx.MockTransport(lambda _: httpx.Response(200, content=BODY))
    client = Cuevault("http://localhost", "cue_benchmark", transport=transport)
    variables = {"user": "Ada", "place": "Cuevault"}
    best = float("inf")
    for _ in range(3):
        begun = time.thread_time()
        for _ in range(calls):
            client.prompts.get("greeting", variables=variables)
        best = min(best, time.thread_time() - begun)
    client.close()
    return calls / best


def uncached(url: str, api_key: str) -> tuple[list[float], list[float]]:
    """Milliseconds of each call, bare httpx and the client in turns."""
    headers = {"authorization": f"Bearer {api_key}"}
    with Cuevault(url, api_key, cache=None) as client, httpx.Client(headers=headers) as http:

        def bare() -> object:
            reply = http.post(f"{url}/api/prompt/get-compiled", json={"name": "greeting"})
            return reply.json()["res"]

        calls: tuple[Callable[[], object], ...] = (bare, lambda: client.prompts.get("greeting"))
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(ROUNDS):
            for call, taken in zip(calls, times):
                for _ in range(CALLS_PER_ROUND):
                    begun = time.perf_counter()
                    call()
                    taken.append((time.perf_counter() - begun) * 1000)
    return times


def import_ms() -> float:
    """Milliseconds of processor time that importing cuevault takes after httpx; the best of five."""
    code = (
        "import time, httpx; begun = time.process_time(); import cuevault; print(time.process_time() - begun)"
    )
    runs = [subprocess.check_output([sys.executable, "-c", code], text=True) for _ in range(5)]
    return min(float(run) for run in runs) * 1000


def main() -> int:
    """Print the figures; 1 if one misses its target."""
    parser = argparse.ArgumentParser(description="How fast prompts are read.")
    parser.add_argument("--calls", type=int, default=300_000)
    parser.add_argument("--service", action="store_true")
    options = parser.parse_args()
    rate, imported = cached(options.calls), import_ms()
    print(f"cached get and compile: {rate:,.0f} calls/s (target {CACHED_TARGET:,})")
    print(f"import over httpx: {imported:.1f} ms (target {IMPORT_TARGET_MS})")
    good = rate >= CACHED_TARGET and imported <= IMPORT_TARGET_MS
    if options.service:
        times = uncached(os.environ["CUEVAULT_URL"], os.environ["CUEVAULT_API_KEY"])
        bare, ours = (statistics.quantiles(each, n=100) for each in times)
        ratio = ours[49] / bare[49]
        good = good and ratio <= UNCACHED_TARGET
        print(f"calls to the service: p50 {ours[49]:.2f} ms, p99 {ours[98]:.2f} ms")
        print(
            f"compared with bare httpx: {ratio:.2f} times its p50 of {bare[49]:.2f} ms (target {UNCACHED_TARGET})"
        )
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
