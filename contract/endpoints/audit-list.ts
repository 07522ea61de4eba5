import * as z from 'zod/mini';
import { MANY_ROWS, PATHS, READ_VAULT, VIEWER } from '../admin.ts';
import { endpoint } from '../endpoint.ts';
import { choice, nextCursor, oneOf, paging, search, utcDayOrTime } from '../fields/query.ts';
import { strictFields } from '../fields/strict-fields.ts';
import { AUDIT } from '../http/examples.ts';
import { auditShape, integrityShape } from '../shapes/audit.ts';

export const auditList = endpoint({
  id: 'audit-list',
  route: { method: 'GET', path: PATHS.audit },
  access: VIEWER,
  query: strictFields({
    kind: z.optional(
      oneOf(['change', 'read', 'refusal'], 'Only changes, only reads of secrets, or only refused calls.'),
    ),
    action: z.optional(
      search('Only this action, or all actions that begin with it, such as `label.set` or `label`.'),
    ),
    actor: z.optional(search('Only actions of operators or API keys whose name or id contains this text.')),
    subject: z.optional(
      search(
        'Only entries about the prompt, secret or key with this id, or whose name contains this text. Reads of several secrets are about each of them. A secret that can no longer be restored is found by its id.',
      ),
    ),
    drafts: z._default(choice('Whether to include saved and discarded drafts.'), true),
    from: z.optional(utcDayOrTime('First day or time (UTC). Default: 30 days before the last day.')),
    to: z.optional(utcDayOrTime('Last day or time (UTC), included. Default: today.')),
    ...paging,
  }),
  reply: z.object({
    entries: z.array(auditShape),
    integrity: z.optional(integrityShape),
    readsFrom: z.optional(
      z.string().check(
        z.meta({
          description: 'First day (UTC) whose reads of secrets are listed. The sealed log has earlier ones.',
          examples: ['2026-01-30'],
        }),
      ),
    ),
    cursor: nextCursor,
  }),
  errors: [],
  ...MANY_ROWS,
  grants: [
    { on: 'table', actions: ['Query'], partitions: ['auditChange', 'auditRead', 'auditRefusal', 'vault'] },
    { on: 'table', actions: ['GetItem'], partitions: ['vaultUseNames', 'entryShards'] },
    { on: 'table', actions: ['GetItem', 'Query'], partitions: ['auditSeal'] },
    ...READ_VAULT,
  ],
  summary: 'List the audit log',
  description:
    'Changes by operators, reads of secrets by API keys, and refused calls of known API keys, newest first. A page can hold fewer entries than `limit` before the last page: continue while there is a cursor.',
  examples: [
    {
      summary: 'Label moves',
      query: { action: 'label.set', from: '2026-03-01' },
      res: { entries: [AUDIT] },
    },
  ],
});
