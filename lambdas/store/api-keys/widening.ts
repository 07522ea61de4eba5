import { coversEnvironment } from '../../../contract/fields/patterns.ts';
import {
  canWiden,
  gaining,
  type Restriction,
  type TagsChange,
  unexpired,
  wouldWidenAccess,
} from '../../core/api-keys/restrictions.ts';
import type { Change } from '../audit.ts';
import type { Table } from '../table.ts';
import type { Write } from '../transactions.ts';
import { readRestrictions, restrictionsUnchanged, unrevoked } from './restrictions.ts';

/** The vault of an environment. */
type InEnvironment = Table & { readonly environment: string };

/** The keys that a change lets read more, and what its transaction must check for that to stay true. */
export interface Widening {
  readonly keys: readonly Restriction[];
  readonly writes: readonly Write[];
}

/** The keys that gain access to an existing secret by these changes. Errors: `integrity`, `unavailable`. */
export const wideningOf = async (
  vault: InEnvironment,
  at: Date,
  changes: readonly TagsChange[],
): Promise<Widening> => {
  const candidates = changes.filter(canWiden);
  if (candidates.length === 0) return { keys: [], writes: [] };
  const restrictions = await readRestrictions(vault);
  const readers = unexpired(restrictions.keys, at).filter(({ environments }) =>
    coversEnvironment(environments, vault.environment),
  );
  const gained = gaining(readers, candidates);
  return { keys: await unrevoked(vault, gained), writes: [restrictionsUnchanged(restrictions)] };
};

/**
 * Refuses changes that would let a restricted API key read an existing secret which it cannot read now, unless an
 * administrator has confirmed it. Errors: `would_widen_access`, `integrity`, `unavailable`.
 */
export const requireMayWiden = async (
  vault: InEnvironment,
  change: Change,
  changes: readonly TagsChange[],
): Promise<Widening> => {
  const widening = await wideningOf(vault, change.at, changes);
  if (widening.keys.length > 0 && change.mayWidenAccess !== true) throw wouldWidenAccess(widening.keys);
  return widening;
};
