import type { JsonObject } from '../../../contract/fields/fields.ts';
import type { Item } from '../table.ts';

/** Who changed something, read secrets, or was refused. */
export interface AuditEntry {
  /** The sort key, which begins with the time. */
  readonly entryId: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly kind: 'change' | 'read' | 'refusal';
  /** E-mail address of an operator, or the name of an API key, after `API key` in a change. */
  readonly actor: string;
  readonly actorId?: string;
  readonly action: string;
  readonly subject: string;
  readonly name: string;
  readonly details: JsonObject;
  readonly requestId: string;
}

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
  details: JSON.parse(String(item.details)) as JsonObject,
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
    details: { filter, restriction, revision, count, digest, sourceIp, userAgent },
    requestId: String(item.requestId),
  };
};

/** The entry of a refusal. */
export const fromRefusal = ({ reason, sourceIp, userAgent, asked, ...item }: Item): AuditEntry => ({
  entryId: String(item.sk),
  at: String(item.at),
  kind: 'refusal',
  actor: String(item.apiKeyName),
  actorId: String(item.apiKeyId),
  action: 'call.refuse',
  subject: String(item.operationId),
  name: String(item.operationId),
  details: { reason, sourceIp, userAgent, ...(asked === undefined ? {} : { asked }) },
  requestId: String(item.requestId),
});
