import type { IncomingMessage } from 'node:http';
import { timeLeft } from '../../core/deadline.ts';
import { NETWORK, pauseBefore } from '../failures.ts';
import { createSigner } from './signature.ts';

// An import reads all exports of node:http, and that loads its WebSocket client: three quarters of the time.
const http = process.getBuiltinModule('node:http');
const https = process.getBuiltinModule('node:https');

/** Options of a client: those of the SDK that the functions set. Times are milliseconds. */
export interface Options {
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly requestHandler: { readonly connectionTimeout: number; readonly requestTimeout: number };
  readonly maxAttempts: number;
}

interface Service {
  /** As in the address and in signatures. */
  readonly name: string;
  /** The beginning of `x-amz-target`. */
  readonly target: string;
  readonly contentType: string;
}

/** A request that awaits an answer. */
interface Sent {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

type Body = Readonly<Record<string, unknown>>;

/** Makes the calls of one service. */
export interface Calls {
  /** The body of the reply. */
  readonly call: (operation: string, body: Body) => Promise<Body>;
  readonly destroy: () => void;
}

const hostOf = (service: string, region: string) =>
  `${service}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

// The variables that the SDK reads, too.
const addressOf = ({ name }: Service, endpoint: string | undefined, region: string): URL => {
  const { [`AWS_ENDPOINT_URL_${name.toUpperCase()}`]: own, AWS_ENDPOINT_URL: ofAll } = process.env;
  return new URL(endpoint ?? own ?? ofAll ?? `https://${hostOf(name, region)}`);
};

const credentials = () => {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env;
  const { AWS_SESSION_TOKEN: sessionToken } = process.env;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new Error('The environment has no credentials of AWS.');
  return { accessKeyId, secretAccessKey, sessionToken };
};

const timeout = (what: string) => Object.assign(new Error(`Timeout: ${what}.`), { name: 'TimeoutError' });

const SERVER = [500, 502, 503, 504];
const CLOCK = [
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'RequestTimeTooSkewed',
  'RequestExpired',
];
/** DynamoDB and KMS refuse signatures that are five minutes older or younger (IAM User Guide, "Request signing"). */
const SKEW_MS = 300_000;

/** What an exchange has even if its call has no time left, such as the entry of what was read slowly. */
const LEAST_MS = 500;

interface Failure extends Error {
  readonly code?: string;
  /** Whether the clock was wrong, and is corrected. */
  readonly isCorrected?: boolean;
  readonly $metadata?: { readonly httpStatusCode: number };
}

const isTransient = ({ name, code = '', $metadata, isCorrected }: Failure) =>
  isCorrected === true ||
  name === 'TimeoutError' ||
  NETWORK.test(code) ||
  SERVER.includes($metadata?.httpStatusCode ?? 0);

const parsed = (text: string): Body => {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
};

const failureOf = ({ status, headers, text }: Reply): Failure => {
  const { __type, message, Message, ...body } = parsed(text);
  const type = String(__type ?? headers['x-amzn-errortype'] ?? 'UnknownError');
  const name = type.replace(/^.*#/, '').replace(/:.*$/, '');
  const error = new Error(String(message ?? Message ?? name));
  return Object.assign(error, body, { name, $metadata: { httpStatusCode: status } });
};

const exchange = (
  { request }: Pick<typeof http, 'request'>,
  options: object,
  { method, headers, body }: Sent,
  { connectionTimeout, requestTimeout }: Options['requestHandler'],
): Promise<Reply> => {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const sent = request({ ...options, method, path: '/', headers }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('error', reject);
    answer.once('end', () => {
      const text = Buffer.concat(chunks).toString();
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
    });
  });
  const timers = [
    setTimeout(
      () => sent.destroy(timeout('no answer')),
      Math.min(requestTimeout, Math.max(timeLeft(), LEAST_MS)),
    ),
  ];
  sent.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => sent.destroy(timeout('no connection')), connectionTimeout);
    timers.push(timer);
    socket.once('connect', () => clearTimeout(timer));
  });
  sent.on('error', reject);
  sent.end(body);
  return promise.finally(() => timers.forEach(clearTimeout));
};

/**
 * Makes the calls of a service: signed, in time, and again while they fail in transit. While a container of Lambda starts,
 * a request without credentials opens the connection of the first call.
 */
export const callsTo = (service: Service, options: Options): Calls => {
  const region = options.region ?? process.env.AWS_REGION ?? '';
  const { protocol, hostname, port, host } = addressOf(service, options.endpoint, region);
  const library = protocol === 'http:' ? http : https;
  const agent = new library.Agent({ keepAlive: true, maxSockets: 50 });
  const to = { protocol, host: hostname, agent, ...(port !== '' && { port }) };
  const { requestHandler: times, maxAttempts } = options;
  const sign = createSigner(service.name, region);
  if (process.env.AWS_LAMBDA_INITIALIZATION_TYPE !== undefined)
    void exchange(library, to, { method: 'GET', headers: { host }, body: '' }, times).catch(() => undefined);
  // The engine of a laptop checks no signature, and signing takes a sixth of the time of a call there.
  const isUnsigned = process.env.CUEVAULT_UNSIGNED === service.name;
  let skewMs = 0;

  const attempt = async (operation: string, body: string): Promise<Body> => {
    const headers = {
      host,
      'content-type': service.contentType,
      'x-amz-target': `${service.target}.${operation}`,
    };
    const at = new Date(Date.now() + skewMs);
    const signed = isUnsigned ? headers : sign(headers, body, credentials(), at);
    const reply = await exchange(library, to, { method: 'POST', headers: signed, body }, times);
    if (reply.status === 200) return JSON.parse(reply.text);
    const error = failureOf(reply);
    const ahead = Date.parse(reply.headers.date ?? '') - Date.now();
    if (CLOCK.includes(error.name) && Math.abs(ahead - skewMs) > SKEW_MS) {
      skewMs = ahead;
      throw Object.assign(error, { isCorrected: true });
    }
    throw error;
  };

  return {
    call: async (operation, body) => {
      const text = JSON.stringify(body);
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(operation, text);
        } catch (error) {
          if (!isTransient(error as Failure)) throw error;
          await pauseBefore(tries === maxAttempts, error, 50 * 2 ** tries);
        }
      }
    },
    destroy: () => agent.destroy(),
  };
};
