// Calls to an instance over real HTTP, in any process.

import { HEADERS } from '../../contract/http/errors.ts';
import type { Instance } from '../../local/instance.ts';
import { type KeyInput, newApiKey } from './rows/api-keys.ts';

/** Where a call of a test may come from: the machine chooses which address `localhost` is. */
export const LOOPBACK = /^(127\.0\.0\.1|::1)$/;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The error code, or null. */
  readonly code: string | null;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect replies freely
  readonly json: any;
}

/** The interface of every test instance, shared or not. */
export interface SharedInstance
  extends Pick<Instance, 'firstRun' | 'addOperator' | 'invoke' | 'settled' | 'table'> {
  readonly url: string;
  readonly dataFolder: string;
  /** What the functions have logged so far: read it after the call. */
  readonly logs: readonly string[];
  /** A POST over real HTTP; a string is sent as it is, anything else as JSON. */
  readonly post: (
    route: string,
    body: unknown,
    apiKey?: string,
    headers?: Record<string, string>,
  ) => Promise<Reply>;
  readonly newKey: (input?: KeyInput) => Promise<{ apiKey: string; keyId: string }>;
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Reads a reply to its end. */
export const toReply = async (response: Response): Promise<Reply> => {
  const text = await response.text();
  const code = response.headers.get(HEADERS.error);
  return { status: response.status, headers: response.headers, code, text, json: jsonOf(text) };
};

/** The calls of applications to an instance. */
export const callsTo = ({
  firstRun,
  table,
}: Pick<Instance, 'firstRun' | 'table'>): Pick<SharedInstance, 'url' | 'post' | 'newKey'> => ({
  url: firstRun.url,
  post: async (route, body, apiKey = firstRun.apiKey, headers = {}) =>
    toReply(
      await fetch(firstRun.url + route, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    ),
  newKey: (input) => newApiKey(table, input),
});
