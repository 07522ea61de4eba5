import * as z from 'zod/mini';
import {
  anyText,
  arrayOf,
  count,
  keyId,
  optional,
  optionalString,
  secretId,
  string,
  strings,
  time,
} from '../fields/common.ts';
import { described, flag, freeObject, promptId } from '../fields/fields.ts';
import { nextCursor, utcDay } from '../fields/query.ts';
import { environmentName } from '../fields/secrets.ts';
import { refusedShape } from '../shapes/keys.ts';
import { group, signInBy } from '../shapes/operators.ts';
import { failingShape, protectedLabels } from '../shapes/prompts.ts';
import { environmentList } from './vault.ts';

/** Who changed something, read secrets, or was refused. */
export const auditShape = z.object({
  entryId: string('Id of the entry. It begins with the time of the entry.'),
  at: time(
    'When it happened. A refusal stands for one or more calls in a minute, for the same key and reason: the time of the first.',
  ),
  kind: z.enum(['change', 'read', 'refusal']),
  actor: string(
    'E-mail address of the operator, or `API key` and its name if a key has published. For a read or a refusal, the name of the API key.',
  ),
  actorId: optionalString('Id of the operator or API key, ARN of who invoked a command, or `system`.'),
  action: string(
    '`<resource>.<verb>`, such as `label.set`; every read is `secret.read`, every refusal `call.refuse`.',
  ),
  subject: string('Id of what was changed. For a read, `vault`. For a refusal, the operation.'),
  name: string('Its name. For a read, the requested key.'),
  details: freeObject('Further details, never a value.'),
  requestId: anyText,
});

/** Up to when the audit log is sealed. */
export const sealedShape = described(
  z.nullable(
    z.object({
      number: described(z.int(), 'Number of the last object of the sealed log.'),
      at: time('When it was sealed.'),
      to: time('Entries before this time are sealed.'),
    }),
  ),
  'State of the sealed log, on the first page only. Null before the first seal, and if the last one does not verify.',
);

const operatorShape = z.object({
  operatorId: string('Unique identifier of the operator.'),
  email: string('E-mail address.'),
  status: described(
    z.enum(['active', 'pending', 'disabled', 'invited', 'expired']),
    '`pending` has a temporary password and has not signed in with it; `disabled` may do nothing. Of those who sign in through the company, `invited` has not done so yet, and `expired` did not for 14 days.',
  ),
  signIn: signInBy,
  userId: optionalString(
    'The id of the person at the company; of an invitation, of the one whom an administrator has confirmed.',
  ),
  requests: optional(
    z.array(
      z.object({
        requestId: string('What `confirm` takes.'),
        userId: string('The id of the person at the company.'),
        requestedAt: time('When they signed in.'),
      }),
    ),
    'People who have signed in with the address in the last 14 days, at most 20. The company does not say that it is theirs: one may take the invitation once an administrator has confirmed them.',
  ),
  refusedEmail: optionalString(
    'The address that they have at the company now. They keep the former one, because another operator has it.',
  ),
  invitedAt: time('When they were last invited.'),
  invitedBy: string('Who invited them.'),
  signedInAt: z.optional(time('When they last signed in, if they have used the admin UI since.')),
  group: group,
});

const keyToWatch = z.object({
  keyId,
  name: anyText,
  lastUsedAt: z.nullable(time('Last successful call; `null` if the key was never used.')),
  expiresAt: z.optional(time('When the key expires.')),
});

const delivery = z.object({
  deliveryId: anyText,
  eventId: anyText,
  type: anyText,
  subject: anyText,
  name: anyText,
  /** Of the last attempt, or when the first one is due. */
  at: anyText,
  state: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.number(),
  /** HTTP status of the last reply; null without a reply. */
  status: z.nullable(z.number()),
  /** Why the last attempt failed; null if it did not. */
  error: z.nullable(anyText),
});

/** A delivery of an event to the webhook. */
export type Delivery = z.infer<typeof delivery>;

const named = { environment: environmentName, secretId, key: anyText };

export const service = {
  'overview-get': {
    reply: {
      totals: z.object({
        prompts: count('Prompts; more than 1,000 are counted daily, and those created since are added.'),
        secrets: count('Secrets.'),
        keys: count('Active API keys.'),
        ownKeys: count('Those that an operator created: all but the one of the first local start.'),
        samples: count(
          'Secrets and prompts with the tag `sample`; more than 1,000 prompts are counted daily.',
        ),
      }),
      isInUse: flag(
        'Whether an application fetched something in the last 30 days, or earlier with a key that is active.',
      ),
      fetches: arrayOf(
        z.object({
          day: utcDay('The day.'),
          prompts: count('Prompts fetched.'),
          secrets: count('Calls that returned secrets.'),
        }),
        'One entry per day, oldest first.',
      ),
      topPrompts: arrayOf(
        z.object({
          promptId,
          name: anyText,
          fetches: count('Fetches in these days.'),
          perDay: arrayOf(count('Fetches on a day.'), 'The same per day, oldest first.'),
        }),
        'The ten prompts fetched most often.',
      ),
      unusedKeys: arrayOf(
        keyToWatch,
        'Active keys older than 30 days that were not used in the last 30 days; at most 20.',
      ),
      expiringKeys: arrayOf(keyToWatch, 'Active keys that expire within 14 days, soonest first; at most 20.'),
      failingPrompts: arrayOf(
        z.object({ promptId, name: anyText, failing: z.array(failingShape) }),
        'Prompts whose calls failed within the last 24 hours and still would, the last first; at most 20.',
      ),
      refused: arrayOf(
        refusedShape,
        'Calls of known keys refused in the last 24 hours, by key and reason, latest first; at most 20.',
      ),
      unreadSecrets: z.object({
        total: count('Secrets older than 30 days that were not read in the last 30 days.'),
        first: arrayOf(z.object(named), 'The first 20 of these, by key.'),
      }),
      secretsToRotate: z.object({
        total: count('Secrets that must be rotated within 14 days or should have been.'),
        first: arrayOf(
          z.object({ ...named, rotateBy: utcDay('The day (UTC).') }),
          'The first 20 of these, by day.',
        ),
      }),
      unfinishedRotations: z.object({
        total: count(
          'Secrets with a new value and no record that the credential in the earlier one is disabled.',
        ),
        first: arrayOf(
          z.object({ ...named, changedAt: time('When it got the new value.') }),
          'The first 20 of these, oldest first.',
        ),
      }),
      changes: arrayOf(auditShape, 'The last ten changes, without drafts.'),
    },
    description:
      'Fetches per day, the most fetched prompts, failing calls, unused keys and secrets, keys that expire soon, and the latest changes.',
  },
  'metrics-get': {
    reply: {
      refused: arrayOf(
        z.object({ reason: refusedShape.shape.reason, calls: count('Refused calls.') }),
        'The refused calls of the last 24 hours by reason, most first, also those without a known key. Counted from the beginning of an hour.',
      ),
      webhook: described(
        z.nullable(
          z.array(
            z.object({
              day: utcDay('The day.'),
              attempts: count('Calls of the webhook, with repeated ones.'),
              invocations: count('Events that were delivered or given up.'),
              failed: count('Events that were given up.'),
            }),
          ),
        ),
        'What EventBridge did on the last seven days (UTC), oldest first. `null` without a webhook, and on a laptop.',
      ),
    },
    description:
      'Reads CloudWatch, which has a call about a minute later. A local instance counts since its start.',
  },
  'notifications-test': {
    reply: { at: time('Time of the event.') },
    description:
      'Sends an event of the type `notification.test` to everything that receives events, in the same way as the event of a change: it is in the audit log first. The reply does not wait for it to arrive.',
  },
  'session-get': {
    reply: {
      ...z.pick(operatorShape, { operatorId: true, email: true, group: true }).shape,
      protectedLabels: z.nullable(protectedLabels),
      environments: z.nullable(z.object(environmentList)),
    },
    description:
      'The operator who calls, as their row in the table says, with what every screen needs: the environments and whether their vaults serve, and the protected labels; each is `null` while it cannot be read. In every prompt, only administrators set, move and remove a protected label, and delete or restore a prompt that has one. Callers that ask for no label are not affected: they get the latest version, which editors publish.',
  },
  'operators-list': {
    reply: { operators: z.array(operatorShape) },
    description: 'All operators by e-mail address, with group and status.',
  },
  'operators-invite': {
    reply: {
      operators: z.array(operatorShape),
      existing: strings('The addresses of those who are operators already.'),
    },
    description:
      'Creates operators in a group and mails them temporary passwords, which expire after seven days. A user whom Cognito knows already, but who is no operator, gets a temporary password, too. With `"signIn": "company"` nothing is mailed: whoever first signs in through the company with the address within 14 days becomes the operator. Repeating a call invites who is missing.',
    request: { body: { emails: ['ada@example.com'], group: 'editor' } },
  },
  'operators-update': {
    reply: { operator: operatorShape },
    description:
      'Moves another operator to a group, disables, enables or removes them, or resets their sign-in. Enabling also renews an invitation, and `confirm` lets a person of the company take it. Nobody changes their own account, so an administrator always remains. It holds from the next call on. Repeating a call changes nothing, except for a reset.',
    request: { body: { enabled: false } },
  },
  'audit-list': {
    reply: {
      entries: z.array(auditShape),
      sealed: z.optional(sealedShape),
      readsFrom: z.optional(
        anyText.check(
          z.meta({
            description:
              'First day (UTC) whose reads of secrets are listed. The sealed log has earlier ones.',
            examples: ['2026-01-30'],
          }),
        ),
      ),
      cursor: nextCursor,
    },
    description:
      'Changes by operators, reads of secrets by API keys, and refused calls of known API keys, newest first. A page can hold fewer entries than `limit` before the last page: continue while there is a cursor.',
  },
  'not-found': {
    reply: z.never(),
    description:
      'The default route: the envelope with status 404, or 405 if the path supports other methods.',
    examples: [],
  },
  'webhook-get': {
    reply: {
      /** Scheme, host and port of the receiver: the rest of its address can contain a token. */
      receiver: anyText,
      /** Newest first. */
      deliveries: z.array(delivery),
    },
    description: 'The last deliveries to the webhook since the runner was started.',
  },
  'webhook-send-again': {
    reply: { delivery },
    description: 'Delivers the event again, with the same id. A pending delivery stays as it is.',
  },
};
