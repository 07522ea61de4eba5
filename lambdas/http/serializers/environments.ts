import { inParallel } from '../../core/parallel.ts';
import type { Table } from '../../store/table.ts';
import type { Environments } from '../../store/vault/environments.ts';
import { readVaultHead } from '../../store/vault/head.ts';
import { vaultIn } from '../../store/vault/vault.ts';
import { vaultOf } from './vault.ts';

/** The environments that exist, in their order, each with the state of its vault. Errors: `integrity`, `unavailable`. */
export const environmentsOf = async (table: Table, { environments, revision }: Environments) => ({
  environments: await inParallel(
    environments.filter(({ state }) => state !== 'removed'),
    async ({ name, state }) => {
      if (state === 'new') return { name, isNew: true, secrets: 0, stopped: null };
      const { secrets, stopped } = vaultOf(await readVaultHead(vaultIn(table, name, true)));
      return { name, isNew: false, secrets, stopped };
    },
  ),
  revision,
});
