"""A small real HTTP server with one handler function, for tests that need sockets."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from support.service import PATIENCE_SECONDS

Handle = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def serve(handle: Handle, tls: ssl.SSLContext | None = None) -> Iterator[str]:
    """The server's address, while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            handle(self)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"{'http' if tls is None else 'https'}://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def body_of(handler: BaseHTTPRequestHandler) -> dict[str, object]:
    body: dict[str, object] = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
    return body


def reply(handler: BaseHTTPRequestHandler, status: int, value: object, **headers: str) -> None:
    data = json.dumps(value).encode()
    handler.send_response(status)
    for name, text in {"content-length": str(len(data)), **headers}.items():
        handler.send_header(name.replace("_", "-"), text)
    handler.end_headers()
    handler.wfile.write(data)


class PromptServer:
    """Returns prompts whose text is their name and the number of the call. Calls in `held` wait for `gate`."""

    def __init__(self) -> None:
        self.url = ""
        self.ports: list[int] = []
        self.held: set[int] = set()
        self.arrived, self.gate = threading.Event(), threading.Event()

    def handle(self, handler: BaseHTTPRequestHandler) -> None:
        name = body_of(handler)["name"]
        self.ports.append(handler.client_address[1])
        number = len(self.ports)
        if number in self.held:
            self.arrived.set()
            self.gate.wait(PATIENCE_SECONDS)
        prompt = {"promptId": "p", "name": name, "version": "1.0.0", "tags": [], "metaProperties": {}}
        reply(handler, 200, {"err": None, "res": {**prompt, "prompt": f"{name} {number}"}})


def secrets_server(secrets: dict[str, str]) -> Handle:
    """Returns the current secrets to callers with the right key."""

    def handle(handler: BaseHTTPRequestHandler) -> None:
        body = body_of(handler)
        if handler.headers["authorization"] != "Bearer cue_right":
            error = {"err": "A valid API key is required.", "res": None}
            reply(handler, 401, error, cuevault_error="unauthenticated")
            return
        key = body.get("key")
        if isinstance(key, str) and key not in secrets:
            reply(
                handler,
                404,
                {"err": "There is no such secret.", "res": None},
                cuevault_error="secret_not_found",
            )
            return
        reply(handler, 200, {"err": None, "res": {key: secrets[key]} if isinstance(key, str) else secrets})

    return handle


def samples(handler: BaseHTTPRequestHandler) -> None:
    """Returns a secret, and a prompt for any name but `nobody`: for `assistant` a chat."""
    body = body_of(handler)
    if handler.path == "/api/vault/get-secrets":
        reply(handler, 200, {"err": None, "res": {"OPENAI_API_KEY": "sk-sample"}})
        return
    if body["name"] == "nobody":
        error = {"err": "There is no such prompt.", "res": None}
        reply(handler, 404, error, cuevault_error="prompt_not_found")
        return
    version = "1.0.0" if body.get("label") == "production" else body.get("version", "1.1.0")
    fields = {"promptId": "p", "tags": ["sample"], "metaProperties": {}, "version": version}
    res = {**fields, "name": body["name"], "prompt": "Hello {{user}}!"}
    if body["name"] == "assistant":
        messages = [{"type": "placeholder", "name": "history"}, {"role": "user", "content": "{{question}}"}]
        res |= {"type": "chat", "messages": messages, "model": "gpt-5", "config": {"maxOutputTokens": 9}}
    reply(handler, 200, {"err": None, "res": res})
