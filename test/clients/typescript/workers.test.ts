// The client in workerd, the runtime of Cloudflare Workers.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BuildOptions, build } from 'esbuild';
import workerd from 'workerd';
import { newFolder } from '../../support/new-folder.ts';
import { serve } from '../../support/server.ts';

const WORKER = `
import { Cuevault } from 'cuevault';
let cuevault;
let reads = 0;
const client = () => (cuevault ??= new Cuevault({ timeoutMs: 120_000, totalTimeoutMs: 200_000, cache: { refreshWaitMs: 0 } }));
export default {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/abandon') {
      client().prompts.get('greeting').catch(() => undefined);
      client().secrets.all().catch(() => undefined);
      return new Response('left');
    }
    if (pathname === '/reads') return new Response(String(reads));
    reads++;
    const ttlMs = Number(searchParams.get('ttlMs') ?? 3_600_000);
    const options = { variables: { user: 'Ada' }, fallback: 'Bye {{user}}', ttlMs };
    const { compiledPrompt, source } = await client().prompts.get('greeting', options);
    const { TOKEN } = await client().secrets.all();
    return Response.json({ compiledPrompt, source, TOKEN });
  },
};`;

const PROMPT = { promptId: 'prm_1', name: 'greeting', version: '1.0.0' };

/** A service that replies once `released` is resolved, with the present `greeting`. */
const startHeldService = async () => {
  const service = { greeting: 'Hello', released: Promise.resolve() };
  const served = await serve(async (request, response) => {
    const isPrompt = request.url === '/api/prompt/get-compiled';
    await service.released;
    const prompt = { ...PROMPT, prompt: `${service.greeting} {{user}}!` };
    response.end(JSON.stringify({ err: null, res: isPrompt ? prompt : { TOKEN: 'swordfish' } }));
  });
  return Object.assign(service, served);
};

let folder: string;
let service: Awaited<ReturnType<typeof startHeldService>>;
let child: ChildProcess;
let url: string;

/** Bundles the worker and serves it on any free port, which workerd reports through a pipe. */
const startWorker = async (compatibilityDate: string): Promise<string> => {
  const common: BuildOptions = { bundle: true, format: 'esm', external: ['cloudflare:*'] };
  const outfile = join(folder, 'cuevault.js');
  await build({ ...common, entryPoints: ['clients/typescript/src/workers.ts'], outfile });
  await build({
    ...common,
    stdin: { contents: WORKER, resolveDir: '.' },
    outfile: join(folder, 'worker.js'),
    alias: { cuevault: outfile },
  });
  const config = join(folder, 'config.capnp');
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [
        (name = "main", worker = .worker),
        (name = "internet", network = (allow = ["private"])),
      ],
      sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
    );
    const worker :Workerd.Worker = (
      modules = [(name = "worker", esModule = embed "worker.js")],
      bindings = [
        (name = "CUEVAULT_URL", text = "${service.url}"),
        (name = "CUEVAULT_API_KEY", text = "cue_test"),
      ],
      compatibilityDate = "${compatibilityDate}",
    );`,
  );
  child = spawn(workerd.default, ['serve', config, '--control-fd=3'], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  for await (const line of child.stdio[3] as unknown as AsyncIterable<Buffer>) {
    const { event, port } = JSON.parse(String(line).split('\n')[0] ?? '');
    if (event === 'listen') return `http://127.0.0.1:${port}`;
  }
  throw new Error('workerd ended.');
};

const get = async (path = '/') => {
  const reply = await fetch(url + path);
  return { status: reply.status, text: await reply.text() };
};

// Before and after awaiting the promise of another request became an error.
describe.each(['2024-01-01', '2026-01-01'])('with the Workers compatibility date %s', (compatibilityDate) => {
  beforeAll(async () => {
    folder = newFolder();
    service = await startHeldService();
    url = await startWorker(compatibilityDate);
  });

  afterAll(async () => {
    child.kill();
    await once(child, 'exit');
    await service.stop();
  });

  const answer = (source: string, greeting = 'Hello') => ({
    status: 200,
    text: JSON.stringify({ compiledPrompt: `${greeting} Ada!`, source, TOKEN: 'swordfish' }),
  });

  test('a call that outlives its request does not fail later requests', async () => {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    service.released = promise;
    expect(await get('/abandon')).toEqual({ status: 200, text: 'left' });
    const later = [get(), get()];
    while ((await get('/reads')).text !== '2') await sleep(10);
    release();
    expect(await Promise.all(later)).toEqual([answer('service'), answer('service')]);
  });

  test('a background refresh completes after its request has ended', async () => {
    service.greeting = 'Welcome';
    expect(await get('/?ttlMs=0')).toEqual(answer('stale'));
    let last = await get();
    while (last.text === answer('cache').text) last = await get();
    expect(last).toEqual(answer('cache', 'Welcome'));
  });
});
