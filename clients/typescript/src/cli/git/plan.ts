import type { Content } from '../../../../../contract/content/content.ts';
import { fragmentNameOf } from '../../../../../contract/content/fragments.ts';
import { contentHash } from '../../../../../contract/content/hash.ts';
import { byVersion } from '../../wire.ts';
import { wrongUsage } from '../exit-codes.ts';
import type { LocalPrompt } from './folder.ts';
import type { ListedPrompt, Source } from './service.ts';

/**
 * How a prompt in the folder compares with its base, the last version from this repository, and with the latest version:
 * `drift` was edited in the service, `conflict` in both; `unmanaged` has no file, `gone` no longer. In the order of reports.
 */
export const STATUSES = [
  ...(['create', 'renamed', 'publish'] as const),
  ...(['drift', 'conflict', 'unchanged', 'gone', 'unmanaged'] as const),
];
export type Status = (typeof STATUSES)[number];

/** A prompt of the folder, the service, or both. */
export interface Row {
  readonly name: string;
  readonly status: Status;
  readonly file?: LocalPrompt | undefined;
  readonly listed?: ListedPrompt | undefined;
  readonly base?: Source | undefined;
  /** The name under which this content was published before. */
  readonly from?: string | undefined;
}

const isPinned = (include: string): boolean => /@\d+\.\d+\.\d+$/.test(include);

/** The fragments that a file includes without a version. */
export const unpinned = ({ content }: LocalPrompt): string[] =>
  (content.includes ?? []).filter((include) => !isPinned(include));

/** A content with a version for each fragment; undefined as long as one of them has none. */
export const pinned = (
  content: Content,
  versionOf: (name: string) => string | undefined,
): Content | undefined => {
  if (content.includes === undefined) return content;
  const includes = content.includes.map((each) =>
    isPinned(each) ? each : `${each}@${versionOf(each) ?? ''}`,
  );
  return includes.every(isPinned) ? { ...content, includes } : undefined;
};

/** The fragment that a file includes without a version although the folder has no file of it, if there is one. */
export const absentFragment = (file: LocalPrompt, names: ReadonlySet<string>): string | undefined =>
  unpinned(file).find((name) => !names.has(name));

/** The includes of a file with versions that the service does not have yet: a push may give them to a file of the folder. */
export const upcoming = (
  { content }: LocalPrompt,
  listed: ReadonlyMap<string, ListedPrompt>,
): readonly { readonly name: string; readonly version: string }[] =>
  (content.includes ?? []).filter(isPinned).flatMap((include) => {
    const name = fragmentNameOf(include);
    const version = include.slice(name.length + 1);
    const latest = listed.get(name)?.latest;
    return latest === undefined || byVersion(version, latest) > 0 ? [{ name, version }] : [];
  });

/**
 * The files in stages: each includes only fragments of earlier stages, or versions that the service has. Errors: CliError
 * `usage` for a circle.
 */
export const staged = (
  files: readonly LocalPrompt[],
  listed: ReadonlyMap<string, ListedPrompt>,
): LocalPrompt[][] => {
  const stages: LocalPrompt[][] = [];
  for (let left = [...files]; left.length > 0; ) {
    const open = new Set(left.map(({ name }) => name));
    const needs = (file: LocalPrompt) => [
      ...unpinned(file),
      ...upcoming(file, listed).map(({ name }) => name),
    ];
    const stage = left.filter((file) => !needs(file).some((name) => open.has(name)));
    if (stage.length === 0)
      throw wrongUsage(`${JSON.stringify(left[0]?.path)} includes itself through its fragments.`);
    stages.push(stage);
    left = left.filter((file) => !stage.includes(file));
  }
  return stages;
};

const statusOf = (
  hash: string | undefined,
  base: Source | undefined,
  latest: ListedPrompt | undefined,
): Status => {
  if (latest === undefined) return 'create';
  if (hash === latest.contentHash) return 'unchanged';
  if (base === undefined) return 'conflict';
  if (hash === base.contentHash) return 'drift';
  return base.contentHash === latest.contentHash ? 'publish' : 'conflict';
};

/** The version that has the content of the file, if there is one. */
const versionOf = ({ status, listed, base }: Row, overwrite: boolean | undefined): string | undefined => {
  if (status === 'unchanged') return listed?.latest;
  return status === 'drift' && overwrite !== true ? base?.version : undefined;
};

/**
 * Compares folder and service. `overwrite`: files win over what was edited in the service. Errors: CliError `usage` for
 * includes in a circle.
 */
export const planOf = async (
  files: readonly LocalPrompt[],
  inService: ReadonlyMap<string, ListedPrompt>,
  repository: string,
  overwrite: boolean | undefined,
): Promise<Row[]> => {
  const rows = new Map<string, Row>();
  const hashes = new Map<string, string>();
  for (const file of staged(files, inService).flat()) {
    const { name } = file;
    const latest = inService.get(name);
    const base = latest?.sources.find((source) => source.repository === repository);
    const content = pinned(file.content, (fragment) => {
      const row = rows.get(fragment);
      return row && versionOf(row, overwrite);
    });
    const hash = content && (await contentHash(content));
    if (hash !== undefined) hashes.set(name, hash);
    rows.set(name, { name, status: statusOf(hash, base, latest), file, listed: latest, base });
  }
  const unmanaged = [...inService.values()].filter(({ name }) => !rows.has(name));
  const formerNameOf = (row: Row): string | undefined =>
    unmanaged.find(
      (each) =>
        each.contentHash === hashes.get(row.name) &&
        each.sources.some((source) => source.repository === repository),
    )?.name;
  const compared = [...rows.values()].map((row): Row => {
    const from = row.status === 'create' ? formerNameOf(row) : undefined;
    return from === undefined ? row : { ...row, status: 'renamed', from };
  });
  const others = unmanaged.map((each): Row => ({ name: each.name, status: 'unmanaged', listed: each }));
  return [...compared, ...others].sort((a, b) => (a.name < b.name ? -1 : 1));
};

/** Whether the service does not know yet that the repository has the latest version: it was pulled. */
export const isBehind = ({ status, listed, base }: Row): boolean =>
  status === 'unchanged' && base?.version !== listed?.latest;

/** Whether the service has changes that the repository does not know. */
export const isDrift = ({ status }: Row): boolean => status === 'drift' || status === 'conflict';

/** Whether a push publishes the file of a row. */
export const isPublished = (row: Row, overwrite: boolean | undefined): boolean =>
  ['create', 'publish', 'renamed'].includes(row.status) || (overwrite === true && isDrift(row));
