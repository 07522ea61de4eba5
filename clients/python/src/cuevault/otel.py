"""OpenTelemetry spans for a client. Needs the package opentelemetry-api."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from opentelemetry import context, trace

from ._async.client import AsyncCuevault
from ._sync.client import Cuevault
from .prompts import Prompt

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import Span, SpanProcessor
else:
    try:
        from opentelemetry.sdk.trace import SpanProcessor
    except ImportError:
        # Without the SDK nothing uses a processor.
        SpanProcessor = object

# The semantic conventions for generative AI name these two.
PROMPT_NAME = "gen_ai.prompt.name"
PROMPT_VERSION = "gen_ai.prompt.version"
PROMPT_HASH = "cuevault.prompt.hash"
SOURCE = "cuevault.source"
# What instrumentations of model calls set on their spans.
_OPERATION = "gen_ai.operation.name"
_KEY = context.create_key("cuevault prompt")

ClientT = TypeVar("ClientT", Cuevault, AsyncCuevault)
Method = Callable[..., Any]


def _describe(span: trace.Span, prompt: Prompt) -> None:
    # A fallback that was asked for by id has neither name nor version.
    digest = hashlib.sha256(prompt.prompt.encode(errors="replace")).hexdigest()
    known = {PROMPT_NAME: prompt.name, PROMPT_VERSION: prompt.version, PROMPT_HASH: digest}
    span.set_attributes({key: value for key, value in known.items() if value})


@contextmanager
def _span(tracer: trace.Tracer, operation: str) -> Iterator[Callable[[object], None]]:
    """A client span around a call; yields what takes its result."""
    around = trace.get_current_span()
    with tracer.start_as_current_span(
        f"cuevault {operation}",
        kind=trace.SpanKind.CLIENT,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:

        def take(result: object) -> None:
            if isinstance(result, Prompt):
                _describe(span, result)
                _describe(around, result)
                span.set_attribute(SOURCE, result.source)

        try:
            yield take
        except BaseException as error:
            # Not the message: an error of another package could contain anything.
            span.set_attribute("error.type", type(error).__name__)
            span.set_status(trace.StatusCode.ERROR)
            raise


def _blocking(method: Method, tracer: trace.Tracer, operation: str) -> Method:
    @wraps(method)
    def traced(*args: Any, **options: Any) -> Any:
        with _span(tracer, operation) as take:
            result = method(*args, **options)
            take(result)
            return result

    return traced


def _on_asyncio(method: Method, tracer: trace.Tracer, operation: str) -> Method:
    @wraps(method)
    async def traced(*args: Any, **options: Any) -> Any:
        with _span(tracer, operation) as take:
            result = await method(*args, **options)
            take(result)
            return result

    return traced


def instrument(client: ClientT, *, tracer: trace.Tracer | None = None) -> ClientT:
    """The same client with a span for each `prompts.get`, `secrets.get` and `secrets.all`.

    The span that is active around `prompts.get`, such as that of a model call, gets the prompt's name, version and
    hash too. No span contains a variable or the value of a secret. `tracer` defaults to the global provider's.
    """
    tracer = tracer or trace.get_tracer("cuevault")
    traced = _on_asyncio if isinstance(client, AsyncCuevault) else _blocking
    instrumented = copy.copy(client)
    for part, names in (("prompts", ("get",)), ("secrets", ("get", "all"))):
        methods = copy.copy(getattr(client, part))
        for name in names:
            setattr(methods, name, traced(getattr(methods, name), tracer, f"{part}.{name}"))
        setattr(instrumented, part, methods)
    return instrumented


@contextmanager
def with_prompt(prompt: Prompt) -> Iterator[Prompt]:
    """Spans of model calls within it get the prompt's name, version and hash, if PromptSpanProcessor is in use."""
    token = context.attach(context.set_value(_KEY, prompt))
    try:
        yield prompt
    finally:
        context.detach(token)


class PromptSpanProcessor(SpanProcessor):
    """Puts a prompt's name, version and hash on spans that begin in `with_prompt` with `gen_ai.operation.name`.

    The hash is the SHA-256 of the template. The SDK accepts no attribute once a span ends, so the operation must be
    among those that it begins with.
    """

    def on_start(self, span: Span, parent_context: context.Context | None = None) -> None:
        """Called by the SDK."""
        prompt = context.get_value(_KEY, parent_context)
        if isinstance(prompt, Prompt) and _OPERATION in (span.attributes or {}):
            _describe(span, prompt)
