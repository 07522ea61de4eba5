import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { resolveCredential } from '../../../clients/typescript/src/credential.ts';
import { Cuevault } from '../../../clients/typescript/src/index.ts';
import { offlineCopy } from '../../../clients/typescript/src/offline.ts';
import { serve } from '../../support/server.ts';
import { vectorsIn } from '../../support/vectors.ts';

const AUDIENCE = 'cuevault:prod:3fGh7KmP';
const inherited = process.env;
beforeEach(() => {
  const others = Object.entries(inherited).filter(([name]) => !/^(CUEVAULT|ACTIONS|AWS)_/.test(name));
  process.env = Object.fromEntries(others);
});
afterAll(() => {
  process.env = inherited;
});

const tokenUntil = (seconds: number, name = 'x'): string =>
  `${name}.${Buffer.from(JSON.stringify({ exp: Date.now() / 1_000 + seconds })).toString('base64url')}.s`;

/** A client, and what it sent to authenticate. */
const client = (options: object = {}) => {
  const sent: string[] = [];
  const fetch = async (_: string, init: { headers: Record<string, string> }) => {
    sent.push(String(init.headers.authorization));
    return Response.json({ err: null, res: { A: '1' } });
  };
  return { cuevault: new Cuevault({ url: 'http://localhost', maxRetries: 0, fetch, ...options }), sent };
};

test('on GitHub, one request gets a token for the audience, and another one when it is about to expire', async () => {
  const asked: (string | undefined)[][] = [];
  const server = await serve(({ url, headers }, reply) => {
    asked.push([url, headers.authorization]);
    reply.end(JSON.stringify({ value: tokenUntil(asked.length === 1 ? 30 : 600, `t${asked.length}`) }));
  });
  Object.assign(process.env, {
    CUEVAULT_TRUST: AUDIENCE,
    ACTIONS_ID_TOKEN_REQUEST_URL: `${server.url}/?a=1`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'job',
  });
  const { cuevault, sent } = client();
  await Promise.all([cuevault.secrets.get('A', { fresh: true }), cuevault.secrets.all({ fresh: true })]);
  expect(asked).toEqual([[`/?a=1&audience=${encodeURIComponent(AUDIENCE)}`, 'Bearer job']]);
  for (let i = 0; i < 2; i++) await cuevault.secrets.all({ fresh: true });
  await server.stop();
  expect(asked).toHaveLength(2);
  expect(sent.map((text) => text.slice(7, 9))).toEqual(['t1', 't1', 't2', 't2']);
});

test('on AWS, STS gets one request for a token of the audience, and its refusal is named without details', async () => {
  const asked: string[] = [];
  const action = 'GetWebIdentityToken';
  const token = tokenUntil(600);
  const result = `<${action}Result><WebIdentityToken>${token}</WebIdentityToken></${action}Result>`;
  const replies = [
    [200, `<${action}Response>${result}</${action}Response>`],
    [403, '<ErrorResponse><Error><Code>AccessDenied</Code><Message>secret</Message></Error></ErrorResponse>'],
  ] as const;
  const server = await serve(async (request, reply) => {
    const [status, xml] = replies[asked.push(await text(request)) - 1] ?? replies[1];
    reply.writeHead(status, { 'content-type': 'text/xml' }).end(xml);
  });
  Object.assign(process.env, {
    CUEVAULT_TRUST: AUDIENCE,
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL_STS: server.url,
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
  await server.stop();
});

const { trust } = vectorsIn('offline');
const SHORT = 'CUEVAULT_OFFLINE_KEY must have at least 32 characters: openssl rand -base64 32 makes one.';

test('copies of a trust belong to its audience and key, which has at least 32 characters', async () => {
  process.env.CUEVAULT_TRUST = trust.audience;
  process.env.CUEVAULT_OFFLINE_KEY = trust.offlineKey;
  expect(resolveCredential(() => 'a.b.c').owner).toBe(trust.owner);
  process.env.CUEVAULT_OFFLINE_KEY = trust.offlineKey.slice(1);
  const { cuevault, sent } = client({ apiKey: () => 'a.b.c' });
  await expect(cuevault.secrets.all()).rejects.toMatchObject({ code: 'configuration', message: SHORT });
  expect(sent).toEqual([]);
});

/** A client on GitHub with an offline copy, and how its token service answers next. */
const onGitHub = async () => {
  let answer: { status: number; body: string } | undefined = {
    status: 200,
    body: JSON.stringify({ value: tokenUntil(30) }),
  };
  const server = await serve((request, reply) => {
    if (answer === undefined) request.socket.destroy();
    else reply.writeHead(answer.status).end(answer.body);
  });
  Object.assign(process.env, {
    CUEVAULT_TRUST: AUDIENCE,
    CUEVAULT_OFFLINE_KEY: trust.offlineKey,
    ACTIONS_ID_TOKEN_REQUEST_URL: `${server.url}/?a=1`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'job',
  });
  const directory = mkdtempSync(join(tmpdir(), 'cuevault-trust-'));
  const { cuevault } = client({ offline: offlineCopy({ directory }), pauseMs: 0 });
  const will = (next: typeof answer) => {
    answer = next;
  };
  return { cuevault, will, server };
};

test('while the token service of a platform fails, the error is ours, with its name, and a copy answers', async () => {
  const { cuevault, will, server } = await onGitHub();
  await cuevault.secrets.all();
  const failures = [
    [{ status: 503, body: 'x' }, 'status 503'],
    [{ status: 200, body: '<html>' }, 'SyntaxError'],
    [undefined, 'UND_ERR_SOCKET'],
  ] as const;
  for (const [next, reason] of failures) {
    will(next);
    expect({ ...(await cuevault.secrets.all()) }).toEqual({ A: '1' });
    const message = `GitHub gave no token for CUEVAULT_TRUST (${reason}).`;
    const error = { name: 'UnavailableError', message };
    await expect(cuevault.secrets.all({ fresh: true })).rejects.toMatchObject(error);
  }
  will({ status: 403, body: 'x' });
  const refused = { code: 'configuration', message: expect.stringContaining('(status 403)') };
  await expect(cuevault.secrets.all()).rejects.toMatchObject(refused);
  await server.stop();
});

test('a function provides tokens, and what is no token is never sent', async () => {
  const { cuevault, sent } = client({ apiKey: async () => 'a.b.c' });
  await cuevault.secrets.all();
  expect(sent).toEqual(['Bearer a.b.c']);
  const wrong = client({ apiKey: () => 'a\nb' });
  await expect(wrong.cuevault.secrets.all()).rejects.toMatchObject({ code: 'configuration' });
  expect(wrong.sent).toEqual([]);
});
