import { DEFAULT_ENVIRONMENT } from '../../../contract/fields/patterns.ts';
import type { Table } from '../table.ts';

/** The secrets of an environment, with the key pairs that their values are encrypted to. */
export interface Vault extends Table {
  readonly environment: string;
  /** Whether it is also read after its environment was removed, by jobs. @default false */
  readonly mayBeRemoved?: boolean;
}

/** The vault of an environment. */
export const vaultIn = (table: Table, environment = DEFAULT_ENVIRONMENT, mayBeRemoved = false): Vault => ({
  ...table,
  environment,
  mayBeRemoved,
});
