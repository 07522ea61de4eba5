import { infiniteQueryOptions } from '@tanstack/react-query';
import { auditList } from '../../../../contract/endpoints/audit-list.ts';
import { call, type ReplyOf } from '../../api/client.ts';
import { type PageQuery, pagesFrom } from '../../api/pages.ts';

export type AuditEntry = ReplyOf<typeof auditList>['entries'][number];

export type AuditIntegrity = NonNullable<ReplyOf<typeof auditList>['integrity']>;

export interface AuditFilter {
  readonly kind?: 'change' | 'read' | 'refusal';
  readonly action?: string;
  readonly actor?: string;
  readonly subject?: string;
  /** Days in UTC, both included. */
  readonly from?: string;
  readonly to?: string;
}

const PAGE = 100;

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) =>
      call(auditList, { query: { ...filter, limit: PAGE, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: (earlier) => earlier,
  });

/** All matching entries, page by page; `onCount` receives the number so far. */
export const readAllEntries = async (
  filter: AuditFilter,
  onCount: (count: number) => void,
  signal: AbortSignal,
): Promise<AuditEntry[]> => {
  const found: AuditEntry[] = [];
  const read = (page: PageQuery) => call(auditList, { query: { ...filter, ...page }, signal });
  for await (const { entries } of pagesFrom(read)) {
    found.push(...entries);
    onCount(found.length);
  }
  return found;
};
