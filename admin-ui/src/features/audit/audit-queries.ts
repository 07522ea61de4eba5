import { queryOptions } from '@tanstack/react-query';
import { auditList } from '../../../../contract/endpoints/service.ts';
import type { QueryOf, ReplyOf } from '../../api/client.ts';
import { listQuery, pagesFrom } from '../../api/queries.ts';
import { type AuditDays, timesOf } from './audit-times.ts';

export type AuditEntry = ReplyOf<typeof auditList>['entries'][number];

export type AuditSeal = Exclude<ReplyOf<typeof auditList>['sealed'], undefined>;

export interface AuditFilter extends AuditDays {
  readonly kind?: 'change' | 'read' | 'refusal';
  readonly action?: string;
  readonly actor?: string;
  readonly subject?: string;
  /** Drafts are left out by default: each pause in typing saves one. */
  readonly drafts?: 'yes';
}

export const queryOf = ({ period, from, to, drafts, ...rest }: AuditFilter): QueryOf<typeof auditList> => ({
  ...rest,
  ...timesOf({ ...(period && { period }), ...(from && { from }), ...(to && { to }) }, new Date()),
  drafts: drafts === 'yes' || rest.action?.includes('draft') === true,
});

export const auditQuery = (filter: AuditFilter) => {
  const query = queryOf(filter);
  return listQuery(['audit', query], auditList, { query });
};

export const entryQuery = (entryId: string) =>
  queryOptions({
    queryKey: ['audit', 'entry', entryId],
    queryFn: async ({ signal }) => {
      const [at = ''] = entryId.split('#');
      const query = { from: at, to: at };
      for await (const { entries } of pagesFrom(auditList, { query, signal })) {
        const found = entries.find((entry) => entry.entryId === entryId);
        if (found !== undefined) return found;
      }
      return null;
    },
  });
