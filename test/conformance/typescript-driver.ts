// The TypeScript client, driven by lines of JSON; README.md describes the protocol.
import { createInterface } from 'node:readline';
import type { CuevaultEvent } from '../../clients/typescript/src/events.ts';
import { Cuevault, CuevaultError, getPrompt, getSecrets } from '../../clients/typescript/src/index.ts';
import { offlineCopy } from '../../clients/typescript/src/offline.ts';
import type { ClientConfig, DriverError, Request } from './driver.ts';

type Args = Readonly<Record<string, unknown>>;

/** Not the same in every run. */
const VARIABLE = ['durationMs', 'delayMs', 'ageMs', 'requestId'];

interface Client {
  readonly cuevault: Cuevault;
  readonly events: object[];
}

const clients = new Map<string, Client>();

/** Work behind answers. */
const behind = new Set<Promise<unknown>>();

/** How many milliseconds the clocks are ahead. */
const passed = { wallMs: 0, steadyMs: 0 };
for (const [clock, name] of [[Date, 'wallMs'] as const, [performance, 'steadyMs'] as const]) {
  const now = clock.now.bind(clock);
  clock.now = () => now() + passed[name];
}

const isComparable = ([name, value]: [string, unknown]) => value !== undefined && !VARIABLE.includes(name);

const makeClient = ({ offline, events: wanted, ...options }: ClientConfig): Client => {
  const events: object[] = [];
  const onEvent = (event: CuevaultEvent) =>
    events.push(Object.fromEntries(Object.entries(event).filter(isComparable)));
  const cuevault = new Cuevault({
    ...options,
    offline: offline && offlineCopy(offline),
    waitUntil: (promise) => behind.add(promise),
    ...(wanted === true ? { onEvent } : {}),
  });
  return { cuevault, events };
};

const clientFor = (id: string, config: ClientConfig): Client => {
  const client = clients.get(id) ?? makeClient(config);
  clients.set(id, client);
  return client;
};

const getOne = async (client: Cuevault, { name, promptId, ...options }: Args) => {
  const which = name === undefined ? { promptId: promptId as string } : (name as string);
  return { ...(await client.prompts.get(which, options)) };
};

const environment = ({ names = [], set = {} }: { names?: string[]; set?: NodeJS.ProcessEnv }) => {
  for (const [name, value] of Object.entries(set)) {
    if (value === null) delete process.env[name];
    else process.env[name] = value;
  }
  return names.map((name) => process.env[name]);
};

const run = ({ clientId, client: config, op, args }: Request): Promise<unknown> => {
  const client = () => clientFor(clientId, config).cuevault;
  const { url, apiKey, allowInsecureHttp, timeoutMs, totalTimeoutMs, maxRetries } = config;
  const options = { url, apiKey, allowInsecureHttp, timeoutMs, totalTimeoutMs, maxRetries, ...args };
  switch (op) {
    case 'prompts.get':
      return getOne(client(), args);
    case 'secrets.get': {
      const { key, ...more } = args;
      return client().secrets.get(key as string, more);
    }
    case 'secrets.all':
      return client()
        .secrets.all(args)
        .then((secrets) => ({ ...secrets }));
    case 'getSecrets':
      return getSecrets(options).then((envelope) => ({
        ...envelope,
        res: envelope.res && { ...envelope.res },
      }));
    case 'getPrompt':
      return getPrompt(options);
    case 'pass':
      passed.wallMs += args.wallMs as number;
      passed.steadyMs += args.steadyMs as number;
      return Promise.resolve(null);
    case 'quiet':
      return Promise.allSettled(behind);
    case 'events':
      return Promise.resolve(clientFor(clientId, config).events.splice(0));
    case 'environment':
      return Promise.resolve(environment(args));
  }
};

const described = (error: unknown): DriverError => {
  if (!(error instanceof CuevaultError)) throw error;
  const { retryAfter, variables } = error as { retryAfter?: number; variables?: string[] };
  const { name: type, code, status, message, requestId } = error;
  return { type, code, status, message, requestId, retryAfter, variables };
};

const answer = async (request: Request): Promise<object> => {
  try {
    if (request.concurrency === undefined) return { ok: await run(request) };
    const calls = Array.from({ length: request.concurrency }, () => run(request));
    // A failure does not leave the others running during the next request.
    await Promise.allSettled(calls);
    return { ok: await Promise.all(calls) };
  } catch (error) {
    return { error: described(error) };
  }
};

for await (const line of createInterface(process.stdin)) {
  const request = JSON.parse(line) as Request & { readonly id: number };
  const reply = { id: request.id, ...(await answer(request)) };
  process.stdout.write(`${JSON.stringify(reply, (_, value) => value ?? null)}\n`);
}
