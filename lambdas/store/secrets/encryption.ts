import { utf8Bytes } from '../../../contract/limits.ts';
import { randomBase62 } from '../../core/identifiers.ts';
import { encryptValue } from '../../core/vault/encrypting.ts';
import type { EncryptedValue, SecretEntry } from '../../core/vault/secrets.ts';
import { type Change, stamp } from '../audit.ts';
import { StaleHeadError, type VaultHead } from '../vault/head.ts';
import type { Vault } from '../vault/vault.ts';
import { boxContext, findKeyPair } from '../vault-keys/key-pairs.ts';

export type Encryptor = (
  secret: { readonly key: string; readonly secretId: string },
  number: number,
  value: string,
) => EncryptedValue;

/**
 * Returns a function that encrypts values for one head, to the public key of its key version. Its boxes are only valid
 * in a change of the same head.
 */
export const encryptorFor = async (vault: Vault, change: Change, head: VaultHead): Promise<Encryptor> => {
  const { keyVersion } = head;
  const pair = await findKeyPair(vault, keyVersion);
  if (pair === undefined) throw new StaleHeadError();
  return (secret, number, value) => ({
    number,
    keyVersion,
    box: encryptValue(pair.publicKey, boxContext(vault, secret, { number, keyVersion }), value),
    bytes: utf8Bytes(value),
    ...stamp(change, 'changed'),
  });
};

/** A secret with its first value. */
export const newEntry = (
  encrypt: Encryptor,
  key: string,
  value: string,
  tags: readonly string[],
  secretId = randomBase62(22),
): SecretEntry => {
  const encrypted = encrypt({ key, secretId }, 1, value);
  return {
    key,
    secretId,
    tags,
    highest: 1,
    earlier: [],
    ...encrypted,
    createdAt: encrypted.changedAt,
    createdBy: encrypted.changedBy,
  };
};
