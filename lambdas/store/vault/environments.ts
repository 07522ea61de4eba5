import { coversEnvironment, DEFAULT_ENVIRONMENT, isCriticalName } from '../../../contract/fields/patterns.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { type ApiKey, RefusedCall } from '../../core/api-keys/rules.ts';
import { CuevaultError, IntegrityError } from '../../core/errors.ts';
import { json, number, type RowOf, readRow, readSingleton, signedKind } from '../signing/rows.ts';
import type { Key, Table } from '../table.ts';

// In the partitions of vaults: whoever may read a head may read this row. No environment has the empty name.
export const ENVIRONMENTS_KEY: Key = { pk: PARTITIONS.vault, sk: 'ENVIRONMENTS' };

/** An environment: `new` until its vault is created; of a removed one, the head and what can be restored are kept. */
export interface Environment {
  readonly name: string;
  readonly isCritical: boolean;
  readonly state?: 'new' | 'removed';
}

export const newEnvironment = (name: string): Environment => ({ name, isCritical: isCriticalName(name) });

/** How the one row of environments is stored and signed. */
export const ENVIRONMENTS = signedKind({
  domain: 'environments',
  keyOf: () => ENVIRONMENTS_KEY,
  revisionOf: ({ revision }) => revision,
  fields: { revision: number, environments: json<readonly Environment[]>() },
  optional: {},
});

/** All environments, in the order that administrators gave them; removed ones last. */
export type Environments = RowOf<typeof ENVIRONMENTS>;

/** The row, strongly consistent. */
export const readEnvironments = (table: Table): Promise<Environments> =>
  readSingleton(table, ENVIRONMENTS, ENVIRONMENTS_KEY);

/** The same error for an environment that does not exist and one that a caller may not read. */
export const noEnvironment = (name: string): string =>
  `There is no environment "${name}" that you may use. Check "environment".`;

/** Checks that a key may read the secrets of the environment that a call names; without one, it means `default`. */
export const requireEnvironment = (apiKey: ApiKey, asked: string | undefined): void => {
  if (coversEnvironment(apiKey.environments, asked ?? DEFAULT_ENVIRONMENT)) return;
  if (asked !== undefined) throw new RefusedCall('environment', noEnvironment(asked), apiKey);
  const readable = (apiKey.environments ?? []).map((name) => `"${name}"`).join(' or ');
  throw new CuevaultError(
    'environment_required',
    `This API key does not read the secrets of "${DEFAULT_ENVIRONMENT}". Send "environment": ${readable}.`,
  );
};

/** Why a vault has no head. */
export const missingVault = async (table: Table, name: string, head: Key): Promise<CuevaultError> => {
  const row = await readRow(table, ENVIRONMENTS, ENVIRONMENTS_KEY);
  const found = row?.environments.find((each) => each.name === name);
  if (row === undefined || found?.state === 'new')
    return new CuevaultError('unavailable', 'The vault is still being set up. Try again shortly.');
  return found === undefined
    ? new CuevaultError('environment_not_found', noEnvironment(name))
    : new IntegrityError(head, 'it is missing');
};
