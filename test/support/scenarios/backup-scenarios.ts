import { type PageWithLines, type Position, SECTIONS } from '../../../contract/backup.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { linesIn, recordIn, unpackLines } from '../../../lambdas/core/backup/pages.ts';
import { randomBase62 } from '../../../lambdas/core/identifiers.ts';
import { promptPartition } from '../../../lambdas/store/prompts/head.ts';
import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { protectLabel, unprotectLabel } from '../../../lambdas/store/prompts/protection.ts';
import { deleteSecret } from '../../../lambdas/store/secrets/removals.ts';
import { updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { deleteItem } from '../../../lambdas/store/updates.ts';
import { readHead, VAULT_HEAD } from '../../../lambdas/store/vault/head.ts';
import { keyPairKey } from '../../../lambdas/store/vault-keys/key-pairs.ts';
import { identityOf } from '../../../scripts/backup/make.ts';
import { commandsOf } from '../backup.ts';
import type { SharedInstance } from '../calls.ts';
import { changeAt, rowsIn } from '../rows/table.ts';
import { plantRow, rawRow, resignRow } from '../rows/tampering.ts';
import { aPrompt, aSecret } from './admin-world.ts';

type Scenario = (instance: SharedInstance) => Promise<void>;

const backupId = randomBase62(22);

/** All pages of a backup of some sections. */
const pagesOf = async (instance: SharedInstance, ...sections: Position['section'][]) => {
  const pages: PageWithLines[] = [];
  let from: Position | undefined = { section: sections[0] ?? SECTIONS[0] };
  while (from !== undefined && sections.includes(from.section)) {
    const input: object = { show: 'page', backupId, number: pages.length + 1, previous: '', from };
    const made = (await commandsOf(instance).invoke('backup-export', input)) as PageWithLines;
    pages.push(made);
    from = made.page.next;
  }
  return pages;
};

const typesIn = (pages: readonly PageWithLines[]) =>
  new Set(pages.flatMap(({ lines }) => linesIn(unpackLines(lines, 1e7)).map((line) => recordIn(line).type)));

/** A deleted prompt, an API key, and a secret with two values. */
const fill = async (instance: SharedInstance) => {
  const { table } = instance;
  const { promptId } = await aPrompt(instance);
  await deletePrompt(table, changeAt(), promptId);
  const { keyId } = await instance.newKey({ tags: ['limited'] });
  await protectLabel(table, changeAt(), 'backed-up');
  const { secretId } = await aSecret(instance);
  await updateSecret(table, changeAt(), secretId, { value: 'second' });
  return { promptId, keyId, secretId };
};

const exportAll: Scenario = async (instance) => {
  await fill(instance);
  await identityOf(commandsOf(instance));
  const types = typesIn(await pagesOf(instance, ...SECTIONS));
  expect([...types].sort()).toEqual([
    'api-key',
    'key-pair',
    'prompt',
    'prompt-row',
    'protected-labels',
    'secret',
  ]);
};

const reencrypt: Scenario = async (instance) => {
  await fill(instance);
  const recipient = await identityOf(commandsOf(instance));
  const input = { backupId, number: 1, previous: '', from: { section: 'vault' }, recipient };
  const made = (await commandsOf(instance).invoke('backup-reencrypt', input)) as PageWithLines;
  expect(made.page.records).toBeGreaterThan(0);
};

const removePartition = async ({ table }: SharedInstance, pk: string): Promise<void> => {
  for (const row of await rowsIn(table, pk))
    await deleteItem(table, { pk: String(row.pk), sk: String(row.sk) });
};

const restore: Scenario = async (instance) => {
  const { promptId, keyId, secretId } = await fill(instance);
  const pages = await pagesOf(instance, 'api-keys', 'prompts', 'deleted-prompts', 'vault');
  await removePartition(instance, promptPartition(promptId));
  await removePartition(instance, PARTITIONS.apiKey + keyId);
  await deleteSecret(instance.table, changeAt(), secretId);
  await unprotectLabel(instance.table, changeAt(), 'backed-up');
  let written = 0;
  for (const page of pages) {
    const done = await commandsOf(instance).invoke('backup-restore', { ...page, apiKeys: 'keep' });
    written += (done as { written: number }).written;
  }
  expect(written).toBe(4);
};

const adoptKeys: Scenario = async (instance) => {
  await fill(instance);
  const { table } = instance;
  const [page] = await pagesOf(instance, 'vault');
  const { keyVersion, ...head } = await readHead(table);
  const pair = await rawRow(table, keyPairKey(keyVersion));
  const key = { pk: PARTITIONS.vault, sk: 'HEAD' };
  // As if the vault had been created again.
  await resignRow(table, VAULT_HEAD, key, { highest: 0, reservedUpTo: 0, keyVersion: keyVersion + 1 });
  await deleteItem(table, keyPairKey(keyVersion));
  try {
    await commandsOf(instance).invoke('backup-adopt-keys', page);
    expect((await readHead(table)).keyVersion).toBe(keyVersion);
  } finally {
    await plantRow(table, pair);
    const { highest, reservedUpTo } = head;
    await resignRow(table, VAULT_HEAD, key, { keyVersion, highest, reservedUpTo });
  }
};

export const BACKUP_SCENARIOS: Readonly<Record<string, Scenario>> = {
  'backup-export': exportAll,
  'backup-reencrypt': reencrypt,
  'backup-restore': restore,
  'backup-adopt-keys': adoptKeys,
};
