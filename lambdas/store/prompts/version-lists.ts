import type { ReplyOf } from '../../../contract/endpoint.ts';
import type { versionRow } from '../../../contract/shapes/prompts.ts';
import { versionSortKey } from '../../core/prompts/prompts.ts';
import { queryPage } from '../pages.ts';
import { inRange, keyOfItem, queryItems, unsignedKind } from '../queries.ts';
import { verifiedRow } from '../signing/rows.ts';
import type { Table } from '../table.ts';
import { type PromptHead, promptPartition } from './head.ts';
import { PROMPT_VERSION, type PromptVersion, VERSION, versionKey } from './versions.ts';

// One sorts right after a version's own key, the other after the keys of all versions.
const AFTER = '!';
const END = '~';

/** A version in lists. */
export type VersionSummary = Pick<PromptVersion, 'type'> &
  Omit<ReplyOf<typeof versionRow>, 'type' | 'labels' | 'fetches' | 'lastFetchedAt'>;

/** The key range of the versions above `reservedUpTo` and up to the sort key `to`, highest first. */
const descending = ({ promptId, reservedUpTo }: PromptHead, to = VERSION + END) => ({
  ...inRange(
    promptPartition(promptId),
    reservedUpTo === undefined ? VERSION : VERSION + versionSortKey(reservedUpTo) + AFTER,
    to,
  ),
  FilterExpression: 'attribute_not_exists(deletedAt)',
  ScanIndexForward: false,
});

/** The highest version that exists below `version`, if there is one. */
export const highestBelow = async (table: Table, head: PromptHead, version: string) => {
  const { sk } = versionKey(head.promptId, version);
  // Only versions and tombstones are in this key range.
  for await (const item of queryItems(table, { ...descending(head, sk), Limit: 10 })) {
    if (item.version === version) continue;
    return verifiedRow(table, PROMPT_VERSION, keyOfItem(item), item);
  }
  return undefined;
};

const SUMMARY_OF_VERSION = unsignedKind<VersionSummary>('source');

const SUMMARY = {
  ProjectionExpression:
    'pk, sk, version, #type, tags, note, templateBytes, contentHash, publishedAt, publishedBy, #source',
  ExpressionAttributeNames: { '#type': 'type', '#source': 'source' },
};

/** One page of the versions of a prompt, highest first. A page can have fewer than `limit` before the last page. */
export const listVersions = async (table: Table, head: PromptHead, limit: number, cursor?: string) => {
  const query = { ...descending(head), ...SUMMARY };
  const { items, ...rest } = await queryPage(table, query, limit, cursor);
  return { ...rest, items: items.map(SUMMARY_OF_VERSION.fromItem) };
};
