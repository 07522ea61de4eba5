import { eventSchema } from '../../../contract/events.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { dayOf } from '../../../lambdas/core/days.ts';
import { eventOf } from '../../../lambdas/core/events.ts';
import { revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { createVaultReader, type ReadRequest } from '../../../lambdas/store/secrets/reader.ts';
import type { NewItem } from '../../../lambdas/store/stream.ts';
import type { Item } from '../../../lambdas/store/table.ts';
import { createUsageConsumer } from '../../../lambdas/store/usage/consume.ts';
import { createDayRows } from '../../../lambdas/store/usage/day-rows.ts';
import {
  createReadSecrets,
  readsBySecret,
  secretReadsOf,
} from '../../../lambdas/store/usage/secret-reads.ts';
import { vaultHeadKey } from '../../../lambdas/store/vault/head.ts';
import { createReceivedByAll } from '../../../lambdas/store/views/received-by-all.ts';
import { createLastReads } from '../../../lambdas/store/views/secret-rows.ts';
import { beforeEachCall, countingCalls, intercepted, serverError } from '../../support/aws/intercept.ts';
import { newApiKey } from '../../support/rows/api-keys.ts';
import { expectRefused, rowsIn } from '../../support/rows/table.ts';
import { editRow } from '../../support/rows/tampering.ts';
import { asking, day, kms, onDay, secretsOn, table, withTestVaults } from '../../support/rows/vault.ts';

withTestVaults();

let sequence = 0;

/** A vault, releases from it, and their stream records. */
const openVault = () => {
  const records: NewItem[] = [];
  const watched = intercepted(table, ({ name, input }, next) => {
    const { Item: after = {} } = input as { readonly Item?: Item };
    if (name === 'PutCommand' && String(after.pk).startsWith('AUDIT-READ#')) {
      records.push({ sequence: String(++sequence).padStart(40, '0'), after });
    }
    return next();
  });
  const reader = createVaultReader(watched, kms);
  const release = async (changes: Partial<ReadRequest>, apiKeyId = 'k1234567') => {
    const request = asking(changes.filter);
    const caller = { ...request.caller, ...changes.caller, apiKeyId };
    await reader.read(await reader.head(), { ...request, ...changes, caller });
  };
  return { records, release };
};

const lastReads = async (now: Date) => {
  await createDayRows(table)(now);
  return createLastReads(table)(now);
};

const readUntil = async (now: Date) => [...(await lastReads(now)).keys()];

const countedReads = () => secretReadsOf(table, 'k1234567', dayOf(day(0)), dayOf(day(0)));

const countsOfReads = async () => (await countedReads()).map(({ count }) => count);

const made = (key: string, tags: readonly string[] = []) => secretsOn().create(key, key, tags);

const read = (at: Date, apiKeyId: string, readers: number) => ({
  lastRead: { at: at.toISOString(), apiKeyId, apiKeyName: '' },
  readers,
});

test('the last release of each secret is recorded with its API key, and how many have read it', async () => {
  const { records, release } = openVault();
  const a = await made('A');
  const b = await made('B');
  const c = await made('C', ['c']);
  await release({ at: day(1) }, 'aaaaaaaa');
  await release({ filter: { key: 'A' }, at: day(2) }, 'bbbbbbbb');
  await release({ filter: { key: 'A' }, at: day(2.1) }, 'cccccccc');
  await release({ filter: { tags: ['c'] }, at: day(5) }, 'aaaaaaaa');
  expect(await createUsageConsumer(table)(records)).toEqual({ unreadable: [], unresolved: [], refused: [] });
  expect(await lastReads(day(6))).toEqual(
    new Map([
      [a.secretId, read(day(2.1), 'cccccccc', 3)],
      [b.secretId, read(day(1), 'aaaaaaaa', 1)],
      [c.secretId, read(day(5), 'aaaaaaaa', 1)],
    ]),
  );
  expect(await readUntil(day(33))).toEqual([c.secretId]);
});

test('the secrets released to a restricted key are derived from the revision that was read, even after a change', async () => {
  const { records, release } = openVault();
  const [a] = [await made('A', ['x', 'y']), await made('B', ['x']), await made('C')];
  await release({ filter: { tags: ['x'] }, caller: { ...asking().caller, restriction: ['y'] } });
  await secretsOn().remove(a.secretId);
  await made('D', ['x', 'y']);
  await createUsageConsumer(table)(records);
  expect(await readUntil(day(0))).toEqual([a.secretId]);
});

test('a digest that does not match the contents of the vault is rejected', async () => {
  const { records, release } = openVault();
  await made('A');
  await release({});
  const forged = { ...records[0]?.after, filter: { key: 'A' }, digest: '0'.repeat(64) };
  const gone = { ...records[0]?.after, revision: 1_000, digest: '1'.repeat(64) };
  const { unresolved } = await createUsageConsumer(table)(
    [forged, gone].map((after, i) => ({ sequence: `x${i}`, after })),
  );
  expect(unresolved).toEqual(['0'.repeat(64), '1'.repeat(64)]);
  expect(await readUntil(day(0))).toEqual([]);
  expect(await countsOfReads()).toEqual([1, 1]);
});

test('a forged head of the vault is reported, and releases are counted without the names of their secrets', async () => {
  const { records, release } = openVault();
  await made('A');
  await release({});
  await editRow(table, vaultHeadKey(table), { changedBy: 'someone else' });
  const { refused } = await createUsageConsumer(table)(records);
  expect(refused).toMatchObject([
    { code: 'integrity', message: expect.stringContaining('VAULT#default / HEAD') },
  ]);
  expect(await countsOfReads()).toEqual([1]);
});

test('the secrets behind a digest are written once, and kept as long as it is in use', async () => {
  const { records, release } = openVault();
  const { secretId } = await made('A');
  await release({ at: day(0) });
  await release({ at: day(1) });
  await release({ at: day(1.1) });
  const { counted, calls } = countingCalls(table, (_, input) =>
    JSON.stringify(input).includes('VAULTNAMES#'),
  );
  await createUsageConsumer(counted)(records);
  expect(calls.sort()).toEqual(['PutCommand', 'UpdateCommand', 'UpdateCommand']);
  expect(await readUntil(day(1))).toEqual([secretId]);
});

test('if it cannot be written, the records are retried and counted once', async () => {
  const { records, release } = openVault();
  const { secretId } = await made('A');
  await release({});
  let failures = 1;
  const faulty = beforeEachCall(table, (operation, input) => {
    const isNames = operation === 'PutCommand' && JSON.stringify(input).includes('VAULTNAMES#');
    if (isNames && failures-- > 0) throw serverError();
  });
  const consume = createUsageConsumer(faulty);
  await expectRefused(consume(records), 'unavailable');
  await consume(records);
  expect(await countsOfReads()).toEqual([1]);
  expect(await readUntil(day(0))).toEqual([secretId]);
});

test('the secrets behind a digest are read once per container, up to a bound', async () => {
  const { records, release } = openVault();
  await made('A');
  await made('B');
  for (const key of ['A', 'B']) await release({ filter: { key } });
  await createUsageConsumer(table)(records);
  const releases = await countedReads();
  const { counted, calls } = countingCalls(table);
  const roomy = createReadSecrets(counted);
  const narrow = createReadSecrets(counted, 1);
  for (const [released, expected] of [
    [roomy, 2],
    [narrow, 3],
  ] as const) {
    calls.length = 0;
    for (let n = 0; n < 2; n++) expect((await readsBySecret(released, releases)).size).toBe(2);
    expect(calls).toHaveLength(expected);
  }
});

/** A vault with keys whose reads are counted, and the job that looks for new values that all have. */
const openReaders = async (names: readonly string[]) => {
  const { records, release } = openVault();
  const ids = new Map<string, string>();
  for (const name of names) ids.set(name, (await newApiKey(table, { name, at: day(0) })).keyId);
  const look = createReceivedByAll(table);
  return {
    idOf: (name: string) => ids.get(name) ?? '',
    reads: (name: string, at: number) => release({ at: day(at) }, ids.get(name)),
    announced: async (at: number) => {
      await createUsageConsumer(table)(records);
      await createDayRows(table)(day(at));
      return look(day(at));
    },
    entries: async () => {
      const months = ['2026-03', '2026-04'].map((month) => rowsIn(table, PARTITIONS.auditChange + month));
      return (await Promise.all(months)).flat().filter(({ action }) => action === 'secret.received_by_all');
    },
  };
};

test('a new value is announced once, a day after the last active reader has it; silent ones are named, revoked ones not', async () => {
  const { idOf, reads, announced, entries } = await openReaders(['a', 'late', 'quiet', 'gone']);
  const { secretId } = await secretsOn(0).create('K', 'one');
  for (const name of ['a', 'late', 'quiet', 'gone']) await reads(name, 1);
  expect(await announced(3)).toEqual([]);
  await reads('late', 9.9);
  await secretsOn(10).update(secretId, 'two');
  await reads('a', 10.1);
  await revokeApiKey(table, onDay(10), idOf('gone'));
  expect(await announced(12)).toEqual([]);
  await reads('late', 15);
  expect(await announced(15.5)).toEqual([]);
  expect(await announced(16.1)).toEqual([secretId]);
  expect(await announced(17.2)).toEqual([]);
  expect(await createReceivedByAll(table)(day(17.2))).toEqual([]);
  const [entry = {}, ...others] = await entries();
  expect(others).toEqual([]);
  const event = eventOf(entry, 'test');
  expect(eventSchema('secret.received_by_all').parse(event)).toEqual(event);
  expect(event).toMatchObject({
    type: 'secret.received_by_all',
    subject: secretId,
    name: 'K',
    environment: 'default',
    actor: 'system',
    details: {
      number: 2,
      received: 2,
      silent: [{ apiKeyId: idOf('quiet'), apiKeyName: 'quiet', lastAt: day(1).toISOString() }],
    },
  });
});

test('a read of the old value after the time of the change, and before it was written, does not count as the new one', async () => {
  const { reads, announced } = await openReaders(['a', 'b']);
  const { secretId } = await secretsOn(0).create('K', 'one');
  await reads('a', 1);
  await reads('b', 2.001);
  await secretsOn(2).update(secretId, 'two');
  await reads('a', 2.002);
  expect(await announced(5)).toEqual([]);
  await reads('b', 5);
  expect(await announced(7)).toEqual([secretId]);
});

test('nothing is announced of a value that nobody reads, or whose old credential is recorded as disabled; a later value is', async () => {
  const { reads, announced, entries } = await openReaders(['a']);
  const [unread, off, again] = await Promise.all(
    ['UNREAD', 'OFF', 'AGAIN'].map((key) => secretsOn(0).create(key, key)),
  );
  for (const secret of [off, again, unread]) await secretsOn(1).update(secret?.secretId ?? '', 'two');
  expect(await announced(3)).toEqual([]);
  await secretsOn(3).update(off?.secretId ?? '', { switchedOffUpTo: 1 });
  await secretsOn(3).remove(unread?.secretId ?? '');
  await reads('a', 4);
  expect(await announced(5.1)).toEqual([again?.secretId]);
  await secretsOn(6).update(again?.secretId ?? '', 'three');
  expect(await announced(8)).toEqual([]);
  await reads('a', 8.5);
  expect(await announced(9.6)).toEqual([again?.secretId]);
  expect((await entries()).map(({ details }) => JSON.parse(String(details)).number)).toEqual([2, 3]);
});
