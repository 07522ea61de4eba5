"""
The Python clients, driven by lines of JSON; README.md describes the protocol. With --async: the asyncio client; with
--commands: the command line.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import httpx
from python_clock import move
from python_fields import (
    Json,
    Recorder,
    connection,
    described,
    described_envelope,
    in_python,
    options,
    shown,
)

from cuevault import AsyncCuevault, Cuevault, CuevaultError, get_prompt, get_secrets
from cuevault._sync.runtime import SingleFlight
from cuevault.cli.main import main as run_command_line


def without_client(request: Json) -> Any:
    """The operations that need no client."""
    args = request["args"]
    if request["op"] == "pass":
        return move(args["wallMs"] / 1000, args["steadyMs"] / 1000)
    if request["op"] == "environment":
        for name, value in args.get("set", {}).items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        return [os.environ.get(name) for name in args.get("names", ())]
    helper: Callable[..., Any] = get_secrets if request["op"] == "getSecrets" else get_prompt
    return described_envelope(helper(**connection(request["client"]), **in_python(args)))


def read_with(client: Cuevault | AsyncCuevault, request: Json) -> Any:
    part, name = request["op"].split(".")
    return getattr(getattr(client, part), name)(**in_python(request["args"]))


class Gate:
    """Holds back what concurrent reads send until each of them has sent, joined another one's call, or ended."""

    def __init__(self) -> None:
        self._open = threading.Event()
        self._open.set()
        self._waiting: set[int] = set()

    def close(self) -> None:
        self._waiting.clear()
        self._open.clear()

    def open_after(self, reads: list[Future[Any]]) -> None:
        while len(self._waiting) + sum(read.done() for read in reads) < len(reads):
            time.sleep(0.001)
        self._open.set()

    def arrive(self) -> None:
        """The calling thread will wait from now on, at the gate or for another thread."""
        self._waiting.add(threading.get_ident())

    def leave(self) -> None:
        self._waiting.discard(threading.get_ident())

    def wait(self) -> None:
        self.arrive()
        self._open.wait()


class GatedTransport(httpx.HTTPTransport):
    """The network behind a gate."""

    def __init__(self, gate: Gate) -> None:
        super().__init__()
        self._gate = gate

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self._gate.wait()
        return super().handle_request(request)


def reporting_to(gate: Gate) -> None:
    """From now on, a read that joins another one's call reports to the gate."""
    enter = SingleFlight._enter

    def entered(flights: SingleFlight[Any], key: Any) -> Any:
        future, is_first = enter(flights, key)
        if not is_first:
            gate.arrive()
        return future, is_first

    SingleFlight._enter = entered  # type: ignore[assignment]


class Clients:
    """The clients by the ids of requests, and their events."""

    def __init__(self, make: Callable[..., Any], **common: Any) -> None:
        self._make, self._common = make, common
        self._clients: dict[str, Any] = {}
        self._recorders: dict[str, Recorder] = {}

    def of(self, request: Json) -> Any:
        name = request["clientId"]
        if name not in self._clients:
            recorder = self._recorders[name] = Recorder()
            self._clients[name] = self._make(**options(request["client"], recorder), **self._common)
        return self._clients[name]

    def without_read(self, request: Json) -> Any:
        """The operations that read nothing."""
        if request["op"] == "events":
            return self._recorders[request["clientId"]].taken()
        return without_client(request)


class SyncClients:
    def __init__(self) -> None:
        self._gate = Gate()
        self._clients = Clients(Cuevault, transport=GatedTransport(self._gate))
        reporting_to(self._gate)

    def run(self, request: Json) -> Any:
        if "." in request["op"]:
            return shown(read_with(self._clients.of(request), request))
        if request["op"] == "quiet":
            for each in threading.enumerate():
                if each.name == "cuevault-refresh":
                    each.join()
            return None
        return self._clients.without_read(request)

    def _run_once(self, request: Json) -> Any:
        try:
            return self.run(request)
        finally:
            self._gate.leave()

    def run_many(self, request: Json, count: int) -> list[Any]:
        self._clients.of(request)
        self._gate.close()
        with ThreadPoolExecutor(count) as pool:
            outcomes = [pool.submit(self._run_once, request) for _ in range(count)]
            self._gate.open_after(outcomes)
            return [outcome.result() for outcome in outcomes]


class AsyncClients:
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._clients = Clients(AsyncCuevault)

    async def _run(self, request: Json) -> Any:
        if "." in request["op"]:
            return shown(await read_with(self._clients.of(request), request))
        if request["op"] == "quiet":
            behind = asyncio.all_tasks() - {asyncio.current_task()}
            return len(await asyncio.gather(*behind, return_exceptions=True))
        return await self._loop.run_in_executor(None, self._clients.without_read, request)

    async def _run_many(self, request: Json, count: int) -> list[Any]:
        outcomes = await asyncio.gather(*(self._run(request) for _ in range(count)), return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
        return outcomes

    # The loop runs in its own thread, so background work continues between two lines.
    def run(self, request: Json) -> Any:
        return asyncio.run_coroutine_threadsafe(self._run(request), self._loop).result()

    def run_many(self, request: Json, count: int) -> list[Any]:
        return asyncio.run_coroutine_threadsafe(self._run_many(request, count), self._loop).result()


class Commands:
    """Runs each command line in a fork of this process."""

    def run(self, request: Json) -> Json:
        with open(os.devnull, "rb") as none, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            pid = os.fork()
            if pid == 0:
                os.chdir(request["cwd"])
                os.environ.clear()
                os.environ.update(request["env"])
                for number, file in enumerate((none, out, err)):
                    os.dup2(file.fileno(), number)
                sys.exit(run_command_line(request["words"]))
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            printed = [os.pread(file.fileno(), 1_000_000, 0).decode() for file in (out, err)]
        ended = code if code >= 0 else signal.Signals(-code).name
        return {"code": ended, "out": printed[0], "err": printed[1]}


def answer(clients: SyncClients | AsyncClients | Commands, request: Json) -> Json:
    try:
        count = request.get("concurrency")
        if count is None or isinstance(clients, Commands):
            return {"ok": clients.run(request)}
        return {"ok": clients.run_many(request, count)}
    except CuevaultError as error:
        return {"error": described(error)}


def make_clients() -> SyncClients | AsyncClients | Commands:
    if "--commands" in sys.argv:
        return Commands()
    if "--async" not in sys.argv:
        return SyncClients()
    loop = asyncio.new_event_loop()
    ThreadPoolExecutor(1).submit(loop.run_forever)
    return AsyncClients(loop)


def main() -> None:
    clients = make_clients()
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps({"id": request["id"], **answer(clients, request)}), flush=True)
    os._exit(0)


def end_after(*error: Any) -> None:
    """Ends a driver that has crashed at once: the threads of its clients would keep it alive."""
    traceback.print_exception(*error)
    os._exit(1)


sys.excepthook = end_after
main()
