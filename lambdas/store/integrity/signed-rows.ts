import { PARTITIONS } from '../../../contract/table.ts';
import { IntegrityError } from '../../core/errors.ts';
import { API_KEY } from '../api-keys/api-key-row.ts';
import { RESTRICTIONS } from '../api-keys/restrictions.ts';
import { PROMPT_HEAD } from '../prompts/head.ts';
import { LABEL_PROTECTION } from '../prompts/protection.ts';
import { isTombstone, PROMPT_VERSION, VERSION } from '../prompts/versions.ts';
import { SEAL } from '../seal/seals.ts';
import { type RowKind, verifiedRow } from '../signing/rows.ts';
import type { Item, Key, Table } from '../table.ts';
import { VAULT_HEAD, VAULT_REVISION } from '../vault/head.ts';
import { VAULT_KEY_PAIR } from '../vault-keys/key-pairs.ts';
import type { IntegrityCheck } from './problems.ts';
import {
  type MayBeRemoved,
  mayKeyPairBeRemoved,
  mayRevisionBeRemoved,
  mayVersionBeRemoved,
} from './removals.ts';

/** A kind of row, all changes of which are checked. */
interface Watched {
  readonly partition: string;
  /** The beginning of the sort key. */
  readonly sk: string;
  /** The revision of a row. Errors: `integrity` if the row does not verify. */
  readonly revisionOf: (table: Table, key: Key, item: Item) => number;
  /** Whether Cuevault may have removed a row. @default - it never removes such rows */
  readonly mayBeRemoved?: MayBeRemoved;
}

const revisionWith =
  <Entity>(kind: RowKind<Entity>): Watched['revisionOf'] =>
  (table, key, item) =>
    kind.revisionOf(verifiedRow(table, kind, key, item));

// A tombstone replaces a version permanently.
const TOMBSTONE = 2;
const versionRevision: Watched['revisionOf'] = (table, key, item) =>
  isTombstone(item) ? TOMBSTONE : revisionWith(PROMPT_VERSION)(table, key, item);

const WATCHED: readonly Watched[] = [
  { partition: PARTITIONS.vault, sk: 'HEAD', revisionOf: revisionWith(VAULT_HEAD) },
  {
    ...{ partition: PARTITIONS.vault, sk: 'REVISION#', revisionOf: revisionWith(VAULT_REVISION) },
    mayBeRemoved: mayRevisionBeRemoved,
  },
  {
    ...{ partition: PARTITIONS.vaultKey, sk: 'VERSION#', revisionOf: revisionWith(VAULT_KEY_PAIR) },
    mayBeRemoved: mayKeyPairBeRemoved,
  },
  { partition: PARTITIONS.prompt, sk: 'HEAD', revisionOf: revisionWith(PROMPT_HEAD) },
  {
    partition: PARTITIONS.prompt,
    sk: VERSION,
    revisionOf: versionRevision,
    mayBeRemoved: mayVersionBeRemoved,
  },
  { partition: PARTITIONS.apiKey, sk: 'KEY', revisionOf: revisionWith(API_KEY) },
  { partition: PARTITIONS.restrictions, sk: 'KEYS', revisionOf: revisionWith(RESTRICTIONS) },
  { partition: PARTITIONS.labelProtection, sk: 'LABELS', revisionOf: revisionWith(LABEL_PROTECTION) },
  { partition: PARTITIONS.auditSeal, sk: 'LAST', revisionOf: revisionWith(SEAL) },
];

const isIn = (pk: string, partition: string): boolean =>
  partition.endsWith('#') ? pk.startsWith(partition) : pk === partition;

/** The revision of a row, or undefined if it does not verify. */
const revisionIn = (watched: Watched, table: Table, key: Key, item: Item): number | undefined => {
  try {
    return watched.revisionOf(table, key, item);
  } catch (error) {
    if (error instanceof IntegrityError) return undefined;
    throw error;
  }
};

/**
 * A signed row verifies after every change, never goes back to an earlier revision, and is not removed by hand: a
 * container with an empty memory accepts an earlier row or a missing one. Errors: `unavailable`.
 */
export const signedRowProblem: IntegrityCheck = async (table, { key, before, after, at }) => {
  const watched = WATCHED.find(({ partition, sk }) => isIn(key.pk, partition) && key.sk.startsWith(sk));
  if (watched === undefined) return undefined;
  if (after === undefined) {
    const may = before === undefined || (await watched.mayBeRemoved?.(table, before, at)) === true;
    return may ? undefined : { problem: 'A row was removed by hand.' };
  }
  const revision = revisionIn(watched, table, key, after);
  if (revision === undefined) return { problem: 'A row was changed by hand: its signature does not match.' };
  const earlier = before && revisionIn(watched, table, key, before);
  return earlier !== undefined && revision < earlier
    ? { problem: 'An earlier revision of a row was put back.', details: { from: earlier, to: revision } }
    : undefined;
};
