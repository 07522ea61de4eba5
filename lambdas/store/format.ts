import { FORMATS, type Formats, PARTITIONS } from '../../contract/table.ts';
import { ConflictError } from '../core/errors.ts';
import { getItem, type Key, putItemIf, type Table } from './table.ts';
import type { Write } from './transactions.ts';

/** Brings all rows of a table from one format to the next, in steps. */
export interface Migration {
  /** The format of all rows afterwards. Before, they have at least the one below it. */
  readonly to: number;
  /**
   * Migrates some rows. Returns where the next step continues, or undefined if there is no other. It may be interrupted,
   * repeated, and run twice at once: it passes over migrated rows, writes a row only if it is still what was read, and
   * signs only what it has verified.
   */
  readonly step: (table: Table, cursor: string | undefined) => Promise<string | undefined>;
}

/** What a release knows of formats. */
export interface Release {
  readonly formats: Formats;
  /** From each format between `oldest` and `written` to the next. */
  readonly migrations: readonly Migration[];
}

/** This release. */
export const RELEASE: Release = { formats: FORMATS, migrations: [] };

const KEY: Key = { pk: PARTITIONS.format, sk: 'FORMAT' };

/**
 * An hour after another release was deployed, its predecessor has stopped writing, and CloudFormation no longer rolls the
 * deployment back.
 */
const SETTLED_MS = 3_600_000;

/** The row. It is not signed: a forged one delays a migration or repeats it, and every row is still verified. */
interface StoredFormat {
  /** Every row has this format or a newer one. */
  readonly version: number;
  /** The newest format that a release has written. */
  readonly newest: number;
  /** The format that the current release writes. */
  readonly written: number;
  /** When that release was first seen: ISO 8601. */
  readonly since: string;
  /** Where the migration to the next version continues. @default - at the beginning */
  readonly cursor?: string;
  /** Increases with every change of the row. */
  readonly revision: number;
}

/** Records the format of a new table, in a transaction that fails if one is recorded. */
export const noteFormat = (): Write => ({
  put: { Item: { ...KEY, version: FORMATS.written }, ConditionExpression: 'attribute_not_exists(pk)' },
  onConditionFailed: () => new ConflictError('vault'),
});

const readFormat = async (table: Table): Promise<StoredFormat | undefined> => {
  const item = await getItem(table, KEY);
  if (item === undefined) return undefined;
  const { version, newest = version, written = version, since = '', cursor, revision = 0 } = item;
  return { version, newest, written, since, cursor, revision } as StoredFormat;
};

const problemOf = ({ version, newest }: StoredFormat, { formats }: Release): string | undefined => {
  if (!(newest <= formats.newest))
    return `The table has rows of format ${newest}; this release of Cuevault reads formats up to ${formats.newest}. Use the release that wrote them, or a later one. The table was not changed.`;
  if (!(version >= formats.oldest))
    return `The table has rows of format ${version}; this release of Cuevault reads formats from ${formats.oldest} on. Use an earlier release first, until it has migrated the table. The table was not changed.`;
  return undefined;
};

/**
 * Why this release cannot use the table, in sentences that say what to do. Undefined if it can, or if the table has no
 * vault yet. Errors: `unavailable`.
 */
export const formatProblem = async (table: Table, release = RELEASE): Promise<string | undefined> => {
  const stored = await readFormat(table);
  return stored === undefined ? undefined : problemOf(stored, release);
};

const requireReadable = (stored: StoredFormat, release: Release): void => {
  const problem = problemOf(stored, release);
  if (problem !== undefined) throw new Error(problem);
};

const requireStored = async (table: Table, release: Release): Promise<StoredFormat> => {
  const stored = await readFormat(table);
  if (stored === undefined)
    throw new Error('The table has no format version: no vault was created in it, or the row is missing.');
  requireReadable(stored, release);
  return stored;
};

/** Throws if the table has no vault, or if this release cannot use it. Errors: `unavailable`. */
export const requireFormat = async (table: Table): Promise<void> => {
  await requireStored(table, RELEASE);
};

type Next = Omit<StoredFormat, 'revision'>;

// An earlier release writes its own format again: what it writes is to be migrated once more, from the beginning.
const announced = ({ version, newest }: StoredFormat, written: number, now: Date): Next => ({
  version: Math.min(version, written),
  newest: Math.max(newest, written),
  written,
  since: now.toISOString(),
});

const migrated = async (table: Table, stored: StoredFormat, { migrations }: Release): Promise<Next> => {
  const { version, newest, written, since } = stored;
  const migration = migrations.find(({ to }) => to === version + 1);
  if (migration === undefined) throw new Error(`This release has no migration from format ${version}.`);
  const cursor = await migration.step(table, stored.cursor);
  const reached = cursor === undefined ? { version: migration.to } : { version, cursor };
  return { newest, written, since, ...reached };
};

/** What is to be recorded next, or undefined if there is nothing to do now. */
const advance = async (
  table: Table,
  stored: StoredFormat,
  release: Release,
  now: Date,
): Promise<Next | undefined> => {
  const { written } = release.formats;
  if (stored.written !== written) return announced(stored, written, now);
  if (stored.version === written) return undefined;
  return now.getTime() < Date.parse(stored.since) + SETTLED_MS ? undefined : migrated(table, stored, release);
};

/** Records it unless another run has recorded something meanwhile. */
const record = (table: Table, next: Next, revision: number): Promise<boolean> =>
  putItemIf(table, {
    Item: { ...KEY, ...next, revision: revision + 1 },
    // A new table's row has none.
    ...(revision === 0
      ? { ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(revision)' }
      : {
          ConditionExpression: 'revision = :revision',
          ExpressionAttributeValues: { ':revision': revision },
        }),
  });

/**
 * Records that this release uses the table, if it has a vault. The job calls it before the rotation, which may fail: what
 * an earlier release writes must be migrated again. Throws if this release cannot use the table. Errors: `unavailable`.
 */
export const announceRelease = async (table: Table, now: Date, release = RELEASE): Promise<void> => {
  const { written } = release.formats;
  for (;;) {
    const stored = await readFormat(table);
    if (stored === undefined || stored.written === written) return;
    requireReadable(stored, release);
    await record(table, announced(stored, written, now), stored.revision);
  }
};

/**
 * Records that this release uses the table. An hour later at the earliest, migrates its rows to the format that this
 * release writes; an interrupted migration continues after its last complete step. Returns the format that every row
 * has. Throws if this release cannot use the table. Errors: those of the migrations; `unavailable`.
 */
export const migrate = async (table: Table, now: Date, release = RELEASE): Promise<number> => {
  for (;;) {
    const stored = await requireStored(table, release);
    const next = await advance(table, stored, release, now);
    if (next === undefined) return stored.version;
    await record(table, next, stored.revision);
  }
};
