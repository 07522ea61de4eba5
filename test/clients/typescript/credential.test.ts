import { text } from 'node:stream/consumers';
import { resolveCredential } from '../../../clients/typescript/src/credential.ts';
import { Cuevault } from '../../../clients/typescript/src/index.ts';
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

/** A client, and what it sent to authenticate. */
const client = (options: object = {}) => {
  const sent: string[] = [];
  const fetch = async (_: string, init: { headers: Record<string, string> }) => {
    sent.push(String(init.headers.authorization));
    return Response.json({ err: null, res: { A: '1' } });
  };
  return { cuevault: new Cuevault({ url: 'http://localhost', maxRetries: 0, fetch, ...options }), sent };
};

test('on AWS, STS gets one request for a token of the audience, and its refusal is named without details', async () => {
  const asked: string[] = [];
  const action = 'GetWebIdentityToken';
  const token = `x.${Buffer.from('{"exp":9999999999}').toString('base64url')}.s`;
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

test('a function provides tokens, and what is no token is never sent', async () => {
  const { cuevault, sent } = client({ apiKey: async () => 'a.b.c' });
  await cuevault.secrets.all();
  expect(sent).toEqual(['Bearer a.b.c']);
  const wrong = client({ apiKey: () => 'a\nb' });
  await expect(wrong.cuevault.secrets.all()).rejects.toMatchObject({ code: 'configuration' });
  expect(wrong.sent).toEqual([]);
});
