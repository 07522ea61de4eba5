import type { Recipient } from '../../../contract/backup.ts';
import { CuevaultError } from '../../core/errors.ts';
import { BoxError, encryptValue, isVaultPublicKey, open } from '../../core/vault/encryption.ts';
import type { Table } from '../table.ts';
import type { PrivateKeys } from '../vault-keys/private-keys.ts';
import type { Reencrypt } from './secrets.ts';

/**
 * Returns a function that opens a value and seals it to another installation. Errors: `invalid_request` for a public
 * key that is not one of P-256; the returned function's: those of `privateKey`, `integrity` for a value that does not
 * open.
 */
export const reencryptTo = (table: Table, privateKey: PrivateKeys, recipient: Recipient): Reencrypt => {
  const publicKey = Buffer.from(recipient.publicKey, 'base64');
  if (!isVaultPublicKey(publicKey)) {
    throw new CuevaultError('invalid_request', 'The recipient\'s "publicKey" is not the key of a vault.');
  }
  const { stage } = table.settings;
  return async ({ key, secretId }, { number, keyVersion, box }) => {
    const old = await privateKey(keyVersion);
    try {
      const value = open(old, { stage, key, secretId, number, keyVersion }, box);
      const context = { stage: recipient.stage, key, secretId, number, keyVersion: recipient.keyVersion };
      return { keyVersion: recipient.keyVersion, box: encryptValue(publicKey, context, value) };
    } catch (error) {
      if (!(error instanceof BoxError)) throw error;
      throw new CuevaultError(
        'integrity',
        `A value of the secret ${secretId} does not open. Save it again, or delete it, before the next backup.`,
        { cause: error },
      );
    }
  };
};
