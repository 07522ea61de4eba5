from __future__ import annotations

import asyncio
import hashlib
import json

import httpx
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode, Tracer

from cuevault import NotFoundError, Prompt
from cuevault.adapters import to_openai
from cuevault.otel import PromptSpanProcessor, instrument, with_prompt
from cuevault.testing import FakeCuevault

PROMPT = {
    "gen_ai.prompt.name": "greeting",
    "gen_ai.prompt.version": "1.0.0",
    "cuevault.prompt.hash": hashlib.sha256(b"Hello {{user}}!").hexdigest(),
}


@pytest.fixture
def fake() -> FakeCuevault:
    return FakeCuevault(prompts={"greeting": "Hello {{user}}!"}, secrets={"A": "hidden"})


@pytest.fixture
def spans() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def provider(spans: InMemorySpanExporter) -> TracerProvider:
    provider = TracerProvider()
    provider.add_span_processor(PromptSpanProcessor())
    provider.add_span_processor(SimpleSpanProcessor(spans))
    return provider


@pytest.fixture
def tracer(provider: TracerProvider) -> Tracer:
    return provider.get_tracer("test")


def attributes(span: ReadableSpan) -> dict[str, object]:
    return dict(span.attributes or {})


@pytest.mark.parametrize("kind", ["blocking", "asyncio"])
def test_a_prompt_makes_a_client_span_and_describes_the_one_around_it(
    fake: FakeCuevault, spans: InMemorySpanExporter, tracer: Tracer, kind: str
) -> None:
    async def read() -> Prompt:
        client = instrument(fake.async_client(), tracer=tracer)
        return await client.prompts.get("greeting", variables={"user": "Ada"})

    with tracer.start_as_current_span("model call"):
        if kind == "asyncio":
            prompt: Prompt = asyncio.run(read())
        else:
            prompt = instrument(fake.client(), tracer=tracer).prompts.get(
                "greeting", variables={"user": "Ada"}
            )
    assert prompt.compiled_prompt == "Hello Ada!"
    inner, outer = spans.get_finished_spans()
    assert (inner.name, inner.kind) == ("cuevault prompts.get", SpanKind.CLIENT)
    assert attributes(inner) == {**PROMPT, "cuevault.source": "service"}
    assert attributes(outer) == PROMPT
    assert inner.parent is not None


def test_a_fallback_by_id_has_no_name_and_no_version(
    fake: FakeCuevault, spans: InMemorySpanExporter, tracer: Tracer
) -> None:
    fake.fail_next()
    instrument(fake.client(), tracer=tracer).prompts.get(prompt_id="prm_none", fallback="Hi")
    digest = hashlib.sha256(b"Hi").hexdigest()
    assert attributes(spans.get_finished_spans()[0]) == {
        "cuevault.source": "fallback",
        "cuevault.prompt.hash": digest,
    }


def test_spans_have_the_type_of_an_error_and_no_value(
    fake: FakeCuevault, spans: InMemorySpanExporter, tracer: Tracer
) -> None:
    client = instrument(fake.client(), tracer=tracer)
    assert client.secrets.get("A") == "hidden"
    assert client.secrets.all() == {"A": "hidden"}
    with pytest.raises(NotFoundError):
        client.secrets.get("B")
    done = spans.get_finished_spans()
    assert [span.name for span in done] == [
        "cuevault secrets.get",
        "cuevault secrets.all",
        "cuevault secrets.get",
    ]
    assert attributes(done[2]) == {"error.type": "NotFoundError"}
    assert done[2].status.status_code is StatusCode.ERROR
    assert "hidden" not in "".join(span.to_json() for span in done)


def test_spans_of_model_calls_get_name_version_and_hash_of_the_innermost_prompt_others_nothing(
    spans: InMemorySpanExporter, tracer: Tracer
) -> None:
    operation = {"gen_ai.operation.name": "chat"}

    def chat(given: dict[str, str]) -> None:
        tracer.start_span("chat", attributes=given).end()

    with with_prompt(Prompt("prm_1", "greeting", "1.0.0", (), "Hello {{user}}!")):
        chat(operation)
        with with_prompt(Prompt("prm_2", "other", "2.0.0", (), "Hello {{user}}!")):
            chat(operation)
        chat({})
    chat(operation)
    other = {**PROMPT, "gen_ai.prompt.name": "other", "gen_ai.prompt.version": "2.0.0"}
    found = [attributes(span) for span in spans.get_finished_spans()]
    assert found == [{**operation, **PROMPT}, {**operation, **other}, {}, operation]


def test_the_span_that_openais_instrumentation_makes_names_the_prompt(
    fake: FakeCuevault, spans: InMemorySpanExporter, provider: TracerProvider
) -> None:
    instrumentation = pytest.importorskip("opentelemetry.instrumentation.openai_v2").OpenAIInstrumentor()
    openai = pytest.importorskip("openai")
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Hi."}}
    reply = {"id": "1", "object": "chat.completion", "created": 1, "model": "small", "choices": [choice]}
    transport = httpx.MockTransport(lambda _: httpx.Response(200, text=json.dumps(reply)))
    instrumentation.instrument(tracer_provider=provider)
    try:
        with openai.OpenAI(api_key="sk", http_client=httpx.Client(transport=transport)) as client:
            prompt = fake.client().prompts.get("greeting", variables={"user": "Ada"})
            with with_prompt(prompt):
                client.chat.completions.create(**to_openai(prompt, model="small"))
    finally:
        instrumentation.uninstrument()
    (span,) = spans.get_finished_spans()
    assert span.name == "chat small"
    assert attributes(span).items() >= PROMPT.items()
