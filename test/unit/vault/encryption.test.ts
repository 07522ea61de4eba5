import { generateKeyPairSync } from 'node:crypto';
import * as fc from 'fast-check';
import { encryptValue } from '../../../lambdas/core/vault/encrypting.ts';
import { type BoxContext, BoxError, importPrivateKey, open } from '../../../lambdas/core/vault/encryption.ts';
import * as hpke from '../../../lambdas/core/vault/hpke.ts';
import { byKey } from '../../../lambdas/core/vault/secrets.ts';
import { anyText } from '../../support/random.ts';

const newPair = (namedCurve = 'P-256') => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve });
  return {
    publicDer: publicKey.export({ format: 'der', type: 'spki' }),
    privateDer: privateKey.export({ format: 'der', type: 'pkcs8' }),
  };
};

const { publicDer, privateDer } = newPair();
const privateKey = importPrivateKey(privateDer);
const context: BoxContext = {
  stage: 'prod',
  environment: 'default',
  key: 'TOKEN',
  secretId: 'sec_1',
  number: 1,
  keyVersion: 1,
};
const box = encryptValue(publicDer, context, 'postgres://user:password@db/app');

/** What `open` throws: its class, its message and everything it carries. */
const failure = (changed: BoxContext, changedBox: Uint8Array, key = privateKey) => {
  try {
    return `opened: ${open(key, changed, changedBox)}`;
  } catch (error) {
    if (!(error instanceof BoxError)) return error;
    return { message: error.message, cause: error.cause, own: Object.keys(error) };
  }
};
const THE_FAILURE = { message: 'The box does not open.', cause: undefined, own: ['name'] };

test('any text is decrypted unchanged', () => {
  fc.assert(
    fc.property(anyText, (value) => {
      expect(open(privateKey, context, encryptValue(publicDer, context, value))).toBe(value);
    }),
    { numRuns: 30 },
  );
});

test('a box that is truncated, extended or changed in any byte cannot be decrypted', () => {
  for (let i = 0; i < box.length; i++) {
    expect(failure(context, box.subarray(0, i))).toEqual(THE_FAILURE);
    for (const mask of [0x01, 0x80, 0xff]) {
      const changed = Buffer.from(box);
      changed[i] = (changed[i] ?? 0) ^ mask;
      expect(failure(context, changed)).toEqual(THE_FAILURE);
    }
  }
  expect(failure(context, Buffer.concat([box, Buffer.alloc(1)]))).toEqual(THE_FAILURE);
});

test.each<[string, Partial<BoxContext>]>([
  ['stage', { stage: 'test' }],
  ['secret', { secretId: 'sec_2' }],
  ['value number', { number: 2 }],
  ['name', { key: 'token' }],
  ['key version', { keyVersion: 2 }],
])('a box cannot be decrypted with another %s', (_, part) => {
  expect(failure({ ...context, ...part }, box)).toEqual(THE_FAILURE);
});

test('parts of the context cannot be shifted into each other', () => {
  const shifted = encryptValue(publicDer, { ...context, stage: 'prod","sec_1', secretId: '' }, 'value');
  expect(failure({ ...context, stage: 'prod', secretId: 'sec_1",""' }, shifted)).toEqual(THE_FAILURE);
  const digits = encryptValue(publicDer, { ...context, number: 1, keyVersion: 11 }, 'value');
  expect(failure({ ...context, number: 11, keyVersion: 1 }, digits)).toEqual(THE_FAILURE);
});

test('ill-formed text is rejected, not altered', () => {
  expect(() => encryptValue(publicDer, context, 'half \uD83D')).toThrow(TypeError);
});

test('keys other than P-256 are rejected, and so is invalid data', () => {
  const { publicDer: otherPublic, privateDer: otherPrivate } = newPair('P-384');
  for (const key of [otherPublic, publicDer.subarray(1), privateDer, Buffer.alloc(91)]) {
    expect(() => encryptValue(key, context, 'value')).toThrow(TypeError);
  }
  for (const key of [otherPrivate, privateDer.subarray(1), publicDer, Buffer.alloc(0)]) {
    expect(() => importPrivateKey(key)).toThrow(new TypeError('Not a P-256 private key.'));
  }
});

test('a box whose text is not UTF-8 cannot be decrypted', () => {
  const aad = Buffer.from(JSON.stringify(['prod', 'default', 'TOKEN', 'sec_1', 1, 1]));
  const info = hpke.prepareInfo(Buffer.from('cuevault/secret-value/1'));
  const make = (bytes: Buffer) => {
    const { enc, ciphertext } = hpke.encrypt(hpke.pointOfSpki(publicDer), info, aad, bytes);
    return Buffer.concat([enc, ciphertext]);
  };
  expect(open(privateKey, context, make(Buffer.from('plain')))).toBe('plain');
  expect(failure(context, make(Buffer.from([0xff, 0xfe])))).toEqual(THE_FAILURE);
});

test('keys are ordered by code units, the same everywhere', () => {
  const keys = ['b', 'B', 'é', 'a', 'Z'].map((key) => ({ key }));
  expect(keys.sort(byKey).map(({ key }) => key)).toEqual(['B', 'Z', 'a', 'b', 'é']);
});
