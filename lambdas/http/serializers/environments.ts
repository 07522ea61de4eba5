import { isCuevaultError } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
import { logFailure } from '../../log.ts';
import type { Table } from '../../store/table.ts';
import type { Environments } from '../../store/vault/environments.ts';
import { readVaultHead } from '../../store/vault/head.ts';
import { vaultIn } from '../../store/vault/vault.ts';
import { vaultOf } from './vault.ts';

/**
 * The environments that exist, in their order, each with the state of its vault. One whose vault is broken does not hide
 * the others: it is logged and counted as in any other call.
 */
export const environmentsOf = async (table: Table, { environments, revision }: Environments) => ({
  environments: await inParallel(
    environments.filter(({ state }) => state !== 'removed'),
    async ({ name, isCritical, state }) => {
      const shown = { name, isCritical };
      if (state === 'new') return { ...shown, isNew: true, secrets: 0, stopped: null };
      try {
        const { secrets, stopped } = vaultOf(await readVaultHead(vaultIn(table, name, true)));
        return { ...shown, isNew: false, secrets, stopped };
      } catch (error) {
        if (!isCuevaultError(error, 'integrity')) throw error;
        logFailure('environment not read', error, { environment: name });
        return { ...shown, isNew: false, secrets: null, stopped: null };
      }
    },
  ),
  revision,
});
