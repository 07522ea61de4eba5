import { INDEX_PARTITIONS, TABLE } from '../../../contract/table.ts';
import { generateApiKey } from '../../../lambdas/core/api-keys/new-key.ts';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { lastDays } from '../../../lambdas/core/lists/day-ranges.ts';
import { API_KEY } from '../../../lambdas/store/api-keys/api-key-row.ts';
import { createApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { draftKeys } from '../../../lambdas/store/prompts/drafts.ts';
import { PROMPT_HEAD, type PromptHead } from '../../../lambdas/store/prompts/head.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { signedItem, toItem } from '../../../lambdas/store/signing/writes.ts';
import type { Item } from '../../../lambdas/store/table.ts';
import { indexKeysOf, usageCounter } from '../../../lambdas/store/usage/counters.ts';
import { dayFields, dayKey, recentDay, recentKey, slotOf } from '../../../lambdas/store/usage/days.ts';
import type { Consumption } from '../../../local/aws/services.ts';
import { type Operation, send } from '../admin.ts';
import { openInstance, type TestInstance } from '../instance.ts';
import { content } from '../rows/prompts.ts';
import { addItems, changeAt } from '../rows/table.ts';

/** What the calls of a line cost. */
export interface Cost {
  readonly what: string;
  /** Calls of DynamoDB. */
  readonly calls: number;
  /** Capacity units. */
  readonly read: number;
  readonly written: number;
  /** The most that it may cost with any number of prompts. */
  readonly most: Partial<Record<'calls' | 'read' | 'written', number>>;
}

/** The lines that cost more than they may. */
export const beyondBounds = (costs: readonly Cost[]): readonly Cost[] =>
  costs.filter((cost) =>
    Object.entries(cost.most).some(([name, most]) => cost[name as 'calls' | 'read' | 'written'] > most),
  );

const [MANY, FEW] = [
  { calls: 8, read: 150 },
  { calls: 8, read: 30 },
] as const;
// On the first day of a month, refusals of the last 24 hours are in two partitions.
const OVERVIEW = { calls: new Date().getUTCDate() === 1 ? 9 : 8, read: 150 };

const TOP = 100;
const KEYS = 100;
const DRAFTS = 100;
const CHUNK = 2_500;
const DAYS = 90;
/** As the list of the admin UI asks for it. */
const PAGE = 40;
const MEASURED = 'measured/prompt';

const nameOf = (i: number): string =>
  i % 2 === 0 ? `busy/prompt ${String(i).padStart(6, '0')}` : `team ${i % 100}/topic ${i % 7}/prompt ${i}`;

const fill = async ({ table }: TestInstance, prompts: number, used: number) => {
  const now = new Date();
  const text = {
    ...content('Answer the customer of {{company}} in a friendly voice.\n{{message}}'),
    note: 'n'.repeat(100),
  };
  const head: PromptHead = await createPrompt(table, changeAt(), {
    ...text,
    name: MEASURED,
    tags: ['support', 'chat'],
  });
  const days = lastDays(DAYS, now);
  const headOf = (i: number) => ({ ...head, name: nameOf(i), promptId: promptIdOf(nameOf(i)) });
  for (let start = 0; start < prompts; start += CHUNK) {
    const heads = Array.from({ length: Math.min(CHUNK, prompts - start) }, (_, i) => headOf(start + i));
    const rows = await Promise.all(
      heads.map((each, i): Promise<Item> | Item =>
        start + i < TOP ? signedItem(table, PROMPT_HEAD, each) : toItem(PROMPT_HEAD, each),
      ),
    );
    const recent = heads.slice(0, Math.max(0, used - start)).map(({ promptId }) => {
      const slots = days
        .slice(-30)
        .map((day) => [
          slotOf(day),
          recentDay([{ version: '1.0.0', count: 999, lastAt: `${day}T10:00:00.000Z` }]),
        ]);
      return { ...recentKey(promptId), ...Object.fromEntries(slots) };
    });
    await addItems(table, [...rows, ...recent]);
  }
  const ids = Array.from({ length: Math.min(TOP, prompts) }, (_, i) => headOf(i).promptId);
  await addItems(
    table,
    ids.slice(0, DRAFTS).map((id) => ({
      ...draftKeys(id),
      listed: JSON.stringify({ savedAt: now.toISOString(), savedBy: 'operator@example.com' }),
    })),
  );
  const made = { name: 'key', permissions: ['prompts'] } as const;
  const { record } = await createApiKey(table, changeAt(), made);
  // As many changes as the overview shows, or it looks for earlier ones.
  for (let i = 1; i < 10; i++) await createApiKey(table, changeAt(), made);
  const { keyId } = record;
  const others = Array.from({ length: KEYS - 10 }, () => generateApiKey().keyId);
  // Lists do not verify them.
  await addItems(
    table,
    others.map((id) => toItem(API_KEY, { ...record, keyId: id })),
  );
  const keyIds = [keyId, ...others];
  const counterOf = (day: string, promptId: string, apiKeyId: string): Item => {
    const key = usageCounter(day, { promptId, version: '1.0.0', apiKeyId });
    return {
      ...key,
      ...indexKeysOf(key),
      count: 5,
      lastAt: `${day}T10:00:00.000Z`,
      'position-x': 'x'.repeat(60),
    };
  };
  await addItems(
    table,
    days.flatMap((day) => keyIds.slice(0, 3).map((id) => counterOf(day, head.promptId, id))),
  );
  await addItems(
    table,
    days.slice(-30).flatMap((day) => ids.slice(0, 20).map((id) => counterOf(day, id, keyId))),
  );
  const uses = keyIds.map((id) => ({
    pk: `APIKEYUSE#${id}`,
    sk: 'USE',
    lastAt: now.toISOString(),
    [TABLE.index.partitionKey]: INDEX_PARTITIONS.watched,
    [TABLE.index.sortKey]: `USE#${id}`,
  }));
  await addItems(table, uses);
  const top = new Map(ids.map((id) => [id, [{ version: '1.0.0', count: 9, lastAt: '' }]]));
  const apiKeys = new Map(keyIds.map((id) => [id, { fetches: 9, reads: 1 }]));
  const asOf = { asOf: now.toISOString(), latestUse: now.toISOString() };
  await addItems(
    table,
    days.slice(-30).map((day) => ({
      ...dayKey(day),
      ...dayFields({ day, fetches: 900, reads: 100, apiKeys, top }),
      ...asOf,
    })),
  );
  return { promptId: head.promptId, keyId };
};

type Asked = readonly [operation: Operation, fields?: object];

/**
 * What the screens and changes of operators cost with so many prompts, of which so many were used lately and which are
 * written directly into the table; each function is asked for the first time, unless a line above has asked it.
 */
export const costsWith = async (prompts: number, used = prompts): Promise<readonly Cost[]> => {
  const consumed: Consumption[] = [];
  const instance = await openInstance({ hooks: { onConsumed: (one) => void consumed.push(one) } });
  try {
    const { promptId, keyId } = await fill(instance, prompts, used);
    const costs: Cost[] = [];
    const measure = async (what: string, [operation, fields]: Asked, most: Cost['most'] = {}) => {
      consumed.length = 0;
      const { status, json } = await send(operation, fields, { on: instance });
      if (status !== 200) throw new Error(`${operation} answered ${status}: ${json?.err}`);
      const own = consumed.filter(({ operationId }) => operationId === operation);
      const isRead = ({ operation }: Consumption) => /Get|Query/.test(operation);
      const sum = (ofReads: boolean) =>
        own.filter((one) => isRead(one) === ofReads).reduce((units, one) => units + one.units, 0);
      costs.push({ what, most, calls: own.length, read: sum(true), written: sum(false) });
      return json.res as { cursor?: string };
    };
    const list = (query: object): Asked => ['prompts-list', { limit: PAGE, ...query }];
    const nextOf = ({ cursor }: { cursor?: string }) => ({ cursor: String(cursor) });
    const folder = { view: 'folders', folder: 'busy' };
    await measure('prompts, first opening', list({ view: 'folders' }), MANY);
    const byName = await measure('by name', list({}));
    await measure('next page by name', list(nextOf(byName)), FEW);
    const inFolder = await measure('a folder', list(folder));
    await measure('next page of a folder', list({ ...folder, ...nextOf(inFolder) }), FEW);
    await measure('one part of a search', list({ q: 'found nowhere' }), { calls: 8, read: 128 });
    await measure('one part of a search in texts', list({ q: 'found nowhere', texts: true }), { read: 128 });
    await measure('most fetched', list({ sort: 'fetches', order: 'desc' }));
    await measure('overview, first opening', ['overview-get'], OVERVIEW);
    await measure('API keys, first opening', ['keys-list', { order: 'asc' }], MANY);
    await measure('an API key, first opening', ['keys-get', { keyId }], { ...MANY, calls: 9 });
    await measure('audit, first opening', ['audit-list', { limit: 100 }], MANY);
    await measure('session, every minute', ['session-get'], { calls: 1, read: 4 });
    const usage: Asked = ['usage-get', { promptId, days: DAYS }];
    await measure('a prompt, first opening', ['prompts-get', { promptId }], FEW);
    await measure('usage of 90 days, first opening', usage, { calls: 6, read: 30 });
    const accesses: Asked = ['accesses-list', { promptId, limit: 100 }];
    await measure('access history, first page', accesses, { calls: 7, read: 30 });
    await measure('publish', ['versions-publish', { promptId, prompt: 'Hello {{user}}', bump: 'minor' }], {
      written: 12,
    });
    await measure('delete a version', ['versions-delete', { promptId, version: '1.0.0', confirm: true }], {
      read: 40,
    });
    await measure('delete a prompt', ['prompts-delete', { promptId, confirm: true }], { read: 40 });
    return costs;
  } finally {
    await instance.stop();
  }
};
