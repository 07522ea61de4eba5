import type { InputOf } from '../../../contract/endpoint.ts';
import type { backupReencrypt } from '../../../contract/functions/commands.ts';
import { LIMITS } from '../../../contract/limits.ts';
import {
  BACKUP_FORMAT,
  type BackupPage,
  type Installation,
  type PageWithLines,
  type Position,
  type Recipient,
  SECTIONS,
} from '../../../contract/shapes/backup.ts';
import { RESTORED, TABLE } from '../../../contract/table.ts';
import { digestOf, lineOf, packLines, pageMessage, textOf } from '../../core/backup/backup-pages.ts';
import { inBatches } from '../../core/batches.ts';
import { assertValid } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
import { type AuditChange, type Change, commitChange } from '../audit.ts';
import { PROTECTION_KEY } from '../prompts/protection.ts';
import { keyOfItem } from '../queries.ts';
import { getItem, type Item, type Table } from '../table.ts';
import { readVaultHead } from '../vault/head.ts';
import { currentVaults } from '../vault/vaults.ts';
import { listKeyPairs } from '../vault-keys/all-key-pairs.ts';
import { promptSteps } from './prompts.ts';
import { indexRowsAfter, type Step } from './records.ts';
import { secretSteps } from './secrets.ts';
import { recordOf } from './signed-records.ts';

/** The page of a backup to make. */
export type PageRequest = Omit<InputOf<typeof backupReencrypt.input>, 'recipients'>;

const apiKeyStep = async (table: Table, row: Item): Promise<Step[]> => {
  const after: Position = { section: 'api-keys', after: String(row[TABLE.index.sortKey]) };
  const item = await getItem(table, keyOfItem(row));
  return item === undefined ? [] : [{ record: recordOf(table, 'api-key', item), after }];
};

/** The protected labels, then the records of API keys, including revoked ones, oldest first. */
async function* apiKeySteps(table: Table, { after }: Position): AsyncGenerator<Step> {
  const labels = after === undefined ? await getItem(table, PROTECTION_KEY) : undefined;
  if (labels !== undefined)
    yield { record: recordOf(table, 'protected-labels', labels), after: { section: 'api-keys' } };
  const rows = indexRowsAfter(table, 'apiKeys', after);
  for await (const steps of inBatches(rows, (row) => apiKeyStep(table, row))) yield* steps;
}

export type Steps = (table: Table, from: Position) => AsyncGenerator<Step>;

const SECTION_STEPS: Readonly<Record<Position['section'], Steps>> = {
  'api-keys': apiKeySteps,
  prompts: promptSteps('prompts'),
  'deleted-prompts': promptSteps('deletedPrompts'),
  vault: secretSteps(),
};

const sectionAfter = ({ section }: Position): Position | undefined => {
  const next = SECTIONS[SECTIONS.indexOf(section) + 1];
  return next === undefined ? undefined : { section: next };
};

const collect = async (steps: AsyncGenerator<Step>, from: Position) => {
  const lines: string[] = [];
  let bytes = 0;
  let types = new Set<string>();
  for await (const { record, after } of steps) {
    const line = lineOf(record);
    lines.push(line);
    types = types.add(record.type);
    bytes += Buffer.byteLength(line);
    // Key pairs stay on one page: they are restored together.
    const isFull = bytes >= LIMITS.backupPageBytes || lines.length >= LIMITS.backupPageRecords;
    if (isFull && record.type !== 'key-pair') return { lines, next: after };
  }
  return { lines, next: sectionAfter(from) };
};

const audited = (table: Table, change: Change, entry: Omit<AuditChange, 'name'>) =>
  commitChange(table, change, { ...entry, name: 'backup' });

const signed = async (table: Table, page: Omit<BackupPage, 'signature'>): Promise<BackupPage> => ({
  ...page,
  signature: Buffer.from(await table.signing.sign(pageMessage(page))).toString('base64'),
});

const makePage = async (
  table: Table,
  { at }: Change,
  { backupId, number, previous, from }: PageRequest,
  steps: Steps,
  encryptedTo: readonly Recipient[],
): Promise<PageWithLines> => {
  const { lines, next } = await collect(steps(table, from), from);
  const text = textOf(lines);
  const page = await signed(table, {
    type: 'page',
    format: BACKUP_FORMAT,
    backupId,
    stage: table.settings.stage,
    at: at.toISOString(),
    number,
    records: lines.length,
    previous,
    digest: digestOf(previous, text),
    encryptedTo: [...encryptedTo],
    next,
  });
  return { page, lines: packLines(text) };
};

const ownRecipients = async (table: Table): Promise<Recipient[]> =>
  (await inParallel(await currentVaults(table), listKeyPairs))
    .flat()
    .map(({ environment, keyVersion, publicKey }) => ({
      stage: table.settings.stage,
      environment,
      keyVersion,
      publicKey: Buffer.from(publicKey).toString('base64'),
    }));

/**
 * Makes a page of a backup, of the table or of a copy of it (`fromTable`, its name). Values stay sealed as they are.
 * Records the start of a backup in the audit log.
 */
export const exportPage = async (
  table: Table,
  change: Change,
  { fromTable, ...request }: PageRequest & { readonly fromTable?: string | undefined },
): Promise<PageWithLines> => {
  const { backupId, number, from } = request;
  const copies = table.name + RESTORED;
  assertValid(
    fromTable === undefined || fromTable.startsWith(copies),
    `"${fromTable}" is not a copy of the table: restore into a new table whose name begins with "${copies}".`,
  );
  const source = { ...table, name: fromTable ?? table.name };
  if (number === 1)
    await audited(table, change, { action: 'backup.create', subject: backupId, details: { fromTable } });
  const encryptedTo = from.section === 'vault' ? await ownRecipients(source) : [];
  return makePage(source, change, request, SECTION_STEPS[from.section], encryptedTo);
};

/**
 * Makes a page of secrets that are encrypted to another installation. It leaves the function only after the audit log
 * records it.
 */
export const exportReencrypted = async (
  table: Table,
  change: Change,
  request: PageRequest,
  recipients: readonly Recipient[],
  steps: Steps,
): Promise<PageWithLines> => {
  const made = await makePage(table, change, request, steps, recipients);
  const { number, records } = made.page;
  const details = { page: number, secrets: records, recipients };
  await audited(table, change, { action: 'backup.reencrypt', subject: request.backupId, details });
  return made;
};

/** What other installations need in order to seal values for this one and to verify its backups. */
export const showInstallation = async (table: Table): Promise<Installation> => {
  const [heads, pairs] = await Promise.all([
    inParallel(await currentVaults(table), readVaultHead),
    ownRecipients(table),
  ]);
  const vaults = heads.map(({ environment, keyVersion }) => {
    const pair = pairs.find((each) => each.environment === environment && each.keyVersion === keyVersion);
    if (pair === undefined) throw new Error(`The key pair ${keyVersion} of "${environment}" is missing.`);
    return pair;
  });
  return { stage: table.settings.stage, vaults, signingKeys: table.signing.publicKeys };
};
