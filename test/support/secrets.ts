import { vaultGetSecrets } from '../../contract/endpoints/secrets/vault-get-secrets.ts';
import { LIMITS } from '../../contract/limits.ts';
import { PARTITIONS } from '../../contract/table.ts';
import type { SecretSummary } from '../../lambdas/core/vault/secrets.ts';
import { createSecret } from '../../lambdas/store/secrets/secrets.ts';
import { updateItem } from '../../lambdas/store/table.ts';
import type { TestInstance } from './instance.ts';
import { changeAt } from './table.ts';

/** Every value in the tests of the operators' endpoints holds this, and no reply to an operator ever does. */
export const HUSH = 'hush-7d1f';

/** A value that no other secret has. */
export const hush = (mark: string | number): string => `${HUSH} ${mark}`;

let count = 0;

/** A key that no other secret has. */
export const freshKey = (): string => `FRESH_${++count}`;

export interface SecretParts {
  readonly key?: string;
  readonly value?: string;
  readonly tags?: readonly string[];
  readonly at?: Date;
}

/** Stores a secret as another operator did, at a time or now. */
export const storeSecret = (
  { table }: TestInstance,
  { key = freshKey(), value = hush('first'), tags = [], at }: SecretParts = {},
): Promise<SecretSummary> => createSecret(table, changeAt(at), { key, value, tags });

/** The value that an application is given under a key; undefined where there is none. */
export const released = async (instance: TestInstance, key: string): Promise<string | undefined> => {
  const { status, json } = await instance.post(vaultGetSecrets.route?.path ?? '', { key });
  expect([200, 404]).toContain(status);
  return json.res?.[key];
};

/** Makes the vault believe that it holds all that it can: so many secrets, or so many bytes. */
export const fillVault = async ({ table }: TestInstance): Promise<void> => {
  await updateItem(table, {
    Key: { pk: PARTITIONS.vault, sk: 'HEAD' },
    UpdateExpression: 'SET #count = :count, #bytes = :bytes',
    ExpressionAttributeNames: { '#count': 'count', '#bytes': 'bytes' },
    ExpressionAttributeValues: { ':count': LIMITS.vaultSecrets, ':bytes': LIMITS.vaultBytes },
  });
};

/** Expects that the logs of the functions hold no value. */
export const expectNothingLogged = ({ logs }: TestInstance): void => {
  expect(logs.join('')).not.toContain(HUSH);
};
