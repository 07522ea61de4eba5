import { PARTITIONS, type Partition } from '../../../contract/table.ts';
import { IntegrityError } from '../../core/errors.ts';
import { API_KEY } from '../api-keys/api-key-row.ts';
import { ISSUER_KEYS } from '../api-keys/issuer-keys.ts';
import { RESTRICTIONS } from '../api-keys/restrictions.ts';
import { OPERATOR } from '../operators/operators.ts';
import { OPERATOR_IDENTITY } from '../operators/people.ts';
import { PROMPT_HEAD } from '../prompts/head.ts';
import { LABEL_PROTECTION } from '../prompts/protection.ts';
import { isTombstone, PROMPT_VERSION } from '../prompts/versions.ts';
import { SEAL } from '../seal/seals.ts';
import { type SignedKind, verifiedRow } from '../signing/rows.ts';
import type { StreamRecord } from '../stream.ts';
import type { Item, Key, Table } from '../table.ts';
import { ENVIRONMENTS } from '../vault/environments.ts';
import { VAULT_HEAD } from '../vault/head.ts';
import { VAULT_REVISION } from '../vault/history.ts';
import { VAULT_KEY_PAIR } from '../vault-keys/key-pairs.ts';
import {
  type MayBeRemoved,
  mayKeyPairBeRemoved,
  mayRevisionBeRemoved,
  mayVersionBeRemoved,
} from './removals.ts';

/** What a record of the stream reveals about its row: a change that Cuevault does not make. */
export interface Problem {
  /** One sentence. */
  readonly problem: string;
  /** Further facts for the audit entry, never a secret value. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A rule of integrity: what is wrong with a record, if anything. Errors: `unavailable`. */
export type IntegrityCheck = (table: Table, record: StreamRecord) => Promise<Problem | undefined>;

/** A kind of signed row, all changes of which are checked. */
interface Watched {
  readonly partition: Partition;
  readonly sk: string;
  /** The revision of a row. Errors: `integrity` if the row does not verify. */
  readonly revisionOf: (table: Table, key: Key, item: Item) => number;
  /** Whether Cuevault may have removed a row. */
  readonly mayBeRemoved: MayBeRemoved;
}

const watched = <Entity>(
  kind: SignedKind<Entity>,
  mayBeRemoved: MayBeRemoved = () => Promise.resolve(false),
): Watched => ({
  partition: kind.partition,
  sk: kind.sk,
  mayBeRemoved,
  revisionOf: (table, key, item) => kind.revisionOf(verifiedRow(table, kind, key, item)),
});

// A tombstone replaces a version permanently.
const TOMBSTONE = 2;
const versions = watched(PROMPT_VERSION, mayVersionBeRemoved);

/** Every kind of signed row. */
export const SIGNED_KINDS: readonly Watched[] = [
  watched(ENVIRONMENTS),
  watched(VAULT_HEAD),
  watched(VAULT_REVISION, mayRevisionBeRemoved),
  watched(VAULT_KEY_PAIR, mayKeyPairBeRemoved),
  watched(PROMPT_HEAD),
  {
    ...versions,
    revisionOf: (table, key, item) => (isTombstone(item) ? TOMBSTONE : versions.revisionOf(table, key, item)),
  },
  watched(API_KEY),
  watched(ISSUER_KEYS),
  watched(RESTRICTIONS),
  watched(LABEL_PROTECTION),
  watched(OPERATOR),
  watched(OPERATOR_IDENTITY),
  watched(SEAL),
];

/** Whether a partition key is one of an entity. */
export const isIn = (pk: string, partition: Partition): boolean => {
  const start = PARTITIONS[partition];
  return start.endsWith('#') ? pk.startsWith(start) : pk === start;
};

/** The kind of a row, or undefined if its kind is not signed. */
export const watchedKind = ({ pk, sk }: Key): Watched | undefined =>
  SIGNED_KINDS.find((kind) => isIn(pk, kind.partition) && sk.startsWith(kind.sk));

/** The revision of a row, or undefined if it does not verify. */
export const revisionIn = (kind: Watched, table: Table, key: Key, item: Item): number | undefined => {
  try {
    return kind.revisionOf(table, key, item);
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
  const kind = watchedKind(key);
  if (kind === undefined) return undefined;
  if (after === undefined) {
    const may = before === undefined || (await kind.mayBeRemoved(table, before, at));
    return may ? undefined : { problem: 'A row was removed by hand.' };
  }
  const revision = revisionIn(kind, table, key, after);
  if (revision === undefined) return { problem: 'A row was changed by hand: its signature does not match.' };
  const earlier = before && revisionIn(kind, table, key, before);
  return earlier !== undefined && revision < earlier
    ? { problem: 'An earlier revision of a row was put back.', details: { from: earlier, to: revision } }
    : undefined;
};
