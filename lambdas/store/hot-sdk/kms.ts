// Replaces `@aws-sdk/client-kms` in the bundle of `vault-get-secrets`.
import { retryThrottled } from '../failures.ts';
import { type Calls, callsTo, type Options } from './calls.ts';

interface Decrypt {
  readonly KeyId: string;
  readonly CiphertextBlob: Uint8Array;
  readonly EncryptionContext: Readonly<Record<string, string>>;
}

export class DecryptCommand {
  readonly input: Decrypt;
  constructor(input: Decrypt) {
    this.input = input;
  }
}

const SERVICE = { name: 'kms', target: 'TrentService', contentType: 'application/x-amz-json-1.1' } as const;

/** The client, as far as reading secrets uses it. */
export class KMSClient {
  readonly #calls: Calls;

  constructor(options: Options) {
    this.#calls = callsTo(SERVICE, options);
  }

  async send({ input }: DecryptCommand): Promise<{ readonly Plaintext?: Uint8Array }> {
    const CiphertextBlob = Buffer.from(input.CiphertextBlob).toString('base64');
    const decrypt = () => this.#calls.call('Decrypt', { ...input, CiphertextBlob });
    // Many containers that start at once share the throughput of KMS.
    const { Plaintext } = await retryThrottled(decrypt);
    return typeof Plaintext === 'string'
      ? { Plaintext: new Uint8Array(Buffer.from(Plaintext, 'base64')) }
      : {};
  }
}
