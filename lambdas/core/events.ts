import { hash } from 'node:crypto';
import { EVENT_DETAILS_BYTES, EVENT_SCHEMA, type EventType, isEventType } from '../../contract/events.ts';
import { utf8Bytes } from '../../contract/limits.ts';

/** The event of a change. It never contains a secret value or an API key. */
export interface ChangeEvent {
  readonly schema: typeof EVENT_SCHEMA;
  /** Derived from the audit entry: an event that is sent again has the same id. */
  readonly id: string;
  readonly type: EventType;
  /** ISO 8601 in UTC. */
  readonly time: string;
  readonly stage: string;
  readonly actor: string;
  /** Id of the operator or API key. */
  readonly actorId?: string | undefined;
  readonly requestId: string;
  readonly subject: string;
  readonly name: string;
  readonly environment?: string | undefined;
  readonly details: object;
}

const ID_DIGITS = 32;

/** The id of the event that a row with this key is about. */
export const idOf = (key: string): string => hash('sha256', key).slice(0, ID_DIGITS);

const detailsOf = (details: string): object =>
  utf8Bytes(details) > EVENT_DETAILS_BYTES ? { omitted: true } : (JSON.parse(details) as object);

/**
 * The event of an audit entry, or undefined for actions without an event, such as saving a draft. Throws if the item is
 * not a valid audit entry.
 */
export const eventOf = (entry: Readonly<Record<string, unknown>>, stage: string): ChangeEvent | undefined => {
  const known = (name: string) => (typeof entry[name] === 'string' ? entry[name] : undefined);
  const text = (name: string) => {
    const value = known(name);
    if (value === undefined) throw new Error(`The audit entry has no "${name}".`);
    return value;
  };
  const type = text('action');
  if (!isEventType(type)) return undefined;
  return {
    schema: EVENT_SCHEMA,
    id: idOf(`${text('pk')} ${text('sk')}`),
    type,
    time: text('at'),
    stage,
    actor: text('actor'),
    actorId: known('actorId'),
    requestId: text('requestId'),
    subject: text('subject'),
    name: text('name'),
    environment: known('environment'),
    details: detailsOf(text('details')),
  };
};
