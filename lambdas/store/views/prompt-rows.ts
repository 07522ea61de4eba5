import type { ReplyTo } from '../../../contract/documentation.ts';
import type { InputOf, ReplyOf } from '../../../contract/endpoint.ts';
import type { promptsList } from '../../../contract/endpoints/prompts/prompts-list.ts';
import type { fetchesShape, promptRow } from '../../../contract/shapes/prompts.ts';
import { later } from '../../core/days.ts';
import { distinct, holds, type ListPage, pageOfList } from '../../core/lists/lists.ts';
import { allPrompts, listDrafts } from '../prompts/all-prompts.ts';
import { isAboveReserved, type PromptHead } from '../prompts/head.ts';
import type { Table } from '../table.ts';
import { readRecent, type VersionFetched } from '../usage/days.ts';

export type Fetches = ReplyOf<typeof fetchesShape>;

const SHOWN_DAYS = 7;
/** Days within which the last fetch is searched. */
export const KNOWN_DAYS = 30;

/**
 * The usage of a prompt, from the fetches of its versions per day, oldest first, ending today; earlier days had none.
 */
export const fetchesOf = (head: PromptHead, days: readonly (readonly VersionFetched[])[]): Fetches => {
  const own = days.map((versions) => versions.filter(({ version }) => isAboveReserved(head, version)));
  const byDay = Array.from({ length: SHOWN_DAYS }, (_, i) =>
    (own.at(i - SHOWN_DAYS) ?? []).reduce((sum, { count }) => sum + count, 0),
  );
  const lastAt = own.flat().reduce((last, fetched) => later(last, fetched.lastAt), '');
  return {
    last7Days: byDay.reduce((sum, count) => sum + count, 0),
    byDay,
    lastAt: lastAt === '' ? null : lastAt,
  };
};

export type PromptRow = PromptHead & Pick<ReplyOf<typeof promptRow>, 'fetches' | 'draft'>;

const SORTINGS = {
  name: ({ name }: PromptRow) => name.toLowerCase(),
  changed: ({ changedAt }: PromptRow) => changedAt,
  fetches: ({ fetches }: PromptRow) => fetches.last7Days,
  fetched: ({ fetches }: PromptRow) => fetches.lastAt ?? '',
};

export type PromptListing = InputOf<typeof promptsList.query>;

const matches = (row: PromptRow, { q, tag, label, fetched, folder }: PromptListing): boolean =>
  (folder === undefined || row.name.startsWith(`${folder}/`)) &&
  (q === undefined || holds([row.name, ...row.tags, row.excerpt], q)) &&
  (tag === undefined || row.tags.includes(tag)) &&
  (label === undefined || row.labels.some((one) => one.label === label)) &&
  (fetched === undefined || row.fetches.last7Days > 0 === fetched);

/** The subfolder of `folder` that contains a prompt; undefined if it is in `folder` itself. */
const folderBelow = (name: string, folder: string | undefined): string | undefined => {
  const start = folder === undefined ? 0 : folder.length + 1;
  const end = name.indexOf('/', start);
  return end > start ? name.slice(0, end) : undefined;
};

type Listed = ReplyTo<'prompts-list'>;

/** The rows to list, and the subfolders with the number of rows in each, by name. */
const splitByFolder = (rows: readonly PromptRow[], { folder, view }: PromptListing) => {
  if (view !== 'folders') return { listed: rows, folders: [] };
  const groups = Map.groupBy(rows, ({ name }) => folderBelow(name, folder));
  const listed = groups.get(undefined) ?? [];
  groups.delete(undefined);
  const folders = [...groups].map(([name = '', { length }]): Listed['folders'][number] => ({
    folder: name,
    prompts: length,
  }));
  return { listed, folders: folders.sort((a, b) => (a.folder < b.folder ? -1 : 1)) };
};

/** With all tags and labels in use. */
export type PromptRows = ListPage<PromptRow> & Pick<Listed, 'folders' | 'tags' | 'labels'>;

/**
 * One page of matching prompts, with their usage; a change can take a moment to appear.
 * Errors: `invalid_request` (cursor), `unavailable`.
 */
export const listPromptRows = async (
  table: Table,
  now: Date,
  listing: PromptListing,
): Promise<PromptRows> => {
  const [heads, fetched, drafts] = await Promise.all([
    Array.fromAsync(allPrompts(table)),
    readRecent(table, 'all', now),
    listDrafts(table),
  ]);
  const rows = heads.map((head) => ({
    ...head,
    draft: drafts.get(head.promptId),
    fetches: fetchesOf(head, fetched.get(head.promptId) ?? []),
  }));
  const sorting = {
    keyOf: SORTINGS[listing.sort],
    idOf: ({ name }: PromptRow) => name,
    descending: listing.order === 'desc',
  };
  const found = rows.filter((row) => matches(row, listing));
  const { listed, folders } = splitByFolder(found, listing);
  return {
    ...pageOfList(listed, sorting, listing),
    folders,
    tags: distinct(heads.flatMap(({ tags }) => tags)),
    labels: distinct(heads.flatMap(({ labels }) => labels.map(({ label }) => label))),
  };
};
