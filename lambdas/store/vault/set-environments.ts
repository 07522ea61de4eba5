import { isDeepStrictEqual } from 'node:util';
import { LIMITS } from '../../../contract/limits.ts';
import { statusOf } from '../../core/api-keys/rules.ts';
import { assertValid, CuevaultError } from '../../core/errors.ts';
import { firstFew } from '../../core/names.ts';
import { inParallel } from '../../core/parallel.ts';
import { allApiKeys } from '../api-keys/api-keys.ts';
import { auditChange, type Change, stamp, transactChange } from '../audit.ts';
import { putSigned } from '../signing/writes.ts';
import type { Table } from '../table.ts';
import { retryOnConflict } from '../transactions.ts';
import {
  ENVIRONMENTS,
  type Environment,
  type Environments,
  newEnvironment,
  readEnvironments,
} from './environments.ts';
import { readVaultHead, type VaultHead } from './head.ts';
import { replaceHead } from './history.ts';
import { vaultIn } from './vault.ts';

/** Heads that one transaction of 100 operations can change. */
const MOST_HEADS = 30;

/** Keys that a refusal names. */
const NAMED_KEYS = 3;

const namesOf = (environments: readonly Environment[]) =>
  environments.flatMap(({ name, state }) => (state === 'removed' ? [] : [name]));

/** What is asked for: all environments in their order, and the critical ones if that is to change. */
export interface EnvironmentList {
  readonly environments: readonly string[];
  readonly critical?: readonly string[] | undefined;
  /** Of the list that is replaced; absent: whatever it is. */
  readonly revision?: number | undefined;
}

// The list of keys can be some seconds old, and a key may name what does not exist: what is missed now is found later.
/** Refuses to remove environments that active keys name, or to add them again: keys would read the next one of that name. */
const requireUnnamed = async (table: Table, names: readonly string[], { at }: Change) => {
  if (names.length === 0) return;
  const named = (await allApiKeys(table)).filter(
    (apiKey) =>
      statusOf(apiKey, at) === 'active' && (apiKey.environments ?? []).some((each) => names.includes(each)),
  );
  if (named.length === 0) return;
  const keys = named.map(({ name, keyId }) => `"${name}" (${keyId})`);
  throw new CuevaultError(
    'in_use',
    `API keys or trusts that are active name what you remove or add again: ${firstFew(keys, NAMED_KEYS)}. Revoke or replace them first: they would read the next environment of that name.`,
  );
};

/** The environments after a change: what leaves the list is removed, unless its vault was never created. */
const changed = (
  now: readonly Environment[],
  { environments: names, critical }: EnvironmentList,
): readonly Environment[] => [
  ...names.map((name): Environment => {
    const found = now.find((each) => each.name === name);
    const { isCritical } = found ?? newEnvironment(name);
    const next = { name, isCritical: critical?.includes(name) ?? isCritical };
    return found === undefined || found.state === 'new' ? { ...next, state: 'new' } : next;
  }),
  ...now
    .filter(({ name, state }) => !names.includes(name) && state !== 'new')
    .map((each): Environment => ({ ...each, state: 'removed' })),
];

const nextHead = (head: VaultHead, change: Change, isRemoved: boolean): VaultHead => {
  if (isRemoved && head.count > 0)
    throw new CuevaultError(
      'environment_not_empty',
      `The environment "${head.environment}" has ${head.count} secrets. Delete them before you remove it.`,
    );
  const { changedAt, changedBy } = stamp(change, 'changed');
  const removedAt = isRemoved ? changedAt : undefined;
  return { ...head, revision: head.revision + 1, changedAt, changedBy, removedAt };
};

/**
 * Makes these the environments, in this order. New ones are marked for the job that creates their vaults. The heads of
 * those that are removed or come back change in the same transaction, so that no secret is stored meanwhile.
 */
export const setEnvironments = (table: Table, change: Change, list: EnvironmentList): Promise<Environments> =>
  retryOnConflict(async () => {
    const row = await readEnvironments(table);
    if (list.revision !== undefined && list.revision !== row.revision)
      throw new CuevaultError(
        'changed_meanwhile',
        `The environments have changed in the meantime: revision ${row.revision} is current. Reload them.`,
      );
    const environments = changed(row.environments, list);
    if (isDeepStrictEqual(environments, row.environments)) return row;
    assertValid(
      environments.length <= LIMITS.formerEnvironments,
      `There can be ${LIMITS.formerEnvironments} environments at most with the removed ones. Use a former name again.`,
    );
    const moved = environments.filter(({ name, state }) => {
      const before = row.environments.find((each) => each.name === name);
      return before !== undefined && (before.state === 'removed') !== (state === 'removed');
    });
    assertValid(
      moved.length <= MOST_HEADS,
      `Remove or add again at most ${MOST_HEADS} environments at once.`,
    );
    await requireUnnamed(
      table,
      moved.map(({ name }) => name),
      change,
    );
    const heads = await inParallel(moved, async ({ name, state }) => {
      const vault = vaultIn(table, name, true);
      const seen = await readVaultHead(vault);
      const next = nextHead(seen, change, state === 'removed');
      return { next, writes: await replaceHead(vault, seen, next) };
    });
    const entry = {
      action: 'environments.set',
      subject: 'environments',
      name: 'environments',
      details: {
        from: namesOf(row.environments),
        to: list.environments,
        critical: namesOf(environments.filter(({ isCritical }) => isCritical)),
      },
    };
    const next = { revision: row.revision + 1, environments };
    await transactChange(table, change, [
      await putSigned(table, ENVIRONMENTS, next, { revision: row.revision }, 'list of environments'),
      ...heads.flatMap(({ writes }) => writes),
      auditChange(table, change, entry),
      // Each revision of a vault has an entry.
      ...heads.map(({ next: { environment, revision: made } }) =>
        auditChange(table, change, { ...entry, environment, revision: made }),
      ),
    ]);
    return next;
  });
