import type { auditShape } from '../../../contract/documentation/service.ts';
import type { ReplyOf } from '../../../contract/endpoint.ts';
import type { JsonObject } from '../../../contract/fields/fields.ts';
import { DEFAULT_ENVIRONMENT } from '../../../contract/fields/patterns.ts';
import type { Item } from '../table.ts';

/** Who changed something, read secrets, or was refused. `entryId` is the sort key, which begins with the time. */
export type AuditEntry = ReplyOf<typeof auditShape>;

const entryOf = (
  { sk, at, actor, actorId, action, subject, name, requestId, environment }: Item,
  kind: AuditEntry['kind'],
  details: JsonObject,
): AuditEntry => ({
  entryId: String(sk),
  at: String(at),
  kind,
  actor: String(actor),
  actorId: actorId as string | undefined,
  action: String(action),
  subject: String(subject),
  name: String(name),
  // Entries of `default` say nothing, as calls that mean it do.
  details:
    environment === undefined || environment === DEFAULT_ENVIRONMENT ? details : { ...details, environment },
  requestId: String(requestId),
});

/** The entry of a change. */
export const fromChange = (item: Item): AuditEntry =>
  entryOf(item, 'change', JSON.parse(String(item.details)));

const byKey = (item: Item): Item => ({ ...item, actor: item.apiKeyName, actorId: item.apiKeyId });

/** The action of a read. */
export const READ_ACTION = 'secret.read';

/** The entry of a read. */
export const fromRead = (item: Item): AuditEntry => {
  const { filter, restriction, revision, count, digest, sourceIp, userAgent } = item;
  const { key = 'vault' } = filter as { key?: string };
  const details = { filter, restriction, revision, count, digest, sourceIp, userAgent };
  return entryOf({ ...byKey(item), action: READ_ACTION, subject: 'vault', name: key }, 'read', details);
};

/** The entry of a refusal. */
export const fromRefusal = (item: Item): AuditEntry => {
  const { reason, sourceIp, userAgent, asked, claim, operationId } = item;
  const details = { reason, sourceIp, userAgent, asked };
  return entryOf(
    { ...byKey(item), action: 'call.refuse', subject: operationId, name: operationId },
    'refusal',
    { ...details, claim },
  );
};
