import type { Restored } from '../../contract/shapes/backup.ts';
import type { Installation } from '../../scripts/aws/reply.ts';
import { loadBackup, type RestoreOptions, readBackup } from '../../scripts/backup/load.ts';
import type { SharedInstance } from './calls.ts';

/** The commands of an instance, invoked as an operator. */
export const commandsOf = ({ invoke }: Pick<SharedInstance, 'invoke'>): Installation => ({
  invoke: async (id, input) => {
    const outcome = await invoke(id, { operator: 'admin@example.com', input });
    if ('failure' in outcome) throw new Error(outcome.failure);
    const reply = outcome.reply as { readonly err?: string; readonly res: unknown };
    if (reply.err !== undefined) throw new Error(reply.err);
    return reply.res;
  },
  close: async () => undefined,
});

/** Restores a file as `npm run restore` does. */
export const restoreBackup = async (
  installation: Installation,
  { file, ...options }: RestoreOptions & { readonly file: string },
): Promise<Restored> => loadBackup(installation, await readBackup(file), options);
