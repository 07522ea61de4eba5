import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';
import { type SignedRequest, verifySignature } from '../../../local/aws/signatures.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const SECRETS: Record<string, string> = { AKIDREADER: 'reader secret', AKIDWRITER: 'writer secret' };
const secretOf = (accessKeyId: string) => SECRETS[accessKeyId];
const BODY = '{"TableName":"cuevault"}';
const HEADERS = {
  host: '127.0.0.1:4566',
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': 'DynamoDB_20120810.GetItem',
  'x-amz-security-token': 'session',
};

interface Signing {
  headers?: Record<string, string>;
  at?: Date;
  accessKeyId?: string;
  secret?: string;
  applyChecksum?: boolean;
}

const sign = async ({ headers = HEADERS, at = NOW, accessKeyId = 'AKIDREADER', ...rest }: Signing = {}) => {
  const { secret = SECRETS[accessKeyId] ?? '', applyChecksum = true } = rest;
  const signer = new SignatureV4({
    credentials: { accessKeyId, secretAccessKey: secret },
    region: 'local',
    service: 'dynamodb',
    sha256: Sha256,
    applyChecksum,
  });
  const request = { method: 'POST', protocol: 'http:', hostname: '127.0.0.1', path: '/', query: {} };
  const signed = await signer.sign({ ...request, headers, body: BODY }, { signingDate: at });
  return { method: 'POST', path: '/', headers: { ...signed.headers }, body: Buffer.from(BODY) };
};

const verify = (request: SignedRequest, now = NOW) => verifySignature(request, secretOf, now);

test.each([true, false])(
  'a signed request names its access key (hash of the body sent along: %s)',
  async (sent) => {
    const reader = await sign({ applyChecksum: sent });
    expect('x-amz-content-sha256' in reader.headers).toBe(sent);
    expect(await verify(reader)).toBe('AKIDREADER');
    expect(await verify(await sign({ accessKeyId: 'AKIDWRITER', applyChecksum: sent }))).toBe('AKIDWRITER');
  },
);

test('unsigned headers may be added in transit', async () => {
  const { headers, ...request } = await sign();
  expect(await verify({ ...request, headers: { ...headers, connection: 'keep-alive', accept: '*/*' } })).toBe(
    'AKIDREADER',
  );
});

test('a wrong secret and an unknown access key are rejected', async () => {
  expect(await verify(await sign({ secret: 'another secret' }))).toBeUndefined();
  expect(await verify(await sign({ accessKeyId: 'AKIDNOBODY', secret: 'reader secret' }))).toBeUndefined();
  expect(await verify(await sign({ accessKeyId: 'AKIDWRITER', secret: 'reader secret' }))).toBeUndefined();
});

test.each([true, false])('a changed body is rejected (body hash sent: %s)', async (sent) => {
  const request = await sign({ applyChecksum: sent });
  expect(await verify({ ...request, body: Buffer.from(BODY.replace('cuevault', 'other')) })).toBeUndefined();
});

test.each(['host', 'x-amz-target', 'x-amz-security-token', 'content-type', 'x-amz-content-sha256'])(
  'a changed %s is refused, and so is a missing one',
  async (name) => {
    const { headers, ...request } = await sign();
    expect(await verify({ ...request, headers: { ...headers, [name]: 'other' } })).toBeUndefined();
    const { [name]: _, ...others } = headers;
    expect(await verify({ ...request, headers: others })).toBeUndefined();
  },
);

test('another method or path is rejected, and so is a query', async () => {
  const request = await sign();
  expect(await verify({ ...request, method: 'PUT' })).toBeUndefined();
  expect(await verify({ ...request, path: '/other' })).toBeUndefined();
  expect(await verify({ ...request, path: '/?x=1' })).toBeUndefined();
});

test.each(['host', 'x-amz-target'])('a signature that does not cover %s is rejected', async (name) => {
  const { [name]: left, ...others } = HEADERS as Record<string, string>;
  const { headers, ...request } = await sign({ headers: others });
  expect(await verify({ ...request, headers: { ...headers, [name]: left } })).toBeUndefined();
});

test('a signature is valid for five minutes either way', async () => {
  const request = await sign();
  const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
  expect(await verify(request, after(300))).toBe('AKIDREADER');
  expect(await verify(request, after(-300))).toBe('AKIDREADER');
  expect(await verify(request, after(301))).toBeUndefined();
  expect(await verify(request, after(-301))).toBeUndefined();
});

test('a date other than the signed one, or a missing one, is rejected', async () => {
  const { headers, ...request } = await sign();
  for (const date of ['20260301T120001Z', '20260302T120000Z', '20269901T120000Z', 'now', '']) {
    expect(await verify({ ...request, headers: { ...headers, 'x-amz-date': date } })).toBeUndefined();
  }
});

test('a malformed authorization header is rejected', async () => {
  const { headers, ...request } = await sign();
  const good = headers.authorization ?? '';
  const junk = [
    '',
    'Bearer token',
    good.replace('AWS4-HMAC-SHA256', 'AWS4-HMAC-SHA1'),
    good.replace(/Signature=.*/, `Signature=${'0'.repeat(64)}`),
    good.replace(/Signature=.*/, 'Signature='),
    good.replace('/20260301/', '/20260302/'),
    good.replace('/local/', '/elsewhere/'),
    good.replace('/dynamodb/', '/kms/'),
    `${good}\n`,
  ];
  for (const authorization of junk) {
    expect(await verify({ ...request, headers: { ...headers, authorization } })).toBeUndefined();
  }
  const { authorization: _, ...unsigned } = headers;
  expect(await verify({ ...request, headers: unsigned })).toBeUndefined();
});
