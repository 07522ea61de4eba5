import * as z from 'zod/mini';
import { MANY_ROWS, PATHS, READ_VAULT, VIEWER } from '../admin.ts';
import { endpoint } from '../endpoint.ts';
import { strictFields } from '../fields/fields.ts';
import { choice, oneOf, paging, search, utcDayOrTime } from '../fields/query.ts';

export const auditList = endpoint({
  id: 'audit-list',
  route: { method: 'GET', path: PATHS.audit },
  access: VIEWER,
  query: strictFields({
    kind: z.optional(
      oneOf(['change', 'read', 'refusal'], 'Only changes, only reads of secrets, or only refused calls.'),
    ),
    action: z.optional(
      search(
        'Only these actions, separated by commas, or all that begin with one, such as `label.set,version.publish` or `label`.',
      ),
    ),
    actor: z.optional(search('Only actions of operators or API keys whose name or id contains this text.')),
    subject: z.optional(
      search(
        'Only entries about the prompt, secret or key with this id, or whose name contains this text, or that contain each of its words in name, action or details, such as a label, a version or an environment. Reads of several secrets are about each of them. A secret that can no longer be restored is found by its id.',
      ),
    ),
    drafts: z._default(choice('Whether to include saved and discarded drafts.'), true),
    from: z.optional(utcDayOrTime('First day or time (UTC). Default: 30 days before the last day.')),
    to: z.optional(utcDayOrTime('Last day or time (UTC), included. Default: today.')),
    ...paging,
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
});
