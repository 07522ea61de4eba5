import type { ReplyTo } from '../../../contract/documentation.ts';
import type { InputOf, ReplyOf } from '../../../contract/endpoint.ts';
import type { promptsFind, promptsList } from '../../../contract/endpoints/prompts.ts';
import { isObject } from '../../../contract/fields/patterns.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { fetchesShape, promptRow } from '../../../contract/shapes/prompts.ts';
import { later } from '../../core/days.ts';
import {
  choicesIn,
  decodeCursor,
  encodeCursor,
  holds,
  invalidCursor,
  pageOfList,
  withinPage,
} from '../../core/lists/lists.ts';
import { HIGHEST, LOWEST, listDrafts, listedOf, type NameRange, promptsIn } from '../prompts/all-prompts.ts';
import { isAboveReserved, type ListedPrompt, type PromptHead } from '../prompts/head.ts';
import { readLiveHeads } from '../prompts/lookups.ts';
import type { Table } from '../table.ts';
import { countOf, readRecent, readUsageDays, topBy, topOfDays, type VersionFetched } from '../usage/days.ts';
import { failuresAndUses } from '../usage/failure-counts.ts';
import { countFailing, shownSince } from './failing-calls.ts';
import { lookForLine, lookForSource, searchTexts } from './text-search.ts';

export type Fetches = ReplyOf<typeof fetchesShape>;

/** The usage of a prompt, from the fetches of its versions on each of the days shown, oldest first. */
const fetchesOf = (
  head: Pick<PromptHead, 'reservedUpTo'>,
  days: readonly (readonly VersionFetched[])[],
): Fetches => {
  const fetched = days.map((versions) => versions.filter(({ version }) => isAboveReserved(head, version)));
  const lastAt = fetched.flat().reduce((last, fetched) => later(last, fetched.lastAt), '');
  return {
    count: countOf(fetched.flat()),
    byDay: fetched.map(countOf),
    lastAt: lastAt === '' ? null : lastAt,
  };
};

/** Of a prompt that was not fetched. */
const NO_FETCHES = Array.from({ length: LIMITS.shownDays }, () => []);

export type PromptRow = ListedPrompt &
  Pick<ReplyOf<typeof promptRow>, 'fetches' | 'draft' | 'failing' | 'found'>;

const SORTINGS = {
  name: ({ name }: PromptRow) => name,
  changed: ({ changedAt }: PromptRow) => changedAt,
  fetches: ({ fetches }: PromptRow) => fetches.count,
  fetched: ({ fetches }: PromptRow) => fetches.lastAt ?? '',
};

export type PromptListing = InputOf<typeof promptsList.query>;

/** With the drafts that there are, by prompt id. */
interface ListingWithDrafts extends PromptListing {
  readonly drafts: Awaited<ReturnType<typeof listDrafts>>;
}

const labelsOf = ({ labels }: ListedPrompt) => labels.map(({ label }) => label);

const matches =
  ({ q, tag, label, folder, draft, drafts }: ListingWithDrafts) =>
  (prompt: ListedPrompt): boolean =>
    (draft === undefined || drafts.has(prompt.promptId) === draft) &&
    (folder === undefined || prompt.name.startsWith(`${folder}/`)) &&
    (q === undefined || holds([prompt.name, ...prompt.tags, ...labelsOf(prompt), prompt.excerpt], q)) &&
    (tag === undefined || prompt.tags.includes(tag)) &&
    (label === undefined || labelsOf(prompt).includes(label));

/** The subfolder of `folder` that contains a prompt; undefined if it is in `folder` itself. */
const folderBelow = (name: string, folder: string | undefined) => {
  const start = folder === undefined ? 0 : folder.length + 1;
  const end = name.indexOf('/', start);
  return end > start ? name.slice(0, end) : undefined;
};

type Listed = ReplyTo<'prompts-list'>;

/** The prompts to list, and the subfolders with the number of prompts in each, by name. */
const splitByFolder = (prompts: readonly ListedPrompt[], { folder, view, drafts }: ListingWithDrafts) => {
  if (view !== 'folders') return { listed: prompts, folders: [] };
  const groups = Map.groupBy(prompts, ({ name }) => folderBelow(name, folder));
  const listed = groups.get(undefined) ?? [];
  groups.delete(undefined);
  const folders = [...groups].map(([name = '', own]): Listed['folders'][number] => {
    const open = own.filter(({ promptId }) => drafts.has(promptId)).length;
    return { folder: name, prompts: own.length, drafts: open || undefined };
  });
  return { listed, folders: folders.sort((a, b) => (a.folder < b.folder ? -1 : 1)) };
};

/** Prompts that one call reads: they take about 100 units. More are listed by name, part by part. */
export const PART_PROMPTS = 1_500;
/** Prompts of a part whose fetches are looked up for a filter, and that are sorted by them: half a unit each. */
const LOOKED_UP = 200;
const MOST_FETCHED = 100;

/** Where a page by name continues, and whether it need not read more than it shows. */
interface ListPosition {
  readonly after: string;
  readonly isDense: boolean;
  /** Of a search in texts: how many versions of the next prompt are read. */
  readonly skip?: number;
}

const isListPosition = (value: unknown): value is ListPosition =>
  isObject(value) && typeof value.after === 'string' && typeof value.isDense === 'boolean';

export type PromptRows = Omit<Listed, 'prompts'> & { readonly entries: readonly PromptRow[] };

const valuesIn = (prompts: readonly ListedPrompt[]) => ({
  tags: choicesIn(prompts.flatMap(({ tags }) => tags)),
  labels: choicesIn(prompts.flatMap(labelsOf)),
  read: prompts.length,
});

/** The rows of prompts that meet the filter by fetches, which are read for these prompts or from all. */
const rowsOf = async (
  table: Table,
  now: Date,
  prompts: readonly ListedPrompt[],
  { fetched }: PromptListing,
  from?: 'all',
): Promise<PromptRow[]> => {
  const recent = await readRecent(table, from ?? prompts.map(({ promptId }) => promptId), now);
  return prompts
    .map((prompt) => ({ ...prompt, fetches: fetchesOf(prompt, recent.get(prompt.promptId) ?? NO_FETCHES) }))
    .filter(({ fetches }) => fetched === undefined || fetches.count > 0 === fetched);
};

/** The names of a folder, or all. */
export const rangeOf = ({ folder }: Pick<PromptListing, 'folder'>): NameRange =>
  folder === undefined ? [LOWEST, HIGHEST] : [`${folder}/`, `${folder}/${HIGHEST}`];

/** Prompts whose texts one call looks into: their index takes about 13 units. */
const SEARCHED_PROMPTS = 200;

const listByTexts = async (
  table: Table,
  now: Date,
  listing: ListingWithDrafts,
  place?: ListPosition,
): Promise<PromptRows> => {
  const { limit, order, q = '' } = listing;
  const range = rangeOf(listing);
  const { prompts, isLast } = await promptsIn(table, range, SEARCHED_PROMPTS, { order, after: place?.after });
  const isListed = matches(listing);
  const isWanted = matches({ ...listing, q: undefined });
  const isSought = (prompt: ListedPrompt) => isWanted(prompt) && !isListed(prompt);
  const { found, done, skip } = await searchTexts(table, prompts, isSought, lookForLine(q), place?.skip ?? 0);
  const seen = prompts.slice(0, done);
  const listed = seen.filter((prompt) => isListed(prompt) || found.has(prompt.promptId));
  const near = listed.slice(0, limit);
  const isCut = near.length < listed.length;
  const rows = await rowsOf(table, now, near, listing);
  const after = (isCut ? near : seen).at(-1)?.name ?? place?.after ?? range[order === 'desc' ? 1 : 0];
  const next: ListPosition = { after, isDense: false, skip: isCut ? 0 : skip };
  return {
    entries: rows.map((row) => {
      const [first] = found.get(row.promptId) ?? [];
      return { ...row, found: first && { version: first.version, line: first.found } };
    }),
    folders: [],
    ...valuesIn(seen),
    ...((isCut || done < prompts.length || !isLast) && { cursor: encodeCursor(next) }),
  };
};

/** The versions that a compiled text, or a content hash, can come from: by name, part by part. */
export const findSources = async (
  table: Table,
  { text, cursor }: InputOf<typeof promptsFind.body>,
): Promise<ReplyTo<'prompts-find'>> => {
  const place = cursor === undefined ? undefined : decodeCursor(cursor, isListPosition);
  const after = place?.after;
  const { prompts, isLast } = await promptsIn(table, [LOWEST, HIGHEST], SEARCHED_PROMPTS, { after });
  const look = lookForSource(table, text);
  const { found, done, skip } = await searchTexts(table, prompts, () => true, look, place?.skip ?? 0, false);
  const next: ListPosition = { after: prompts[done - 1]?.name ?? after ?? LOWEST, isDense: false, skip };
  return {
    found: prompts.flatMap(({ promptId, name, labels }) =>
      (found.get(promptId) ?? []).map(({ version, found: { values, literal } }) => ({
        promptId,
        name,
        version,
        labels: labels.filter((label) => label.version === version).map(({ label }) => label),
        literal,
        values,
      })),
    ),
    read: done,
    ...((done < prompts.length || !isLast) && { cursor: encodeCursor(next) }),
  };
};

const listByName = async (
  table: Table,
  now: Date,
  listing: ListingWithDrafts,
  place?: ListPosition,
): Promise<PromptRows> => {
  const { folder, view, limit, order, fetched, q, tag, label, draft } = listing;
  const range = rangeOf(listing);
  const most = place?.isDense ? limit + 1 : PART_PROMPTS;
  const { prompts, isLast } = await promptsIn(table, range, most, { order, after: place?.after });
  const { listed, folders } = splitByFolder(prompts.filter(matches(listing)), listing);
  const near = listed.slice(0, fetched === undefined ? limit : LOOKED_UP);
  const rows = await rowsOf(table, now, near, listing);
  const entries = withinPage(rows.slice(0, limit));
  const shown = entries.length < rows.length ? entries : near.length < listed.length ? near : undefined;
  const last = (shown ?? prompts).at(-1)?.name ?? place?.after ?? range[0];
  // The rest of a subfolder is not read.
  const cut = shown || isLast || view === 'all' ? undefined : folderBelow(last, folder);
  const after = cut === undefined ? last : `${cut}/${order === 'desc' ? '' : HIGHEST}`;
  const isDense =
    shown !== undefined && [q, tag, label, fetched, draft].every((value) => value === undefined);
  return {
    entries,
    ...(place === undefined && isLast && { total: listed.length }),
    folders: folders.map((one) => (one.folder === cut ? { ...one, more: true } : one)),
    ...valuesIn(prompts),
    ...((shown || !isLast) && { cursor: encodeCursor({ after, isDense } satisfies ListPosition) }),
  };
};

const mostFetched = async (table: Table, now: Date): Promise<readonly ListedPrompt[]> => {
  const days = await readUsageDays(table, LIMITS.shownDays, now);
  const top = topBy(topOfDays(days), countOf, MOST_FETCHED);
  const heads = await readLiveHeads(
    table,
    top.map(([promptId]) => promptId),
  );
  return [...heads.values()].map(listedOf);
};

const listPrompts = async (table: Table, now: Date, listing: ListingWithDrafts): Promise<PromptRows> => {
  const { sort, order, cursor, fetched, q, texts } = listing;
  const position = cursor && decodeCursor(cursor, (value): value is unknown => value !== undefined);
  const place = isListPosition(position) ? position : undefined;
  const isInTexts = texts === true && q !== undefined;
  // Another list's cursor would start again or leave something out, and nobody would know.
  if ((isInTexts && cursor && !place) || (place && isInTexts !== (place.skip !== undefined)))
    throw invalidCursor();
  if (isInTexts) return listByTexts(table, now, listing, place);
  if (place) return listByName(table, now, listing, place);
  const isByName = sort === 'name' && fetched === undefined;
  if (isByName && cursor !== undefined) throw invalidCursor();
  const part = isByName ? undefined : await promptsIn(table, rangeOf(listing), PART_PROMPTS);
  const isTop = sort === 'fetches' && order === 'desc';
  if (part === undefined || !(part.isLast || isTop)) return listByName(table, now, listing);
  const prompts = part.isLast ? part.prompts : await mostFetched(table, now);
  const view = part.isLast ? listing.view : 'all';
  const { listed, folders } = splitByFolder(prompts.filter(matches(listing)), { ...listing, view });
  const rows = await rowsOf(table, now, listed, listing, part.isLast ? 'all' : undefined);
  const by = { sortedBy: SORTINGS[sort], idOf: ({ name }: PromptRow) => name };
  const page = pageOfList(rows, { ...by, descending: order === 'desc' }, listing);
  return { ...page, folders, ...valuesIn(prompts) };
};

/**
 * One page of matching prompts, with their usage; a change can take a moment to appear. Of more prompts than one call
 * reads, the most fetched are sorted, and all others are listed by name.
 */
export const listPromptRows = async (table: Table, now: Date, listing: PromptListing) => {
  const [drafts, { failures }] = await Promise.all([
    listDrafts(table),
    failuresAndUses(table, shownSince(now)),
  ]);
  const failingOf = countFailing(failures);
  const { entries, ...rest } = await listPrompts(table, now, { ...listing, drafts });
  return {
    ...rest,
    entries: entries.map((row) => ({
      ...row,
      draft: drafts.get(row.promptId),
      failing: failingOf(row) || undefined,
    })),
  };
};
