import { distinct, holds, type ListPage, later, type Paging, pageOfList } from '../../core/lists.ts';
import { allPrompts, isAboveReserved, type PromptHead } from '../prompts/head.ts';
import type { Table } from '../table.ts';
import type { UsageDays, VersionFetched } from '../usage/days.ts';

/** How often a prompt was fetched lately. */
export interface Fetches {
  readonly last7Days: number;
  /** The same day by day (UTC), the oldest first. */
  readonly byDay: readonly number[];
  /** The last fetch that is known; ISO 8601 in UTC. */
  readonly lastAt: string | null;
}

const SHOWN_DAYS = 7;
/** How far back the last fetch is looked for. */
export const KNOWN_DAYS = 30;

/**
 * The use of a prompt, of what was retrieved of its versions on some days, the oldest first, today the last; on days
 * before them there was none.
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

export interface PromptRow extends PromptHead {
  readonly fetches: Fetches;
}

export interface PromptFilter {
  readonly q?: string | undefined;
  readonly tag?: string | undefined;
  readonly label?: string | undefined;
  readonly fetched?: boolean | undefined;
  /** Names begin with it and a slash. */
  readonly folder?: string | undefined;
}

const SORTINGS = {
  name: ({ name }: PromptRow) => name.toLowerCase(),
  changed: ({ changedAt }: PromptRow) => changedAt,
  fetches: ({ fetches }: PromptRow) => fetches.last7Days,
  fetched: ({ fetches }: PromptRow) => fetches.lastAt ?? '',
};

export interface PromptListing extends PromptFilter, Paging {
  readonly sort: keyof typeof SORTINGS;
  readonly order: 'asc' | 'desc';
  /** Whether prompts in folders below are only counted. @default all are listed */
  readonly view?: 'all' | 'folders';
}

const matches = (row: PromptRow, { q, tag, label, fetched, folder }: PromptFilter): boolean =>
  (folder === undefined || row.name.startsWith(`${folder}/`)) &&
  (q === undefined || holds([row.name, ...row.tags, row.excerpt], q)) &&
  (tag === undefined || row.tags.includes(tag)) &&
  (label === undefined || row.labels.some((one) => one.label === label)) &&
  (fetched === undefined || row.fetches.last7Days > 0 === fetched);

/** The folder below `folder` that a prompt is in; undefined for one that is in `folder` itself. */
const folderBelow = (name: string, folder: string | undefined): string | undefined => {
  const start = folder === undefined ? 0 : folder.length + 1;
  const end = name.indexOf('/', start);
  return end > start ? name.slice(0, end) : undefined;
};

export interface Folder {
  readonly folder: string;
  readonly prompts: number;
}

/** The rows to list, and the folders below with how many rows are in each, by name. */
const splitByFolder = (rows: readonly PromptRow[], { folder, view }: PromptListing) => {
  if (view !== 'folders') return { listed: rows, folders: [] };
  const groups = Map.groupBy(rows, ({ name }) => folderBelow(name, folder));
  const listed = groups.get(undefined) ?? [];
  groups.delete(undefined);
  const folders = [...groups].map(([name = '', { length }]): Folder => ({ folder: name, prompts: length }));
  return { listed, folders: folders.sort((a, b) => (a.folder < b.folder ? -1 : 1)) };
};

export interface PromptRows extends ListPage<PromptRow> {
  readonly folders: readonly Folder[];
  /** Every tag and every label of any prompt. */
  readonly tags: readonly string[];
  readonly labels: readonly string[];
}

/**
 * One page of the prompts that match, with their use; a change may take a moment to show.
 * Errors: `invalid_request` (cursor), `unavailable`.
 */
export const listPromptRows = async (
  table: Table,
  usageDays: UsageDays,
  now: Date,
  listing: PromptListing,
): Promise<PromptRows> => {
  const [heads, days] = await Promise.all([Array.fromAsync(allPrompts(table)), usageDays(KNOWN_DAYS, now)]);
  const rows = heads.map((head) => ({
    ...head,
    fetches: fetchesOf(
      head,
      days.map(({ prompts }) => prompts.get(head.promptId) ?? []),
    ),
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
