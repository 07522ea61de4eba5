import { vaultGetSecrets } from '../../../contract/endpoints/secrets/vault-get-secrets.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { SecretSummary } from '../../../lambdas/core/vault/values.ts';
import { createSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { readVaultHead, VAULT_HEAD, vaultHeadKey } from '../../../lambdas/store/vault/head.ts';
import { currentInstance } from '../admin.ts';
import { uniqueName } from '../unique-name.ts';
import { changeAt } from './table.ts';
import { resignRow } from './tampering.ts';

/** Every value in the tests of the operators' endpoints contains this; no reply to an operator does. */
export const SECRET_MARKER = 'mark-7d1f';

/** A value that no other secret has. */
export const secretValue = (mark: string | number): string => `${SECRET_MARKER} ${mark}`;

/** A key that no other secret has. */
export const freshKey = (): string => uniqueName('FRESH');

export interface SecretParts {
  readonly key?: string;
  readonly value?: string;
  readonly tags?: readonly string[];
  readonly at?: Date;
}

/** Stores a secret as another operator did, at a time or now. */
export const storeSecret = ({
  key = freshKey(),
  value = secretValue('first'),
  tags = [],
  at,
}: SecretParts = {}): Promise<SecretSummary> =>
  createSecret(currentInstance().table, changeAt(at), { key, value, tags });

/** The value that an application gets for a key; undefined if there is none. */
export const released = async (key: string): Promise<string | undefined> => {
  const { status, json } = await currentInstance().post(vaultGetSecrets.route?.path ?? '', { key });
  expect([200, 404]).toContain(status);
  return json.res?.[key];
};

const setTotals = (count: number, bytes: number, { table } = currentInstance()): Promise<void> =>
  resignRow(table, VAULT_HEAD, vaultHeadKey(table), { count, bytes });

/** Does something while the vault counts as full: so many secrets, or so many bytes. */
export const withFullVault = async (action: () => Promise<unknown>): Promise<void> => {
  const { count, bytes } = await readVaultHead(currentInstance().table);
  await setTotals(LIMITS.vaultSecrets, LIMITS.vaultBytes);
  try {
    await action();
  } finally {
    await setTotals(count, bytes);
  }
};

/** Expects that the logs of the functions contain no value. */
export const expectNothingLogged = (): void => {
  expect(currentInstance().logs.join('')).not.toContain(SECRET_MARKER);
};
