"""FastAPI handlers that return Cuevault prompts. Needs CUEVAULT_URL and CUEVAULT_API_KEY."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, PlainTextResponse

from cuevault import AsyncCuevault, CuevaultError, NotFoundError


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[dict[str, AsyncCuevault]]:
    # One client for the whole process: it has the cache.
    async with AsyncCuevault(label="production", strict=True) as cuevault:
        yield {"cuevault": cuevault}


app = FastAPI(lifespan=lifespan)


@app.get("/greeting/{user}")
async def greeting(user: str, request: Request) -> PlainTextResponse:
    cuevault: AsyncCuevault = request.state.cuevault
    prompt = await cuevault.prompts.get("greeting", variables={"user": user}, fallback="Hello {{user}}!")
    return PlainTextResponse(
        prompt.compiled_prompt, headers={"x-prompt-version": prompt.version or prompt.source}
    )


@app.get("/prompts/{name}")
async def describe(name: str, request: Request) -> dict[str, object]:
    cuevault: AsyncCuevault = request.state.cuevault
    prompt = await cuevault.prompts.get(name, version="latest")
    return {"name": prompt.name, "version": prompt.version, "tags": prompt.tags}


@app.exception_handler(CuevaultError)
async def unanswered(_: Request, error: CuevaultError) -> JSONResponse:
    status = 404 if isinstance(error, NotFoundError) else 503
    return JSONResponse({"error": str(error), "code": error.code}, status_code=status)
