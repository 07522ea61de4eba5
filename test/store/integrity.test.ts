import { PARTITIONS } from '../../contract/table.ts';
import { apiKeyKey } from '../../lambdas/store/api-keys/api-key-row.ts';
import { createApiKey, revokeApiKey } from '../../lambdas/store/api-keys/api-keys.ts';
import { auditChange } from '../../lambdas/store/audit.ts';
import { integrityFindings, reportFinding } from '../../lambdas/store/integrity/findings.ts';
import { integrityStatus } from '../../lambdas/store/integrity/status.ts';
import { headKey } from '../../lambdas/store/prompts/head.ts';
import { deletePrompt } from '../../lambdas/store/prompts/lifecycle.ts';
import { deleteVersion, publishVersion } from '../../lambdas/store/prompts/publishing.ts';
import { versionKey } from '../../lambdas/store/prompts/versions.ts';
import { sealAudit } from '../../lambdas/store/seal/sealing.ts';
import { createSecret } from '../../lambdas/store/secrets/secrets.ts';
import type { Item, Key } from '../../lambdas/store/table.ts';
import { transact } from '../../lambdas/store/transactions.ts';
import { vaultHeadKey } from '../../lambdas/store/vault/head.ts';
import { keyPairKey } from '../../lambdas/store/vault-keys/key-pairs.ts';
import { ensureVaultKey } from '../../lambdas/store/vault-keys/rotation.ts';
import { createTestKms } from '../support/rows/kms.ts';
import { content, newPrompt } from '../support/rows/prompts.ts';
import { openTestLog } from '../support/rows/sealed-log.ts';
import { changeAt, rowsIn, table, withTestTable } from '../support/rows/table.ts';
import { rawRow } from '../support/rows/tampering.ts';

withTestTable();

let sequence = 0;

/** What the stream reports of a change of a row, seen by a container that knows nothing else. */
const findingsOf = (
  key: Key,
  before: Item | undefined,
  after: Item | undefined,
  { expired = false, auditDays = 400 } = {},
) => {
  const { settings } = table;
  return integrityFindings({ ...table, settings: { ...settings, auditDays } }, [
    { sequence: String(++sequence), key, before, after, expired, at: new Date() },
  ]);
};

const problemsOf = async (...args: Parameters<typeof findingsOf>): Promise<string[]> =>
  (await findingsOf(...args)).map(({ problem }) => problem);

const row = (key: Key): Promise<Item> => rawRow(table, key);

describe('an audit entry', () => {
  const at = new Date('2026-03-01T10:00:00.000Z');
  const DAY = 86_400;
  let key: Key;
  let entry: Item;
  beforeAll(async () => {
    const change = auditChange(table, changeAt(at), { action: 'label.set', subject: 'prm_1', name: 'x' });
    await transact(table, [change]);
    [entry = {}] = await rowsIn(table, 'AUDIT-CHANGE#2026-03');
    key = { pk: String(entry.pk), sk: String(entry.sk) };
  });

  test('that is new is not a finding', async () => {
    expect(await findingsOf(key, undefined, entry)).toEqual([]);
  });

  test('that is changed or removed is found, with what it was', async () => {
    for (const after of [{ ...entry, actor: 'eve@example.com' }, undefined]) {
      const [finding] = await findingsOf(key, entry, after);
      expect(finding?.subject).toBe(`${key.pk} / ${key.sk}`);
      expect(JSON.parse(String(finding?.details?.entry))).toEqual(entry);
    }
  });

  test('expires only by the service, and only when its days are over', async () => {
    expect(await problemsOf(key, entry, undefined, { expired: true })).toEqual([]);
    const early = { ...entry, ttl: Number(entry.ttl) - DAY };
    expect(await problemsOf(key, early, undefined, { expired: true })).toEqual([
      'An audit entry expired before its time.',
    ]);
    expect(await problemsOf(key, { ...entry, ttl: undefined }, undefined, { expired: true })).toHaveLength(1);
  });

  test('of a read may expire once it is certainly sealed, however long reads are kept', async () => {
    const read = { pk: 'AUDIT-READ#2026-03#0', sk: String(entry.sk) };
    const at = Date.parse(String(entry.at)) / 1000;
    const kept = (days: number) =>
      problemsOf(read, { ...entry, ...read, ttl: at + days * DAY }, undefined, { expired: true });
    expect(await kept(1)).toEqual([]);
    expect(await kept(0.5)).toHaveLength(1);
  });

  test('keeps the expiry of its time if entries are kept for longer later', async () => {
    const log = openTestLog();
    await sealAudit(table, log, { now: new Date('2026-03-01T11:00:00.000Z') });
    expect(await problemsOf(key, entry, undefined, { expired: true, auditDays: 800 })).toEqual([]);
  });

  test.each([
    ['a read', PARTITIONS.auditRead],
    ['a refusal', PARTITIONS.auditRefusal],
  ])('is watched: %s', async (_, start) => {
    const other = { pk: `${start}2026-03`, sk: 'x' };
    expect(await problemsOf(other, { ...entry, ...other }, undefined)).toEqual([
      'An audit entry was removed.',
    ]);
  });
});

test('a version that is removed by hand is found; one that the purge removes is not', async () => {
  const { promptId } = await newPrompt(table);
  const key = versionKey(promptId, '1.0.0');
  const version = await row(key);
  expect(await problemsOf(key, version, undefined)).toEqual(['A row was removed by hand.']);
  await deletePrompt(table, changeAt(), promptId);
  expect(await problemsOf(key, version, undefined)).toEqual([]);
});

const aPrompt = async () => (await newPrompt(table)).promptId;
const publishAgain = (id: string) =>
  publishVersion(table, changeAt(), id, { ...content('two'), bump: 'minor' });

test.each<[string, () => Promise<string>, (id: string) => Key, (id: string) => Promise<unknown>]>([
  ['a head of a prompt', aPrompt, headKey, publishAgain],
  [
    'a deleted version',
    async () => {
      const promptId = await aPrompt();
      await publishAgain(promptId);
      return promptId;
    },
    (id) => versionKey(id, '1.0.0'),
    (id) => deleteVersion(table, changeAt(), id, '1.0.0'),
  ],
  [
    'a revoked API key',
    async () =>
      (await createApiKey(table, changeAt(), { name: 'shop', permissions: ['secrets'] })).record.keyId,
    apiKeyKey,
    (id) => revokeApiKey(table, changeAt(), id),
  ],
  [
    'a head of the vault',
    async () => String(await ensureVaultKey(table, createTestKms(), new Date())),
    () => vaultHeadKey(table),
    () => createSecret(table, changeAt(), { key: 'DATABASE_URL', value: 'v', tags: [] }),
  ],
])(
  '%s that is put back is found, although a new container accepts it; its change is not',
  async (_, make, keyOf, change) => {
    const id = await make();
    const before = await row(keyOf(id));
    await change(id);
    const after = await row(keyOf(id));
    expect(await problemsOf(keyOf(id), before, after)).toEqual([]);
    expect(await problemsOf(keyOf(id), after, before)).toEqual([
      'An earlier revision of a row was put back.',
    ]);
  },
);

test('a new key pair is not a finding', async () => {
  const key = keyPairKey(table, 1);
  expect(await problemsOf(key, undefined, await row(key))).toEqual([]);
});

test('a finding is reported once, as an audit entry, however often the stream delivers it', async () => {
  const now = new Date('2026-06-01T10:00:00.000Z');
  const finding = { id: 'x1', subject: 'VAULT#default / HEAD', problem: 'A row was removed by hand.' };
  const { findings: before } = await integrityStatus(table);
  await reportFinding(table, finding, now);
  await reportFinding(table, finding, new Date(now.getTime() + 1_000));
  const { id: _, ...shown } = finding;
  expect(await integrityStatus(table)).toMatchObject({
    sealed: { number: 1 },
    findings: before + 1,
    lastFinding: { ...shown, at: now.toISOString() },
  });
  const changes = await rowsIn(table, 'AUDIT-CHANGE#2026-06');
  const written = changes.filter(({ action }) => action === 'integrity.fail');
  expect(written).toEqual([expect.objectContaining({ subject: 'VAULT#default / HEAD', actor: 'system' })]);
});

test('the row of a finding cannot be changed or removed unnoticed', async () => {
  const finding = { id: 'x2', subject: 'VAULT#default / HEAD', problem: 'A row was removed by hand.' };
  await reportFinding(table, finding, new Date('2026-06-02T10:00:00.000Z'));
  const key = { pk: PARTITIONS.auditSeal, sk: 'FINDING#x2' };
  const before = await row(key);
  expect(await problemsOf(key, before, undefined)).toEqual(['An audit entry was removed.']);
  expect(await problemsOf(key, before, { ...before, problem: 'none' })).toEqual([
    'An audit entry was changed.',
  ]);
  expect(await problemsOf(key, before, undefined, { expired: true })).toEqual([]);
});
