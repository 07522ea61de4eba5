import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Cuevault } from '../../../clients/typescript/src/index.ts';
import { newFolder } from '../../support/new-folder.ts';

const AUDIENCE = 'cuevault:prod:3fGh7KmP';
const NAMES = [
  ...['CUEVAULT_TRUST', 'CUEVAULT_API_KEY', 'CUEVAULT_IDENTITY_TOKEN', 'CUEVAULT_IDENTITY_TOKEN_FILE'],
  ...['ACTIONS_ID_TOKEN_REQUEST_URL', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN', 'CUEVAULT_OFFLINE_KEY'],
  ...['AWS_REGION', 'AWS_ENDPOINT_URL_STS', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
];
const before = Object.fromEntries(NAMES.map((name) => [name, process.env[name]]));
beforeEach(() => {
  for (const name of NAMES) delete process.env[name];
});
afterAll(() => {
  for (const name of NAMES) {
    delete process.env[name];
    if (before[name] !== undefined) process.env[name] = before[name];
  }
});

const tokenUntil = (seconds: number, name = 'x'): string =>
  `${name}.${Buffer.from(JSON.stringify({ exp: Date.now() / 1_000 + seconds })).toString('base64url')}.s`;

/** A client, and what it sent to authenticate. */
const client = (options: object = {}, status = 200, code = '') => {
  const sent: string[] = [];
  const body = status === 200 ? { err: null, res: { A: '1' } } : { err: 'No.', res: null };
  const fetch = async (_: string, init: { headers: Record<string, string> }) => {
    sent.push(String(init.headers.authorization));
    return new Response(JSON.stringify(body), { status, headers: { 'cuevault-error': code } });
  };
  return { cuevault: new Cuevault({ url: 'http://localhost', maxRetries: 0, fetch, ...options }), sent };
};

test('a file is read for each request, so a token that the platform replaces is used', async () => {
  const file = path.join(newFolder(), 'token');
  Object.assign(process.env, { CUEVAULT_TRUST: AUDIENCE, CUEVAULT_IDENTITY_TOKEN_FILE: file });
  const { cuevault, sent } = client();
  for (const token of ['a.b.c', 'd.e.f']) {
    writeFileSync(file, `${token}\n`);
    await cuevault.secrets.all({ fresh: true });
  }
  expect(sent).toEqual(['Bearer a.b.c', 'Bearer d.e.f']);
});

test('on GitHub, one request gets a token for the audience, and another one when it is about to expire', async () => {
  const asked: (string | undefined)[][] = [];
  const server = createServer(({ url, headers }, reply) => {
    asked.push([url, headers.authorization]);
    reply.end(JSON.stringify({ value: tokenUntil(asked.length === 1 ? 30 : 600, `t${asked.length}`) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  Object.assign(process.env, {
    CUEVAULT_TRUST: AUDIENCE,
    ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/?a=1`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'job',
  });
  const { cuevault, sent } = client();
  await Promise.all([cuevault.secrets.get('A', { fresh: true }), cuevault.secrets.all({ fresh: true })]);
  expect(asked).toEqual([[`/?a=1&audience=${encodeURIComponent(AUDIENCE)}`, 'Bearer job']]);
  for (let i = 0; i < 2; i++) await cuevault.secrets.all({ fresh: true });
  server.close();
  expect(asked).toHaveLength(2);
  expect(sent.map((text) => text.slice(7, 9))).toEqual(['t1', 't1', 't2', 't2']);
});

test('on AWS, STS gets one request for a token of the audience, and its refusal is named without details', async () => {
  const asked: string[] = [];
  const [action, token] = ['GetWebIdentityToken', tokenUntil(600)];
  const result = `<${action}Result><WebIdentityToken>${token}</WebIdentityToken></${action}Result>`;
  const replies = [
    [200, `<${action}Response>${result}</${action}Response>`],
    [403, '<ErrorResponse><Error><Code>AccessDenied</Code><Message>secret</Message></Error></ErrorResponse>'],
  ] as const;
  const server = createServer(async (request, reply) => {
    const [status, xml] = replies[asked.push(await text(request)) - 1] ?? replies[1];
    reply.writeHead(status, { 'content-type': 'text/xml' }).end(xml);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  Object.assign(process.env, {
    CUEVAULT_TRUST: AUDIENCE,
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL_STS: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_ACCESS_KEY_ID: 'AKIA1',
    AWS_SECRET_ACCESS_KEY: 'key',
  });
  const { cuevault, sent } = client();
  for (let i = 0; i < 2; i++) await cuevault.secrets.all({ fresh: true });
  expect(sent).toEqual([`Bearer ${token}`, `Bearer ${token}`]);
  expect(asked.map((body) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
    {
      Action: action,
      Version: '2011-06-15',
      'Audience.member.1': AUDIENCE,
      SigningAlgorithm: 'ES384',
      DurationSeconds: '900',
    },
  ]);
  const refused = client().cuevault.secrets.all();
  const message = '@aws-sdk/client-sts gave no token for CUEVAULT_TRUST (AccessDenied).';
  await expect(refused).rejects.toMatchObject({ code: 'configuration', message });
  server.close();
});

test('a function provides tokens, and what is no token is never sent', async () => {
  const { cuevault, sent } = client({ apiKey: async () => 'a.b.c' });
  await cuevault.secrets.all();
  expect(sent).toEqual(['Bearer a.b.c']);
  const wrong = client({ apiKey: () => 'a\nb' });
  await expect(wrong.cuevault.secrets.all()).rejects.toMatchObject({ code: 'configuration' });
  expect(wrong.sent).toEqual([]);
});

test.each([
  [{}, 'there is no token'],
  [{ CUEVAULT_API_KEY: 'cue_x' }, 'both set'],
  [{ CUEVAULT_IDENTITY_TOKEN_FILE: '/nowhere/token' }, 'cannot be read (ENOENT)'],
])('a trust with %j is refused with a reason', async (environment, reason) => {
  Object.assign(process.env, { CUEVAULT_TRUST: AUDIENCE, ...environment });
  await expect(client().cuevault.secrets.all()).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining(reason),
  });
});

test('new keys of an issuer are an outage and no refusal: copies stay', async () => {
  const options = { apiKey: () => 'a.b.c' };
  const { cuevault } = client(options, 401, 'unknown_signing_key');
  await expect(cuevault.secrets.all()).rejects.toMatchObject({ name: 'UnavailableError', status: 401 });
});
