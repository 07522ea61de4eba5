import { generateKeyPairSync } from 'node:crypto';
import { createSigning, importPublicKey, rowMessage } from '../../lambdas/core/signing.ts';
import { createTestSigningKey } from '../support/rows/signing.ts';

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

test('only P-256 public keys are accepted', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  expect(() => importPublicKey(publicKey.export({ format: 'der', type: 'spki' }))).toThrow('P-256');
  expect(() => importPublicKey(Buffer.from('x'))).toThrow();
});

test('a function without permission cannot sign, and without public keys nothing is verified', async () => {
  const { publicKey, signer } = createTestSigningKey();
  const message = rowMessage(ROW, []);
  await expect(createSigning(publicKey).sign(message)).rejects.toThrow('does not sign');
  const signature = await createSigning(publicKey, signer).sign(message);
  const without = createSigning('', signer);
  expect(without.isSigned(message, signature)).toBe(false);
  await expect(without.sign(message)).rejects.toThrow('is missing');
});
