import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HEADERS } from '../../contract/envelope.ts';
import type { ApiKeyInput } from '../../lambdas/core/api-keys/rules.ts';
import { createApiKey } from '../../lambdas/store/api-keys/api-keys.ts';
import { type Instance, type InstanceOptions, startInstance } from '../../local/instance.ts';
import { changeAt } from './table.ts';

/** Where a call of a test may come from: which address `localhost` stands for is the machine's choice. */
export const LOOPBACK = /^(127\.0\.0\.1|::1)$/;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The error code, or null. */
  readonly code: string | null;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies freely
  readonly json: any;
}

export interface TestInstance extends Instance {
  readonly url: string;
  readonly dataFolder: string;
  /** Everything that the functions have logged. */
  readonly logs: string[];
  /** A POST over real HTTP; a string is sent as it is, anything else as JSON. */
  readonly post: (
    route: string,
    body: unknown,
    apiKey?: string,
    headers?: Record<string, string>,
  ) => Promise<Reply>;
  readonly newKey: (input?: Partial<ApiKeyInput>) => Promise<{ apiKey: string; keyId: string }>;
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const toReply = async (response: Response): Promise<Reply> => {
  const text = await response.text();
  const code = response.headers.get(HEADERS.error);
  return { status: response.status, headers: response.headers, code, text, json: jsonOf(text) };
};

/** A whole instance in a folder of its own, which goes with it; without samples unless asked for. */
export const openInstance = async (options: Partial<InstanceOptions> = {}): Promise<TestInstance> => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'cuevault-test-'));
  const logs: string[] = [];
  const instance = await startInstance({
    dataFolder,
    port: 0,
    sample: false,
    onLog: (line) => logs.push(line),
    ...options,
  });
  const { url } = instance.firstRun;
  return {
    ...instance,
    url,
    dataFolder,
    logs,
    post: async (route, body, apiKey = instance.firstRun.apiKey, headers = {}) =>
      toReply(
        await fetch(url + route, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
            ...headers,
          },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      ),
    newKey: async (input = {}) => {
      const { apiKey, record } = await createApiKey(instance.table, changeAt(), {
        name: 'test key',
        permissions: ['prompts', 'secrets'],
        ...input,
      });
      return { apiKey, keyId: record.keyId };
    },
    stop: async () => {
      await instance.stop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
};
