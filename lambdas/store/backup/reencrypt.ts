import type { Recipient } from '../../../contract/shapes/backup.ts';
import { CuevaultError, invalidRequest } from '../../core/errors.ts';
import { encryptValue, isVaultPublicKey } from '../../core/vault/encrypting.ts';
import type { Vault } from '../vault/vault.ts';
import { boxContext, openValue, type PrivateKeys } from '../vault-keys/key-pairs.ts';
import type { Reencrypt } from './secrets.ts';

/** Returns a function that opens a value of a vault and seals it to the same environment of another installation. */
export const reencryptTo = (
  vault: Vault,
  privateKey: PrivateKeys,
  recipients: readonly Recipient[],
): Reencrypt => {
  const recipient = recipients.find((each) => each.environment === vault.environment);
  if (recipient === undefined)
    return async () => {
      throw invalidRequest(
        `The other installation has no environment "${vault.environment}". Add it there, and print its file again.`,
      );
    };
  const publicKey = Buffer.from(recipient.publicKey, 'base64');
  if (!isVaultPublicKey(publicKey)) {
    throw new CuevaultError('invalid_request', 'The recipient\'s "publicKey" is not the key of a vault.');
  }
  const { stage, keyVersion } = recipient;
  return async (secret, value) => {
    const opened = await openValue(vault, privateKey, secret, value);
    if (opened === undefined)
      throw new CuevaultError(
        'integrity',
        `A value of the secret ${secret.secretId} does not open. Save it again, or delete it, before the next backup.`,
      );
    const context = { ...boxContext(vault, secret, value), stage, keyVersion };
    return { keyVersion, box: encryptValue(publicKey, context, opened) };
  };
};
