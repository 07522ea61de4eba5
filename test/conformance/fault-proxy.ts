import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** The fault of one exchange: `pass` is none; an object is what the service would send, or a platform as its token. */
export type Fault =
  | keyof typeof FAULTS
  | `429, retry-after: ${string}`
  | { readonly res: unknown }
  | { readonly value: string };

interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

type Handler = (response: ServerResponse, reply: () => Promise<Reply>) => Promise<void> | void;

const HTML = '<html><body><h1>Something in between</h1></body></html>';

const JSON_TYPE = { 'content-type': 'application/json' };

const answer = (
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = JSON_TYPE,
): Handler => {
  return (response) => {
    response.writeHead(status, headers).end(body);
  };
};

const failure = (status: number, code: string): Handler =>
  answer(status, JSON.stringify({ err: `The code ${code} was injected.`, res: null }), {
    'content-type': 'application/json; charset=utf-8',
    'cuevault-error': code,
    'cuevault-request-id': `injected-${code}`,
  });

const gateway = (status: number, message: string, headers: Record<string, string> = {}): Handler =>
  answer(status, JSON.stringify({ message }), { 'content-type': 'application/json', ...headers });

const html = (status: number): Handler => answer(status, HTML, { 'content-type': 'text/html' });

const GREETING = JSON.stringify({
  err: null,
  res: { promptId: 'prm_1', name: 'greeting', version: '1.1.0', tags: [], metaProperties: {}, prompt: 'Hi|' },
});

/** A valid prompt except for these bytes in its template. */
const greetingWith = (...bytes: number[]): Handler => {
  const [before = '', after = ''] = GREETING.split('|');
  return answer(200, Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]));
};

const halfOf = (body: Buffer) => body.subarray(0, Math.floor(body.length / 2));

/** The reply of the service, changed. */
const changed =
  (change: (reply: Reply) => Partial<Reply>): Handler =>
  async (response, reply) => {
    const sent = await reply();
    const { status, headers, body } = { ...sent, ...change(sent) };
    response.writeHead(status, headers).end(body);
  };

/** Half of the reply of the service, and then this instead of the rest. */
const halfThen =
  (then: (response: ServerResponse) => void): Handler =>
  async (response, reply) => {
    const { status, headers, body } = await reply();
    response.writeHead(status, { ...headers, 'content-length': String(body.length) });
    response.write(halfOf(body), () => then(response));
  };

const FAULTS = {
  pass: changed(() => ({})),
  late: async (response, reply) => {
    await setTimeout(500);
    await FAULTS.pass(response, reply);
  },
  reset: (response) => {
    response.destroy();
  },
  'reset mid-body': halfThen((response) => response.destroy()),
  // Never answers: the connection ends when the client, or the proxy, goes.
  slow: () => undefined,
  'slow body': halfThen(() => undefined),
  // Data keeps coming, so that no single pause is long, but it never ends.
  'dripping body': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 50);
    response.once('close', () => clearInterval(timer));
  },
  'dripping headers': ({ socket }) => {
    socket?.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket?.write('x: y\r\n'), 50);
    socket?.once('close', () => clearInterval(timer));
  },
  'truncated JSON': changed(({ body }) => ({ body: halfOf(body) })),
  'wrong content type': changed(({ headers }) => ({ headers: { ...headers, 'content-type': 'text/html' } })),
  'a service that does not know "strict"': changed(({ headers }) => ({
    headers: { ...headers, 'cuevault-ignored': 'strict' },
  })),
  'HTML 200': html(200),
  'HTML 403': html(403),
  'HTML 502': html(502),
  'an array': answer(200, '[]'),
  'an error without res': answer(404, '{"err":"There is no such thing."}'),
  'a result without err': answer(200, '{"res":{"prompt":"Hi","version":"1.0.0"}}'),
  'a hundred thousand brackets': answer(200, '['.repeat(100_000)),
  'an error that is no sentence': answer(404, '{"err":{"code":7},"res":null}'),
  'an error with status 200': answer(200, '{"err":"It failed.","res":null}'),
  'a prompt of 9 MB in little gzip': answer(200, gzipSync(GREETING.replace('|', 'x'.repeat(9_000_000))), {
    ...JSON_TYPE,
    'content-encoding': 'gzip',
  }),
  'broken gzip': answer(200, 'no gzip at all', { ...JSON_TYPE, 'content-encoding': 'gzip' }),
  'invalid UTF-8': greetingWith(0xff),
  'half a surrogate pair as UTF-8': greetingWith(0xed, 0xa0, 0x80),
  redirect: answer(302, '', { location: 'http://127.0.0.1:9/elsewhere' }),
  "the gateway's own 413": gateway(413, 'Request Entity Too Large'),
  '413 that names no code': answer(413, '{"err":"The body is too large.","res":null}'),
  "the gateway's own 429": gateway(429, 'Too Many Requests'),
  '429, try again in more seconds than a number can hold': gateway(429, 'Too Many Requests', {
    'retry-after': '9'.repeat(400),
  }),
  "the gateway's own 500": gateway(500, 'Internal Server Error'),
  '503, try again in an hour': gateway(503, 'Service Unavailable', { 'retry-after': '3600' }),
  '504': gateway(504, 'Gateway Timeout'),
  '401': failure(401, 'unauthenticated'),
  '403': failure(403, 'forbidden'),
  stopped: failure(403, 'vault_stopped'),
  '404': failure(404, 'prompt_not_found'),
  '409': failure(409, 'changed_meanwhile'),
  '500': failure(500, 'internal'),
  '503': failure(503, 'unavailable'),
} as const satisfies Record<string, Handler>;

const handlerOf = (fault: Fault): Handler => {
  if (typeof fault === 'object') return answer(200, JSON.stringify({ err: null, ...fault }));
  const [name, wait] = fault.split(', retry-after: ');
  if (wait === undefined) return FAULTS[name as keyof typeof FAULTS];
  return gateway(429, 'Too Many Requests', { 'retry-after': wait });
};

export interface FaultProxy {
  readonly url: string;
  /** Requests since the last `inject`. */
  readonly calls: () => number;
  /** What authorizes them, with the query. */
  readonly sent: () => readonly string[];
  /** Replaces earlier faults: the next requests get `faults`, one each, all later ones `always`. */
  readonly inject: (faults: readonly Fault[], always: Fault) => void;
  /** Refuses connections. */
  readonly down: () => Promise<void>;
  readonly up: () => Promise<void>;
}

const HOP = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'content-encoding'];

const kept = (pairs: Iterable<[string, string]>): Record<string, string> =>
  Object.fromEntries([...pairs].filter(([name]) => !HOP.includes(name)));

const forward = async (target: string, request: IncomingMessage, body: Buffer): Promise<Reply> => {
  const headers = kept(Object.entries(request.headers) as [string, string][]);
  const reply = await fetch(target + request.url, { method: 'POST', headers, body: new Uint8Array(body) });
  return { status: reply.status, headers: kept(reply.headers), body: Buffer.from(await reply.arrayBuffer()) };
};

/** A proxy between a client and the service at `target` that injects faults. */
export const startFaultProxy = async (target: string): Promise<FaultProxy> => {
  let queue: Fault[] = [];
  let rest: Fault = 'pass';
  let sent: string[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    sent.push(request.headers.authorization + (/\?.*/.exec(request.url ?? '')?.[0] ?? ''));
    const handler = handlerOf(queue.shift() ?? rest);
    const body = await buffer(request);
    await handler(response, () => forward(target, request, body));
  };
  const server = createServer((request, response) => {
    // A connection may close during a call: if its client gives up, or if the proxy closes.
    handle(request, response).catch(() => response.destroy());
  });
  const listen = (port = 0) => once(server.listen(port, '127.0.0.1'), 'listening');
  await listen();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls: () => sent.length,
    sent: () => sent,
    inject: (faults, always) => {
      queue = [...faults];
      rest = always;
      sent = [];
    },
    down: async () => {
      if (!server.listening) return;
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
    up: async () => {
      if (!server.listening) await listen(port);
    },
  };
};
