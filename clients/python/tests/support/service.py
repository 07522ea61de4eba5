"""A scripted service behind the clients' transport interface."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import httpx

URL = "https://vault.example"
API_KEY = "cue_Ab3dEf7h_0123456789abcdefghijABCDEFGHIJ01XyZ123"

# How long a condition may take to become true: many times what the slowest machine needs.
PATIENCE_SECONDS = 120
_POLL_SECONDS = 0.001
# Times that no machine exceeds.
PATIENT: dict[str, Any] = {"timeout": 120.0, "total_timeout": 300.0}

Answer = httpx.Response | httpx.HTTPError


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "The condition never became true."
        time.sleep(_POLL_SECONDS)


def ok(result: object) -> httpx.Response:
    return httpx.Response(200, json={"err": None, "res": result})


def prompt(
    template: str = "Hello {{user}}!", *, version: str = "1.0.0", name: str = "greeting"
) -> httpx.Response:
    return ok(
        {
            "promptId": "prm_1",
            "name": name,
            "version": version,
            "tags": ["sample"],
            "metaProperties": {"model": {"name": "small"}},
            "prompt": template,
        }
    )


def failure(status: int, code: str, **headers: str) -> httpx.Response:
    headers = {"cuevault-error": code, "cuevault-request-id": "request-1", **headers}
    return httpx.Response(status, json={"err": f"It failed with {code}.", "res": None}, headers=headers)


class FakeService(httpx.MockTransport):
    """Returns `answers` in order, then repeats the last one; records requests. No reply leaves before `may_reply`."""

    def __init__(self) -> None:
        super().__init__(self._answer)
        self.answers: deque[Answer] = deque([prompt()])
        self.requests: list[httpx.Request] = []
        self.may_reply: Callable[[], bool] = lambda: True

    def will(self, *answers: Answer) -> None:
        self.answers = deque(answers)

    @property
    def calls(self) -> int:
        return len(self.requests)

    def body(self, number: int = -1) -> dict[str, object]:
        body: dict[str, object] = json.loads(self.requests[number].content)
        return body

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.popleft() if len(self.answers) > 1 else self.answers[0]
        wait_until(self.may_reply)
        if isinstance(answer, httpx.HTTPError):
            raise answer
        # A fresh one each time: a response is read once.
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)
