import * as z from 'zod/mini';
import { anyText, optionalString, string } from './fields/common.ts';
import { described } from './fields/fields.ts';
import { limitShapes } from './fields/key-limits.ts';

/** Version of the event schema. It increases when a field is removed or changes its meaning, not when one is added. */
export const EVENT_SCHEMA = 1;

/** The source of every event on the bus. */
export const EVENT_SOURCE = 'cuevault';

/** An event omits details larger than this: EventBridge accepts 256 KB. */
export const EVENT_DETAILS_BYTES = 200_000;

const nothing = {};
const source = z.optional(z.looseObject({ repository: anyText, commit: anyText, path: anyText }));
const version = { version: anyText, source };
const set = z.optional(anyText);

/** The details of each event type. The types are actions of the audit log, except for failing calls. */
export const EVENT_DETAILS = {
  'prompt.create': version,
  'prompt.delete': nothing,
  'prompt.restore': nothing,
  'prompt.import': version,
  'prompt.adopt': version,
  'prompt.tried': { model: anyText },
  'prompt.export': { version: anyText, set: anyText },
  'version.publish': version,
  'version.delete': version,
  'prompt.calls_failing': {
    code: anyText,
    reason: anyText,
    apiKeyId: anyText,
    apiKeyName: anyText,
    sourceIp: anyText,
  },
  'label.set': { label: anyText, from: z.nullable(anyText), to: anyText, set },
  'label.remove': { label: anyText, from: anyText, set },
  'label.move-set': {
    moves: z.array(
      z.looseObject({
        name: anyText,
        label: anyText,
        from: z.nullable(anyText),
        to: z.nullable(anyText),
      }),
    ),
  },
  'label.protect': nothing,
  'label.unprotect': nothing,
  'secret.create': { tags: z.array(anyText) },
  'secret.update': nothing,
  'secret.rollback': { from: z.number(), to: z.number() },
  'secret.import': nothing,
  'secret.delete': nothing,
  'secret.restore': nothing,
  'secret.received_by_all': {
    number: z.number(),
    received: z.number(),
    silent: z.array(z.looseObject({ apiKeyId: anyText, apiKeyName: anyText, lastAt: anyText })),
  },
  'api-key.create': {
    ...limitShapes,
    replaces: z.optional(anyText),
  },
  'api-key.update': { from: z.looseObject({}), to: z.looseObject({}) },
  'api-key.revoke': nothing,
  'api-key.import': nothing,
  'vault.create': nothing,
  'environments.set': {
    from: z.array(anyText),
    to: z.array(anyText),
    critical: z.array(anyText),
  },
  'vault.rotate': { keyVersion: z.number() },
  'vault.request-rotation': { keyVersion: z.number() },
  'vault.retire-keys': nothing,
  'vault.stop': { reason: anyText },
  'vault.who-has': { found: z.number() },
  'vault.start': nothing,
  'vault.restore-revision': {
    revision: z.number(),
    switchedOff: z.optional(z.array(anyText)),
  },
  'vault.import-keys': { keyVersion: z.number() },
  'operator.invite': { group: anyText },
  'operator.accept': { verified: z.boolean() },
  'operator.request': nothing,
  'operator.confirm': { userId: anyText },
  'operator.rename': { from: anyText },
  'operator.refuse-address': { to: anyText },
  'operator.change-group': { from: anyText, to: anyText },
  'operator.disable': nothing,
  'operator.enable': nothing,
  'operator.remove': nothing,
  'operator.reset': nothing,
  'notification.test': nothing,
  'backup.create': nothing,
  'backup.reencrypt': { secrets: z.number() },
} as const satisfies Readonly<Record<string, z.core.$ZodShape>>;

export type EventType = keyof typeof EVENT_DETAILS;

export const isEventType = (action: string): action is EventType => Object.hasOwn(EVENT_DETAILS, action);

/** The schema of the events of a type: the `detail` of an event on the bus, the body of a webhook. */
export const eventSchema = (type: EventType) =>
  z.looseObject({
    schema: described(z.literal(EVENT_SCHEMA), 'Version of the event schema.'),
    id: string('Unchanged when the event is sent again. Ignore ids that you have already processed.'),
    type: described(z.literal(type), 'What was done.'),
    time: string('When it was done; ISO 8601 in UTC.'),
    stage: string('The deployment, such as "prod"; "local" on a laptop.'),
    actor: string(
      'E-mail address of the operator, "API key" and the name of the key that published, or "system".',
    ),
    actorId: optionalString('Id of the operator or API key, or "system".'),
    requestId: string('Id of the request, as in the log and the audit log.'),
    subject: string(
      'Id of the prompt, secret or API key, name of the label that is protected or no longer protected, id of a set of label moves, e-mail address of the operator who is changed, "vault", "environments", or "notifications" for a test event.',
    ),
    name: string(
      'Name of the prompt, API key or protected label, names of the labels that are moved together, key of the secret, e-mail address of the operator, "vault", "environments", or "test event".',
    ),
    environment: optionalString('The environment whose secrets the change is about, if it is about secrets.'),
    details: z.union([z.looseObject(EVENT_DETAILS[type]), z.looseObject({ omitted: z.literal(true) })]),
  });

/** The JSON Schema of the events of a type. */
export const eventJsonSchema = (type: EventType): object => ({
  title: type,
  ...z.toJSONSchema(eventSchema(type)),
});
