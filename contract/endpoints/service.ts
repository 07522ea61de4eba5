import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { oneOf, optional } from '../fields/common.ts';
import { flag, strictFields, text } from '../fields/fields.ts';
import { choice, paging, search, utcDayOrTime, wholeNumber } from '../fields/query.ts';
import {
  AUDIT_CHANGE,
  CHANGE_OPERATOR,
  INVITE,
  LIST_KEY_USES,
  LIST_PROMPTS,
  READ_USERS,
  READ_VAULT,
  READ_VAULT_USE,
  REQUIRE_ACTOR,
} from '../functions/shared-grants.ts';
import { emails, group, signInBy } from '../shapes/operators.ts';
import { onTable } from '../table.ts';
import { admin, MANY_ROWS, PATHS, viewer } from './for-operators.ts';

export const overviewGet = endpoint({
  id: 'overview-get',
  ...viewer('GET', '/api/admin/overview'),
  batched: true,
  query: strictFields({
    days: z._default(wholeNumber(1, 30, 'Number of days (UTC), including today.'), 30),
  }),
  memoryMb: 1769,
  timeoutSeconds: 20,
  grants: [
    LIST_PROMPTS,
    onTable('BatchGetItem', 'prompt', 'promptCount'),
    READ_VAULT,
    ...READ_VAULT_USE,
    LIST_KEY_USES,
    onTable('Query', 'auditChange', 'auditRefusal'),
  ],
  summary: 'Fetch the overview',
});

export const metricsGet = endpoint({
  id: 'metrics-get',
  ...viewer('GET', '/api/admin/metrics'),
  grants: [{ on: 'metrics', actions: ['GetMetricData'] }],
  summary: 'Fetch metrics of refused calls and of the webhook',
});

export const notificationsTest = endpoint({
  id: 'notifications-test',
  ...admin('POST', '/api/admin/notifications/test'),
  grants: [AUDIT_CHANGE],
  summary: 'Send a test event',
});

export const sessionGet = endpoint({
  id: 'session-get',
  ...viewer('GET', '/api/admin/session'),
  batched: true,
  grants: [onTable('GetItem', 'labelProtection', 'vault'), onTable('UpdateItem', 'signIns')],
  summary: 'Fetch who is signed in, and what every screen needs',
});

export const operatorsList = endpoint({
  id: 'operators-list',
  ...admin('GET', PATHS.operators),
  grants: [...READ_USERS, onTable('Query', 'signIns')],
  summary: 'List operators',
});

export const operatorsInvite = endpoint({
  id: 'operators-invite',
  ...admin('POST', PATHS.operators),
  body: strictFields({ emails, group, signIn: z.optional(signInBy) }),
  errors: ['operator_exists', 'changed_meanwhile'],
  grants: [...INVITE, REQUIRE_ACTOR],
  summary: 'Invite operators',
});

const body = strictFields({
  group: z.optional(group),
  enabled: z.optional(
    flag(
      '`false` ends access with the next call, blocks sign-in and ends all sessions; `true` allows it again.',
    ),
  ),
  resetSignIn: optional(
    z.literal(true, 'must be true'),
    'Replaces the password with a temporary one, which is mailed, removes the authenticator app and ends all sessions.',
  ),
  confirm: z.optional(
    text(512, 'Reserves the invitation for the person with this `requestId`, whose address is not verified.'),
  ),
  remove: optional(
    z.literal(true, 'must be true'),
    'Ends access as `enabled: false` does, and forgets the operator: an invitation makes the address one again.',
  ),
}).check(
  z.refine(
    (changes) => Object.values(changes).filter((change) => change !== undefined).length === 1,
    'Send exactly one of "group", "enabled", "resetSignIn", "confirm" and "remove".',
  ),
);

export const operatorsUpdate = endpoint({
  id: 'operators-update',
  ...admin('PATCH', PATHS.operator),
  body,
  errors: ['operator_not_found', 'changed_meanwhile'],
  grants: [...CHANGE_OPERATOR, REQUIRE_ACTOR],
  summary: 'Change an operator',
});

export const auditList = endpoint({
  id: 'audit-list',
  ...viewer('GET', '/api/admin/audit'),
  batched: true,
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
  ...MANY_ROWS,
  grants: [
    onTable('Query', 'auditChange', 'auditRead', 'auditRefusal', 'vault'),
    onTable('GetItem', 'vaultUseNames', 'entryShards'),
    onTable('GetItem', 'auditSeal'),
    READ_VAULT,
  ],
  summary: 'List the audit log',
});

export const notFound = endpoint({
  id: 'not-found',
  access: { kind: 'public' },
  errors: ['route_not_found', 'method_not_allowed'],
  memoryMb: 256,
  timeoutSeconds: 5,
  grants: [],
  summary: 'Answer requests that match no route',
});
