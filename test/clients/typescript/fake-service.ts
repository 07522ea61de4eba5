import { text } from 'node:stream/consumers';
import { serve } from '../../support/server.ts';

export interface Call {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, unknown>;
}

export interface FakeService {
  readonly url: string;
  readonly calls: Call[];
  /** The secrets that it returns for every request; a test may change them. */
  secrets: Record<string, string>;
  readonly stop: () => Promise<void>;
}

export const API_KEY = 'cue_Ab3dEf7h_0123456789abcdefghijABCDEFGHIJ01XyZ123';

export const PROMPT = {
  promptId: 'prm_1',
  name: 'greeting',
  version: '1.0.0',
  tags: ['a'],
  metaProperties: {},
  prompt: 'Hello {{user}}!',
};

const messages = [
  { role: 'system', content: 'You are kind.' },
  { type: 'placeholder', name: 'history' },
  { role: 'user', content: '{{question}}' },
];

export const CHAT = {
  ...PROMPT,
  name: 'assistant',
  type: 'chat',
  prompt: JSON.stringify(messages),
  messages,
  includes: [{ name: 'shared/tone', version: '1.2.0', contentHash: 'sha256:0' }],
};

/** A fake service with some secrets, the chat `assistant`, `others`, and a prompt for any other name. */
export const startFakeService = async (
  secrets: Record<string, string>,
  others: readonly { readonly name: string }[] = [],
): Promise<FakeService> => {
  const calls: Call[] = [];
  const fake = { calls, secrets };
  const { url, stop } = await serve(async (request, response) => {
    const body = JSON.parse(await text(request));
    calls.push({ path: request.url ?? '', headers: request.headers, body });
    const allowed = request.headers.authorization === `Bearer ${API_KEY}`;
    const prompt = [CHAT, ...others].find(({ name }) => name === body.name) ?? PROMPT;
    const res = request.url === '/api/vault/get-secrets' ? fake.secrets : prompt;
    response.writeHead(allowed ? 200 : 401, allowed ? {} : { 'cuevault-error': 'unauthenticated' });
    response.end(
      JSON.stringify(allowed ? { err: null, res } : { err: 'The API key is not valid.', res: null }),
    );
  });
  return Object.assign(fake, { url, stop });
};
