import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from 'node:crypto';

type Data = string | ArrayBuffer | ArrayBufferView;

const bytesOf = (data: Data): Uint8Array => {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
};

/** A container has one credential, which takes two texts. */
const MOST_TEXTS = 10;
const ofTexts = new Map<string, KeyObject>();
const ofBytes = new WeakMap<object, KeyObject>();

const keyOf = (secret: Data): KeyObject => {
  const keys = typeof secret === 'string' ? ofTexts : ofBytes;
  const known = keys.get(secret as string & object);
  if (known !== undefined) return known;
  const key = createSecretKey(bytesOf(secret));
  if (ofTexts.size >= MOST_TEXTS) ofTexts.clear();
  keys.set(secret as string & object, key);
  return key;
};

/**
 * SHA-256, or HMAC with a secret, for the signatures of the SDK's requests (`sha256` of its clients). It prepares each
 * secret once: with the SDK's own, which pass the secret as bytes each time, an HMAC takes 20 µs instead of 3, and a
 * request two of them (measured with Node.js 24).
 */
export class Sha256 {
  readonly #secret: Data | undefined;
  #state: Hash | Hmac;

  constructor(secret?: Data) {
    this.#secret = secret;
    this.#state = this.#begin();
  }

  #begin(): Hash | Hmac {
    return this.#secret === undefined ? createHash('sha256') : createHmac('sha256', keyOf(this.#secret));
  }

  update(data: Data): void {
    this.#state.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#state.digest();
  }

  reset(): void {
    this.#state = this.#begin();
  }
}
