"""How fast prompts are read: from the cache with compiling, and (with a running service) one call after another.

    python benchmarks/prompts.py [--calls 300000] [--service]

`--service` needs CUEVAULT_URL and CUEVAULT_API_KEY, and a prompt named greeting.
"""

from __future__ import annotations

import argparse
import statistics
import time

import httpx

from cuevault import Cuevault

TARGET = 200_000
UNCACHED_CALLS = 1_000


def _answer(_: httpx.Request) -> httpx.Response:
    prompt = {
        "promptId": "prm_1",
        "name": "greeting",
        "version": "1.0.0",
        "tags": [],
        "metaProperties": {},
        "prompt": "Hello {{user}}! Welcome to {{place}}.",
    }
    return httpx.Response(200, json={"err": None, "res": prompt})


def cached(calls: int) -> float:
    """Calls per second of get and compile, answered by the cache; the best of three runs."""
    client = Cuevault("http://localhost", "cue_benchmark", transport=httpx.MockTransport(_answer))
    variables = {"user": "Ada", "place": "Cuevault"}
    best = float("inf")
    for _ in range(3):
        begun = time.perf_counter()
        for _ in range(calls):
            client.prompts.get("greeting", variables=variables)
        best = min(best, time.perf_counter() - begun)
    client.close()
    return calls / best


def uncached(calls: int) -> list[float]:
    """Milliseconds of each of so many calls to the running service, one after another."""
    times = []
    with Cuevault(cache=None) as client:
        for _ in range(calls):
            begun = time.perf_counter()
            client.prompts.get("greeting", fresh=True)
            times.append((time.perf_counter() - begun) * 1000)
    return times


def main() -> int:
    """Print the figures; 1 if the cache is slower than its target."""
    parser = argparse.ArgumentParser(description="How fast prompts are read.")
    parser.add_argument("--calls", type=int, default=300_000)
    parser.add_argument("--service", action="store_true")
    options = parser.parse_args()
    rate = cached(options.calls)
    print(f"cached get and compile: {rate:,.0f} calls/s (target {TARGET:,})")
    if options.service:
        cuts = statistics.quantiles(uncached(UNCACHED_CALLS), n=100)
        print(f"{UNCACHED_CALLS:,} calls to the service: p50 {cuts[49]:.2f} ms, p99 {cuts[98]:.2f} ms")
    return 0 if rate >= TARGET else 1


if __name__ == "__main__":
    raise SystemExit(main())
