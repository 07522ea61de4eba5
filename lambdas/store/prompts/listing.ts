import { TABLE } from '../../../contract/table.ts';
import { type ApiKey, maySeePrompt } from '../../core/api-keys/rules.ts';
import { promptIdOf, randomBase62 } from '../../core/identifiers.ts';
import { withinPage } from '../../core/lists/lists.ts';
import { inParallel } from '../../core/parallel.ts';
import { auditChange, type Change } from '../audit.ts';
import { inIndex, queryItems } from '../queries.ts';
import type { Table } from '../table.ts';
import { transact } from '../transactions.ts';
import { isLive, type PromptHead, promptNotFound, readHead } from './head.ts';
import { type PromptVersion, readVersion } from './versions.ts';

export interface VisiblePrompts {
  readonly heads: readonly PromptHead[];
  /** The last name on the page; absent on the last page. */
  readonly cursor?: string;
}

const [LOWEST, HIGHEST] = ['\u0000', '\u{10FFFF}'];
/** Names in one call to the index. */
const NAMES = 200;

const inBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The names between which all names lie that match the patterns and follow the cursor. */
const rangeOf = (patterns: readonly string[], cursor = ''): readonly [from: string, to: string] => {
  const starts = patterns.map((pattern) => pattern.replace(/\*$/, '')).sort(inBytes);
  const [from = ''] = [cursor, starts[0] ?? ''].sort(inBytes).slice(-1);
  return [from === '' ? LOWEST : from, `${starts.at(-1) ?? ''}${HIGHEST}`];
};

async function* namesFor(table: Table, apiKey: ApiKey, cursor?: string): AsyncGenerator<string> {
  const [from, to] = rangeOf(apiKey.prompts, cursor);
  if (inBytes(from, to) > 0) return;
  const { sortKey } = TABLE.index;
  const names = queryItems(table, {
    ...inIndex('prompts', `${sortKey} BETWEEN :from AND :to`, { ':from': from, ':to': to }),
    ProjectionExpression: sortKey,
    Limit: NAMES,
  });
  for await (const item of names) {
    const name = String(item[sortKey]);
    if (name !== cursor && maySeePrompt(apiKey, name)) yield name;
  }
}

/**
 * One page of the prompts that a key may see, by name. The names come from the index, so a new prompt can take a moment
 * to appear; the heads are strongly consistent and verified. Errors: `integrity`, `unavailable`.
 */
export const listVisible = async (
  table: Table,
  apiKey: ApiKey,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<VisiblePrompts> => {
  const names: string[] = [];
  for await (const name of namesFor(table, apiKey, cursor)) {
    names.push(name);
    if (names.length > limit) break;
  }
  const page = names.slice(0, limit);
  const heads = await Promise.all(page.map((name) => readHead(table, promptIdOf(name))));
  const last = names.length > limit ? page.at(-1) : undefined;
  return { heads: heads.filter(isLive), ...(last === undefined ? {} : { cursor: last }) };
};

export interface LatestVersion {
  readonly name: string;
  readonly version: PromptVersion;
}

const latestOf = async (table: Table, name: string): Promise<LatestVersion> => {
  const head = await readHead(table, promptIdOf(name));
  const version = isLive(head) ? await readVersion(table, head.promptId, head.latest) : undefined;
  if (version === undefined) throw promptNotFound(`named "${name}"`);
  return { name, version };
};

/**
 * The latest versions of prompts, in this order, as many as fit on a page; at least one. They are returned only after
 * the audit entry that names them is written. Errors: `prompt_not_found`, `integrity`, `unavailable`.
 */
export const exportLatest = async (
  table: Table,
  change: Change,
  names: readonly string[],
): Promise<readonly LatestVersion[]> => {
  const found = withinPage(await inParallel(names, (name) => latestOf(table, name)));
  const prompts = found.map(({ name, version }) => ({ name, version: version.version }));
  const entry = { action: 'prompt.export', subject: `export_${randomBase62(16)}`, name: 'prompts' };
  await transact(table, [auditChange(table, change, { ...entry, details: { prompts } })]);
  return found;
};
