import { variablesIn } from '../../../contract/content/templates.ts';
import { declared, isRequired } from '../../../contract/content/variables.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { promptList } from '../../../contract/endpoints/publishing.ts';
import { coversPattern } from '../../../contract/fields/key-limits.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { type ApiKey, maySeePrompt } from '../../core/api-keys/rules.ts';
import { assertValid } from '../../core/errors.ts';
import { promptIdOf, randomBase62 } from '../../core/identifiers.ts';
import { createPageRoom } from '../../core/lists/lists.ts';
import { servedContent } from '../../core/prompts/contents.ts';
import { auditChange, type Change } from '../audit.ts';
import { queryItems } from '../queries.ts';
import type { Table } from '../table.ts';
import { transact } from '../transactions.ts';
import { compareUtf8, HIGHEST, inNames, LOWEST, listedPrompt } from './all-prompts.ts';
import { isLive, labelled, type PromptHead, promptNotFound, readPromptHead } from './head.ts';
import { readVersion } from './versions.ts';

/** Names in one call to the index. */
const PAGE_NAMES = 200;
/** Names that a call goes through to fill its page: the index takes about 60 units for them. */
const CALL_NAMES = 1_000;

/** A name, and its labels if the index was read for it. */
type Named = Pick<PromptHead, 'name'> & Partial<Pick<PromptHead, 'labels'>>;

/** The prompts that match a pattern and follow a cursor, by name: those of other patterns are never read. */
async function* namesLike(table: Table, pattern: string, cursor: string): AsyncGenerator<Named> {
  const start = pattern.slice(0, -1);
  if (!pattern.endsWith('*')) return yield* compareUtf8(cursor, pattern) < 0 ? [{ name: pattern }] : [];
  const [from = '', to] = [[cursor, start].sort(compareUtf8).at(-1), `${start}${HIGHEST}`];
  if (compareUtf8(from, to) > 0) return;
  const items = queryItems(table, { ...inNames([from || LOWEST, to]), Limit: PAGE_NAMES });
  for await (const item of items) {
    const prompt = listedPrompt(item);
    if (prompt.name !== cursor) yield prompt;
  }
}

async function* namesFor(table: Table, { prompts }: ApiKey, cursor = ''): AsyncGenerator<Named> {
  const all = prompts.length === 0 ? ['*'] : [...new Set(prompts)];
  // What is left covers each name once, so their names follow each other.
  const apart = all.filter((one) => !all.some((other) => other !== one && coversPattern([other], one)));
  for (const pattern of apart.sort(compareUtf8)) yield* namesLike(table, pattern, cursor);
}

const labelledOf = async (table: Table, head: PromptHead, label: string) => {
  const version = labelled(head, label);
  const found = version === undefined ? undefined : await readVersion(table, head.promptId, version);
  if (found === undefined) return undefined;
  const variables = variablesIn(servedContent(found)).map((name) => {
    const declaration = declared(found.variables, name);
    const { type, description } = declaration ?? {};
    return { name, type, description, required: isRequired(declaration) };
  });
  return { version: found.version, note: found.note, variables };
};

interface Entry {
  readonly head: PromptHead;
  readonly labelled?: Awaited<ReturnType<typeof labelledOf>>;
}

/** What the versions with a label take, of as many heads as fit on a page; and the last name, if others are left. */
const withLabelled = async (table: Table, heads: readonly PromptHead[], label: string) => {
  const entries: Entry[] = [];
  const hasRoom = createPageRoom();
  // One after the other: a version can be as large as what a page has room for.
  for (const [index, head] of heads.entries()) {
    const found = await labelledOf(table, head, label);
    if (found === undefined) continue;
    if (!hasRoom(found)) return { entries, cut: heads[index - 1]?.name };
    entries.push({ head, labelled: found });
  }
  return { entries, cut: undefined };
};

/**
 * One page of the prompts that a key may see, by name; its cursor is the last name, absent on the last page. The names,
 * and which have the label, come from the index, so a new one can take a moment to appear; the heads are strongly
 * consistent and verified. With a label, a page that is not the last can be empty.
 */
export const listVisible = async (
  table: Table,
  apiKey: ApiKey,
  { limit: asked, cursor, label }: InputOf<typeof promptList.body>,
) => {
  const limit = label === undefined ? asked : Math.min(asked, LIMITS.exportedPrompts);
  assertValid(
    cursor === undefined || maySeePrompt(apiKey, cursor),
    '"cursor" must be one that this list has returned for this API key.',
  );
  const page: string[] = [];
  let passed: string | undefined;
  let last: string | undefined;
  let count = 0;
  for await (const { name, labels } of namesFor(table, apiKey, cursor)) {
    if (page.length === limit || count++ === CALL_NAMES) {
      last = passed;
      break;
    }
    if (label === undefined || labels === undefined || labelled({ labels }, label) !== undefined)
      page.push(name);
    passed = name;
  }
  const heads = await Promise.all(page.map((name) => readPromptHead(table, promptIdOf(name))));
  const live = heads.filter(isLive);
  if (label === undefined) return { entries: live.map((head): Entry => ({ head })), cursor: last };
  const { entries, cut } = await withLabelled(table, live, label);
  return { entries, cursor: cut ?? last };
};

const latestOf = async (table: Table, name: string) => {
  const head = await readPromptHead(table, promptIdOf(name));
  const version = isLive(head) ? await readVersion(table, head.promptId, head.latest) : undefined;
  if (version === undefined) throw promptNotFound(`named "${name}"`);
  return { name, version };
};

/**
 * The latest versions of prompts, in this order, as many as fit on a page; at least one. They are returned only after
 * an audit entry for each is written.
 */
export const exportLatest = async (table: Table, change: Change, names: readonly string[]) => {
  const found: Awaited<ReturnType<typeof latestOf>>[] = [];
  const hasRoom = createPageRoom();
  // One after the other: nothing is read beyond the page, or after a prompt that does not exist.
  for (const name of names) {
    const latest = await latestOf(table, name);
    if (!hasRoom(latest)) break;
    found.push(latest);
  }
  const set = `export_${randomBase62(16)}`;
  const entries = found.map(({ name, version: { promptId, version } }) =>
    auditChange(table, change, {
      action: 'prompt.export',
      subject: promptId,
      name,
      details: { version, set },
    }),
  );
  await transact(table, entries);
  return found;
};
