import {
  announceRelease,
  formatProblem,
  migrate,
  RELEASE,
  type Release,
} from '../../lambdas/store/format.ts';
import type { Table } from '../../lambdas/store/table.ts';
import { openTestVaults, type TestVaults } from '../support/rows/vault.ts';
import { type Author, migrationOf, RELEASES, readAuthors, writeAuthor } from './invented-migration.ts';

let vaults: TestVaults;
beforeAll(async () => {
  vaults = await openTestVaults();
});
afterAll(() => vaults.stop());

/** A time so many hours after the third release is first deployed. */
const hour = (hours: number): Date => new Date(Date.parse('2026-03-01T12:00:00Z') + hours * 3_600_000);

const author = (id: number): Author => ({ id, given: `Given${id}`, family: `Family${id}` });
const AUTHORS = Array.from({ length: 10 }, (_, id) => author(id));

/** A table with rows of the former format, where the third release has just been deployed. */
const openUpgraded = async (): Promise<Table> => {
  const { table } = await vaults.open();
  for (const each of AUTHORS) await writeAuthor(table, each, 1);
  expect(await migrate(table, hour(0), RELEASES.third)).toBe(1);
  return table;
};

const noted = () => {
  const ids: number[] = [];
  const release: Release = { ...RELEASES.third, migrations: [migrationOf(({ id }) => ids.push(id))] };
  return { ids, release };
};

test('a migration waits an hour, until the former release has stopped writing', async () => {
  const table = await openUpgraded();
  expect(await migrate(table, hour(0.9), RELEASES.third)).toBe(1);
  expect(await readAuthors(table)).toEqual({ authors: AUTHORS, former: 10 });
  expect(await migrate(table, hour(1), RELEASES.third)).toBe(2);
  expect(await readAuthors(table)).toEqual({ authors: AUTHORS, former: 0 });
});

test('an interrupted migration leaves every row readable, continues after its last step, and runs once', async () => {
  const table = await openUpgraded();
  const dying = migrationOf(({ id }) => {
    if (id === 4) throw new Error('killed');
  });
  const killed = { ...RELEASES.third, migrations: [dying] };
  await expect(migrate(table, hour(1), killed)).rejects.toThrow('killed');
  expect(await readAuthors(table)).toEqual({ authors: AUTHORS, former: 6 });
  const { ids, release } = noted();
  expect(await migrate(table, hour(2), release)).toBe(2);
  expect(ids).toEqual([4, 5, 6, 7, 8, 9]);
  expect(await migrate(table, hour(3), release)).toBe(2);
  expect(ids).toHaveLength(6);
  expect(await readAuthors(table)).toEqual({ authors: AUTHORS, former: 0 });
});

test('two runs at once migrate every row', async () => {
  const table = await openUpgraded();
  const run = () => migrate(table, hour(1), RELEASES.third);
  expect(await Promise.all([run(), run(), run()])).toEqual([2, 2, 2]);
  expect(await readAuthors(table)).toEqual({ authors: AUTHORS, former: 0 });
});

test('the release before reads a table that is half migrated, and what it writes is migrated later', async () => {
  const table = await openUpgraded();
  const dying = migrationOf(({ id }) => {
    if (id === 4) throw new Error('killed');
  });
  await expect(migrate(table, hour(1), { ...RELEASES.third, migrations: [dying] })).rejects.toThrow();
  expect(await migrate(table, hour(2), RELEASES.second)).toBe(1);
  await writeAuthor(table, author(0), 1);
  expect(await readAuthors(table)).toEqual({ authors: AUTHORS, former: 7 });
  expect(await migrate(table, hour(3), RELEASES.third)).toBe(1);
  const { ids, release } = noted();
  expect(await migrate(table, hour(4), release)).toBe(2);
  expect(ids).toEqual([0, 4, 5, 6, 7, 8, 9]);
});

test('after a complete migration, going back by one release and forth again migrates what that one wrote', async () => {
  const table = await openUpgraded();
  await migrate(table, hour(1), RELEASES.third);
  expect(await migrate(table, hour(2), RELEASES.second)).toBe(1);
  await writeAuthor(table, author(7), 1);
  await migrate(table, hour(3), RELEASES.third);
  const { ids, release } = noted();
  expect(await migrate(table, hour(4), release)).toBe(2);
  expect(ids).toEqual([7]);
});

test('what the release before writes is migrated later even if its job never came to the migration', async () => {
  const table = await openUpgraded();
  await migrate(table, hour(1), RELEASES.third);
  await announceRelease(table, hour(2), RELEASES.second);
  await writeAuthor(table, author(7), 1);
  await migrate(table, hour(3), RELEASES.third);
  expect(await migrate(table, hour(4), RELEASES.third)).toBe(2);
  expect(await readAuthors(table)).toEqual({ authors: AUTHORS, former: 0 });
});

test('a release that cannot read some rows refuses the table and leaves it as it is', async () => {
  const table = await openUpgraded();
  const tooOld = /rows of format 2; .* up to 1\. Use the release that wrote them/;
  const tooNew = /rows of format 1; .* from 2 on\. Use an earlier release first/;
  expect(await formatProblem(table, RELEASES.first)).toMatch(tooOld);
  expect(await formatProblem(table, RELEASES.second)).toBeUndefined();
  expect(await formatProblem(table, RELEASES.fourth)).toMatch(tooNew);
  await expect(migrate(table, hour(2), RELEASES.first)).rejects.toThrow(tooOld);
  await expect(announceRelease(table, hour(2), RELEASES.first)).rejects.toThrow(tooOld);
  await expect(migrate(table, hour(2), RELEASES.fourth)).rejects.toThrow(tooNew);
  expect(await readAuthors(table)).toEqual({ authors: AUTHORS, former: 10 });
  await migrate(table, hour(2), RELEASES.third);
  expect(await formatProblem(table, RELEASES.fourth)).toBeUndefined();
});

test('this release has a migration from every format that it can read, and accepts a new table', async () => {
  const { oldest, written, newest } = RELEASE.formats;
  const steps = Array.from({ length: written - oldest }, (_, index) => oldest + 1 + index);
  expect(RELEASE.migrations.map(({ to }) => to)).toEqual(steps);
  expect(newest).toBeGreaterThanOrEqual(written);
  const { table } = await vaults.open();
  expect(await migrate(table, hour(2))).toBe(written);
});
