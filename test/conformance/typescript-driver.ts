// The TypeScript client, driven by lines of JSON; README.md says what it speaks.
import { createInterface } from 'node:readline';
import { Cuevault, CuevaultError, getPrompt, getSecrets } from '../../clients/typescript/src/index.ts';
import { offlineCopy } from '../../clients/typescript/src/offline.ts';
import type { ClientConfig, DriverError, Request } from './driver.ts';

type Args = Readonly<Record<string, unknown>>;

const clients = new Map<string, Cuevault>();

const clientFor = (id: string, { offline, ...options }: ClientConfig): Cuevault => {
  const client = clients.get(id) ?? new Cuevault({ ...options, offline: offline && offlineCopy(offline) });
  clients.set(id, client);
  return client;
};

const getOne = async (client: Cuevault, { name, promptId, ...options }: Args) => {
  const which = name === undefined ? { promptId: promptId as string } : (name as string);
  const prompt = await client.prompts.get(which, options);
  return { ...prompt, compiledPrompt: prompt.compiledPrompt ?? null };
};

const run = ({ clientId, client: config, op, args }: Request): Promise<unknown> => {
  const client = () => clientFor(clientId, config);
  const { url, apiKey, timeoutMs, totalTimeoutMs, retries } = config;
  const options = { url, apiKey, timeoutMs, totalTimeoutMs, retries, ...args };
  switch (op) {
    case 'prompts.get':
      return getOne(client(), args);
    case 'secrets.get':
      return client().secrets.get(args.key as string, args);
    case 'secrets.all':
      return client().secrets.all(args);
    case 'getSecrets':
      return getSecrets(options);
    case 'getPrompt':
      return getPrompt(options);
    case 'environment':
      return Promise.resolve((args.names as string[]).map((name) => process.env[name] ?? null));
  }
};

const described = (error: unknown): DriverError => {
  if (!(error instanceof CuevaultError)) throw error;
  const { retryAfter, variables } = error as { retryAfter?: number; variables?: string[] };
  const { name: type, code, status = null, message } = error;
  return { type, code, status, message, retryAfter: retryAfter ?? null, variables: variables ?? null };
};

const answer = async (request: Request): Promise<object> => {
  try {
    if (request.concurrency === undefined) return { ok: await run(request) };
    return { ok: await Promise.all(Array.from({ length: request.concurrency }, () => run(request))) };
  } catch (error) {
    return { error: described(error) };
  }
};

for await (const line of createInterface(process.stdin)) {
  const request = JSON.parse(line) as Request & { readonly id: number };
  process.stdout.write(`${JSON.stringify({ id: request.id, ...(await answer(request)) })}\n`);
}
