import { type Change, stamp } from '../audit.ts';
import { changeVault } from './changes.ts';
import type { Vault } from './vault.ts';

/**
 * Stops serving secrets for `reason`, or allows them again. Changes of secrets remain possible. Stopping a stopped
 * vault changes nothing. Returns the head after the change.
 */
export const setServing = (vault: Vault, change: Change, allowed: boolean, reason?: string) =>
  changeVault(vault, change, async (head) => {
    if ((head.stoppedAt === undefined) === allowed) return { kept: head };
    const stop = allowed
      ? { stoppedAt: undefined, stoppedBy: undefined, stoppedReason: undefined }
      : { ...stamp(change, 'stopped'), stoppedReason: reason };
    return {
      head: stop,
      audit: allowed ? { action: 'vault.start' } : { action: 'vault.stop', details: { reason } },
      result: { ...head, ...stop, revision: head.revision + 1, ...stamp(change, 'changed') },
    };
  });
