import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { backupRestore } from '../../contract/functions/commands.ts';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { PARTITIONS, type Partition } from '../../contract/table.ts';
import { inBatches } from '../../lambdas/core/batches.ts';
import { monthAfter, monthOf } from '../../lambdas/core/days.ts';
import { IntegrityError } from '../../lambdas/core/errors.ts';
import { pageDigest } from '../../lambdas/core/vault/pages.ts';
import { auditEntriesBetween } from '../../lambdas/store/audit-log.ts';
import { connectTable } from '../../lambdas/store/connect.ts';
import { isIn, revisionIn, watchedKind } from '../../lambdas/store/integrity/signed-rows.ts';
import { keyOfItem } from '../../lambdas/store/queries.ts';
import { inEveryVault } from '../../lambdas/store/secrets/secret-lists.ts';
import { getItem, type Item, type Key, putItem, type Table } from '../../lambdas/store/table.ts';
import { onlyIf } from '../../lambdas/store/transactions.ts';
import { putItemIf } from '../../lambdas/store/updates.ts';
import { readVaultHead, VAULT_HEAD } from '../../lambdas/store/vault/head.ts';
import { allEntries } from '../../lambdas/store/vault/locations.ts';
import { environmentOf, functionsOf, requireMayWrite } from '../aws/functions.ts';
import { CommandError } from '../aws/stack.ts';
import { counted } from '../counted.ts';

/** A change is written after its time, by less than this. */
const MARGIN_MS = 3_600_000;

type Change = Readonly<Record<'action' | 'subject' | 'environment', unknown>>;

/**
 * Whether a change concerns a row, by the kinds of signed rows that may be put back. Operators are never among them;
 * seals and keys of issuers are made again.
 */
const CONCERNS: { readonly [Of in Partition]?: (row: Item, change: Change) => boolean } = {
  prompt: ({ promptId }, { subject, action }) =>
    subject === promptId && !/^(draft|examples)\./.test(`${action}`),
  apiKey: ({ keyId, revokedAt }, { subject }) => revokedAt === undefined && subject === keyId,
  vault: ({ sk, environment }, { action, ...change }) =>
    sk === 'HEAD'
      ? change.environment === environment
      : sk === 'ENVIRONMENTS' && /^(environments\.set|vault\.create)$/.test(`${action}`),
  vaultKey: () => false,
  labelProtection: (_, { action }) => /^label\.(un)?protect$/.test(`${action}`),
  restrictions: (_, { action }) => String(action).startsWith('api-key.'),
};

/** Unsigned rows that come back with the head of their prompt. */
const WITH_PROMPT: readonly Partition[] = ['prompt', 'includedBy', 'promptPurge'];

const rowsOf = async function* ({ client, name }: Table): AsyncGenerator<Item & Key> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName: name, ConsistentRead: true }))
    yield* Items as (Item & Key)[];
};

/** The audit entry that a finding says was changed or removed. */
const removedIn = ({ details }: Item): (Item & Key) | undefined => {
  const { entry } = JSON.parse(String(details)) as { readonly entry?: string };
  return entry === undefined ? undefined : (JSON.parse(entry) as Item & Key);
};

/** The changes that the copy does not have, also those whose audit entries were removed since. */
const changesSince = async (live: Table, copy: Table, since: Date, now: Date): Promise<Change[]> => {
  const from = new Date(since.getTime() - MARGIN_MS);
  const changes: Change[] = [];
  for (let at = from; monthOf(at) <= monthOf(now); at = monthAfter(at)) {
    const pk = PARTITIONS.auditChange + monthOf(at);
    for await (const item of auditEntriesBetween(live, pk, from.toISOString(), '~', 1_000)) {
      const entry = item.action === 'integrity.fail' ? removedIn(item) : item;
      if (entry !== undefined && (await getItem(copy, keyOfItem(entry))) === undefined)
        changes.push(entry as unknown as Change);
    }
  }
  return changes;
};

const earlierValues = async (table: Table): Promise<Set<string>> => {
  const entries = await inEveryVault(table, async (vault) => allEntries(vault, await readVaultHead(vault)));
  return new Set(
    entries.flatMap(({ secretId, earlier }) => earlier.map(({ number }) => `${secretId}#${number}`)),
  );
};

/**
 * Puts back, from a copy of the table at an earlier time, rows that are missing or do not verify, unchanged: whoever runs
 * it can sign nothing. A row that was changed since then is left as it is, so no revocation, narrower limit or stop of
 * serving is undone; so are operators, and rows that Cuevault may have removed. Entries and counters are not put back.
 * Both tables verify with the same keys. `since` is the time of the copy. Returns the keys of rows that were put back, and
 * of those that were `left`, with the reason. Errors: `integrity`, `unavailable`.
 */
export const restoreRows = async (
  live: Table,
  copy: Table,
  { since, now, dryRun = false }: { readonly since: Date; readonly now: Date; readonly dryRun?: boolean },
) => {
  const changes = await changesSince(live, copy, since, now);
  const written: string[] = [];
  const left: string[] = [];
  const put = async (row: Item & Key, isMissing: boolean): Promise<void> => {
    if (!dryRun) await (isMissing ? putItemIf(live, { Item: row, ...onlyIf() }) : putItem(live, row));
    written.push(`${row.pk} / ${row.sk}`);
  };
  /** Whether a signed row is to be put back. */
  const isDue = async (row: Item & Key, found: Item | undefined): Promise<boolean> => {
    const kind = watchedKind(row);
    const concerns = kind && CONCERNS[kind.partition];
    if (kind === undefined || concerns === undefined) return false;
    const key = keyOfItem(row);
    if (found !== undefined && revisionIn(kind, live, key, found) !== undefined) return false;
    const mayBeGone = async (at: Date) =>
      kind.mayBeRemoved(live, row, at).catch((error) => {
        if (error instanceof IntegrityError) return false;
        throw error;
      });
    if (found === undefined && ((await mayBeGone(since)) || (await mayBeGone(now)))) return false;
    const reason =
      revisionIn(kind, copy, key, row) === undefined
        ? 'does not verify in the copy either'
        : changes.some((change) => concerns(row, change)) && 'was changed after the time of the copy';
    if (reason) left.push(`${row.pk} / ${row.sk} ${reason}`);
    return !reason;
  };
  // Heads are put back last: until then, nobody sees something incomplete.
  const heads: { readonly row: Item & Key; readonly isMissing: boolean }[] = [];
  const prompts = new Set<unknown>();
  const pages = new Map<string, Uint8Array>();
  const decide = async (row: Item & Key): Promise<void> => {
    const kind = isIn(row.pk, 'vault') && row.sk !== 'ENVIRONMENTS' ? watchedKind(row) : undefined;
    if (kind !== undefined && revisionIn(kind, copy, keyOfItem(row), row) !== undefined)
      for (const { id, digest } of VAULT_HEAD.fromItem(row).pages) pages.set(id, digest);
    if (row.sk !== 'HEAD') return;
    const found = await getItem(live, keyOfItem(row));
    if (!(await isDue(row, found))) return;
    heads.push({ row, isMissing: found === undefined });
    prompts.add(row.promptId);
  };
  for await (const _ of inBatches(rowsOf(copy), decide));
  const values = await earlierValues(live).catch(() => earlierValues(copy).catch(() => new Set<string>()));
  const isNamed = (row: Item & Key): boolean =>
    isIn(row.pk, 'secret')
      ? values.has(`${row.pk.split('#')[2]}#${row.number}`)
      : WITH_PROMPT.some((partition) => isIn(row.pk, partition)) &&
        [...row.pk.split('#'), ...row.sk.split('#')].some((part) => prompts.has(part));
  const restore = async (row: Item & Key): Promise<void> => {
    if (row.sk === 'HEAD') return;
    const found = await getItem(live, keyOfItem(row));
    const digest = isIn(row.pk, 'vaultPage') ? pages.get(String(row.pk.split('#')[2])) : undefined;
    const isPage = (item: Item | undefined) =>
      digest !== undefined &&
      item?.body instanceof Uint8Array &&
      Buffer.compare(pageDigest(item.body), digest) === 0;
    const isDueHere =
      watchedKind(row) === undefined
        ? (isPage(row) && !isPage(found)) || (found === undefined && isNamed(row))
        : await isDue(row, found);
    if (isDueHere) await put(row, found === undefined);
  };
  for await (const _ of inBatches(rowsOf(copy), restore));
  for (const { row, isMissing } of heads) await put(row, isMissing);
  return { written: written.sort(), left: left.sort() };
};

/** The time of a restored table. Errors: `CommandError` if it is not one, or of another table; those of DynamoDB. */
const timeOf = async (TableName: string, live: string): Promise<Date> => {
  const { Table } = await new DynamoDBClient({}).send(new DescribeTableCommand({ TableName }));
  const { RestoreDateTime, SourceTableArn, RestoreInProgress } = Table?.RestoreSummary ?? {};
  if (RestoreDateTime === undefined || SourceTableArn?.endsWith(`:table/${live}`) !== true)
    throw new CommandError(`${TableName} was not restored from ${live}, the table of the stack.`);
  if (RestoreInProgress === true)
    throw new CommandError(
      `${TableName} is still being restored. Wait for it: aws dynamodb wait table-exists`,
    );
  return RestoreDateTime;
};

/**
 * Restores rows of a deployment from a restored table, and reports each. Errors: `CommandError` if there is no such stage or
 * table, or the caller may not write; those of AWS and of `restoreRows`.
 */
export const restoreStage = async (
  stage: string,
  { from, dryRun }: { readonly from: string; readonly dryRun: boolean },
): Promise<string> => {
  const environment = await environmentOf((await functionsOf(stage))(backupRestore.id));
  const live = connectTable(environment);
  const since = await timeOf(from, live.name);
  if (!dryRun) await requireMayWrite(live.name);
  const { written, left } = await restoreRows(
    live,
    { ...live, name: from },
    { since, now: new Date(), dryRun },
  );
  const containers = Number(environment[ENVIRONMENT.containers] ?? 1) + 1;
  return [
    ...left.map((line) => `left: ${line}`),
    ...written.map((line) => `${dryRun ? 'would put back' : 'put back'}: ${line}`),
    `${counted(written.length, 'row')} of the table as it was at ${since.toISOString()}.`,
    ...(dryRun || written.length === 0
      ? []
      : [
          `Containers may have seen later revisions: npm run deploy -- -c stage=${stage} -c containers=${containers}`,
        ]),
  ].join('\n');
};
