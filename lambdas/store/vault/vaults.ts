import type { Table } from '../table.ts';
import { readEnvironments } from './environments.ts';
import { type Vault, vaultIn } from './vault.ts';

/** The vaults of all environments, in their order. */
export const currentVaults = async (table: Table): Promise<Vault[]> =>
  (await readEnvironments(table)).environments
    .filter(({ state }) => state === undefined)
    .map(({ name }) => vaultIn(table, name));

/** The same, with those of removed environments. */
export const everyVault = async (table: Table): Promise<Vault[]> =>
  (await readEnvironments(table)).environments
    .filter(({ state }) => state !== 'new')
    .map(({ name }) => vaultIn(table, name, true));
