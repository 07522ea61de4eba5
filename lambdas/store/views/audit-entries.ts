import type { auditShape } from '../../../contract/documentation/service.ts';
import type { ReplyOf } from '../../../contract/endpoint.ts';
import type { JsonObject } from '../../../contract/fields/fields.ts';
import { DEFAULT_ENVIRONMENT } from '../../../contract/fields/patterns.ts';
import type { Item } from '../table.ts';

/** Who changed something, read secrets, or was refused. `entryId` is the sort key, which begins with the time. */
export type AuditEntry = ReplyOf<typeof auditShape>;

// Entries of `default` say nothing, as calls that mean it do.
const environmentOf = ({ environment }: Item): JsonObject =>
  environment === undefined || environment === DEFAULT_ENVIRONMENT ? {} : { environment };

/** The entry of a change. */
export const fromChange = (item: Item): AuditEntry => ({
  entryId: String(item.sk),
  at: String(item.at),
  kind: 'change',
  actor: String(item.actor),
  ...(item.actorId === undefined ? {} : { actorId: String(item.actorId) }),
  action: String(item.action),
  subject: String(item.subject),
  name: String(item.name),
  details: { ...(JSON.parse(String(item.details)) as JsonObject), ...environmentOf(item) },
  requestId: String(item.requestId),
});

/** The action of a read. */
export const READ = 'secret.read';

/** The entry of a read. */
export const fromRead = (item: Item): AuditEntry => {
  const { filter, restriction, revision, count, digest, sourceIp, userAgent } = item;
  const { key } = filter as { key?: string };
  return {
    entryId: String(item.sk),
    at: String(item.at),
    kind: 'read',
    actor: String(item.apiKeyName),
    actorId: String(item.apiKeyId),
    action: READ,
    subject: 'vault',
    name: key ?? 'vault',
    details: { filter, restriction, revision, count, digest, sourceIp, userAgent, ...environmentOf(item) },
    requestId: String(item.requestId),
  };
};

/** The entry of a refusal. */
export const fromRefusal = ({ reason, sourceIp, userAgent, asked, claim, ...item }: Item): AuditEntry => ({
  entryId: String(item.sk),
  at: String(item.at),
  kind: 'refusal',
  actor: String(item.apiKeyName),
  actorId: String(item.apiKeyId),
  action: 'call.refuse',
  subject: String(item.operationId),
  name: String(item.operationId),
  details: {
    reason,
    sourceIp,
    userAgent,
    ...(asked === undefined ? {} : { asked }),
    ...(claim === undefined ? {} : { claim }),
  },
  requestId: String(item.requestId),
});
