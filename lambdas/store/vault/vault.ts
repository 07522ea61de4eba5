import type { Table } from '../table.ts';

/** The environment that a call without one means. */
const DEFAULT_ENVIRONMENT = 'default';

/** The secrets of an environment, with the key pairs that their values are encrypted to. */
export interface Vault extends Table {
  readonly environment: string;
}

/** The vault of an environment. */
export const vaultIn = (table: Table, environment = DEFAULT_ENVIRONMENT): Vault => ({
  ...table,
  environment,
});
