import { generateKeyPairSync, sign } from 'node:crypto';
import {
  createSigning,
  importPublicKey,
  isSignedBy,
  rowMessage,
  taggedSignature,
} from '../../lambdas/core/signing.ts';

const newKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const key = importPublicKey(spki);
  const tagged = (message: Uint8Array) => taggedSignature(key, sign('sha256', message, privateKey));
  return { privateKey, spki, key, tagged };
};

const ROW = { domain: 'thing', stage: 'prod', pk: 'P#1', sk: 'S', revision: 3 };
const text = (fields: Parameters<typeof rowMessage>[1], row = ROW) => rowMessage(row, fields).toString();

test('a message contains format, kind, stage, key and revision, and the digest of the fields', () => {
  expect(JSON.parse(text(['a', 1, { b: true }]))).toEqual([
    'cuevault/row/1',
    'thing',
    'prod',
    'P#1',
    'S',
    3,
    // printf '["a",1,{"b":true}]' | sha256sum
    '4cd8f83d68f2eccc65dea8327d386a143b0a6109f9d52e33ee65dee8ddb73b79',
  ]);
});

test('every part changes the message, and no two lists of fields have the same encoding', () => {
  const messages = [
    text(['a', 'b']),
    text(['a,b']),
    text([['a', 'b']]),
    text(['a', 'b', { c: 'd' }]),
    text(['a', 'b', { d: 'c' }]),
    text(['a', 1]),
    text(['a', '1']),
    text(['a', 'b'], { ...ROW, domain: 'other' }),
    text(['a', 'b'], { ...ROW, stage: 'dev' }),
    text(['a', 'b'], { ...ROW, pk: 'P#2' }),
    text(['a', 'b'], { ...ROW, sk: 'T' }),
    text(['a', 'b'], { ...ROW, revision: 4 }),
  ];
  expect(new Set(messages).size).toBe(messages.length);
  expect(text([Buffer.from('x')])).toBe(text(['eA==']));
});

test('a message is always short enough for KMS to sign directly', () => {
  expect(
    rowMessage({ ...ROW, pk: 'x'.repeat(2_048), sk: 'y'.repeat(1_024) }, ['z'.repeat(1_000_000)]).length,
  ).toBeLessThan(4_096);
});

test('a signature is valid only for its message and key', () => {
  const one = newKey();
  const other = newKey();
  const message = rowMessage(ROW, ['a']);
  expect(isSignedBy([one.key, other.key], message, other.tagged(message))).toBe(true);
  expect(isSignedBy([one.key], message, other.tagged(message))).toBe(false);
  expect(isSignedBy([one.key], rowMessage(ROW, ['b']), one.tagged(message))).toBe(false);
  // The id of the known key with a signature of another one.
  const forged = taggedSignature(one.key, sign('sha256', message, other.privateKey));
  expect(isSignedBy([one.key], message, forged)).toBe(false);
  expect(isSignedBy([one.key], message, new Uint8Array())).toBe(false);
});

test('only P-256 public keys are accepted', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  expect(() => importPublicKey(publicKey.export({ format: 'der', type: 'spki' }))).toThrow('P-256');
  expect(() => importPublicKey(Buffer.from('x'))).toThrow();
});

describe('with two public keys', () => {
  const former = newKey();
  const current = newKey();
  const keys = [current, former].map(({ spki }) => spki.toString('base64')).join(' ');
  const signing = createSigning(keys, async (message) => sign('sha256', message, current.privateKey));
  const message = rowMessage(ROW, ['a']);

  test('rows of the former signing key are valid, and new rows are signed with the current one', async () => {
    expect(signing.isSigned(message, former.tagged(message))).toBe(true);
    const signature = Buffer.from(await signing.sign(message));
    expect(signature.subarray(0, 8)).toEqual(current.key.id);
    expect(signing.isSigned(message, signature)).toBe(true);
  });

  test('rows of a former key are invalid once the key is removed', () => {
    const dropped = createSigning(current.spki.toString('base64'));
    expect(dropped.isSigned(message, former.tagged(message))).toBe(false);
  });
});

test('a function without permission cannot sign, and without public keys nothing is verified', async () => {
  const { spki, tagged } = newKey();
  const message = rowMessage(ROW, []);
  await expect(createSigning(spki.toString('base64')).sign(message)).rejects.toThrow('does not sign');
  const without = createSigning('');
  expect(without.isSigned(message, tagged(message))).toBe(false);
  expect(without.isSigned(message, undefined)).toBe(false);
  await expect(without.sign(message)).rejects.toThrow();
});
