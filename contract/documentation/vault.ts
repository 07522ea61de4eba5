import * as z from 'zod/mini';
import { anyText, arrayOf, count, keyId, operator, secretId, string, time } from '../fields/common.ts';
import { described, flag, freeObject } from '../fields/fields.ts';
import { nextCursor, utcDay } from '../fields/query.ts';
import { environmentName, secretKey } from '../fields/secrets.ts';
import { LIMITS } from '../limits.ts';

const stopped = described(
  z.nullable(
    z.object({
      at: time('When it was stopped.'),
      by: operator('Who stopped it.'),
      reason: string('Why it was stopped.'),
    }),
  ),
  'Set while no secrets are released; otherwise `null`.',
);

/** The state of the vault, without its secrets. */
const vaultShape = z.object({
  revision: count('Number of the current revision.'),
  changedAt: time('When it was made.'),
  changedBy: operator('Who made it.'),
  secrets: count('Number of secrets.'),
  bytes: count('Size of their values.'),
  keyVersion: count('Version of the key pair that new values are encrypted to.'),
  reencrypted: flag(
    'Whether every current value is encrypted to this key pair. `false` until a rotation, or the one after a restored revision, is complete.',
  ),
  stopped,
});

/** A revision of the vault. */
export const revisionRow = z.object({
  revision: count('Number of the revision.'),
  changedAt: time('When it was made.'),
  changedBy: operator('Who made it.'),
  change: described(
    z.nullable(
      z.object({
        action: anyText,
        subject: anyText,
        name: anyText,
        details: freeObject('Further details, never a value.'),
      }),
    ),
    'What was changed, as in the audit log; `null` if it has no entry.',
  ),
  secrets: count('Number of secrets.'),
});

export const environmentList = {
  environments: arrayOf(
    z.object({
      name: environmentName,
      isCritical: flag('Whether it is marked as critical wherever it is named.'),
      isNew: flag('Whether its vault is still being created. Until then, its secrets are unavailable.'),
      secrets: z.nullable(count('Number of secrets. `null` if the head of its vault does not verify.')),
      stopped,
    }),
    'All environments, in the order that administrators gave them.',
  ),
  revision: count('Number of the current list.'),
};

/** A stored value that equals the one asked for, and the API keys and trusts that received it. */
const foundValue = z.object({
  environment: environmentName,
  secretId,
  key: secretKey,
  number: count('Number of the value.'),
  state: z.enum(['current', 'former', 'deleted']),
  receivers: z.array(
    z.object({
      apiKeyId: keyId,
      apiKeyName: anyText,
      isActive: flag('Whether it is neither revoked nor expired.'),
      isCertain: flag(
        'Whether a read is known to have returned the value; otherwise it may have been the value before or after.',
      ),
      from: utcDay('The day (UTC) on which it first received the value, or may have.'),
      to: utcDay('The day (UTC) on which it last did.'),
      stillHasIt: flag('Whether it has read no other value since.'),
    }),
  ),
});

const keys = (description: string) => arrayOf(secretKey, description);

export const vault = {
  'environments-list': {
    reply: environmentList,
    description:
      'Each environment has a vault of its own: secrets, key pairs, revisions, and whether it serves.',
  },
  'environments-set': {
    reply: environmentList,
    description: `Sends the whole list. A new environment gets its vault within seconds, from a job; until then its secrets are \`unavailable\`. Only an environment without secrets can be removed. It is removed, or added again, only while no active API key or trust names it: they would read the next environment of that name. Added again, it continues its revisions, and its deleted secrets can be restored as long as ever. \`default\` cannot be removed, and none can be renamed. At most ${LIMITS.environments}.`,
    request: {
      body: { environments: ['default', 'staging', 'production'], critical: ['production'], revision: 7 },
    },
  },
  'vault-get': {
    reply: { vault: vaultShape },
    description: 'Its current revision, its size, and whether secrets are released.',
  },
  'vault-who-has': {
    reply: {
      found: arrayOf(foundValue, 'The values that equal it, as far as they fit, by environment.'),
      total: count('How many stored values equal it.'),
      unopened: count('How many stored values do not open, and so were not compared.'),
    },
    description: `Compares a value with all that are stored: current ones, those that secrets can be rolled back to, and those of deleted secrets. Reads are known for as long as the setting \`accessDays\` says. The audit log records each question with how many values it found, never the value. At most ${LIMITS.questionsPerDay} questions a day and administrator.`,
    request: { body: { value: 'a value that leaked' } },
  },
  'serving-set': {
    reply: { vault: vaultShape },
    description:
      'While the vault is stopped, every call of `vault-get-secrets` gets 403 `vault_stopped`. Clients do not treat it as an outage: they delete their copies. Secrets can still be changed. Repeating the call changes nothing.',
    request: { body: { allowed: false, reason: 'The API key of ci was in a public log.' } },
  },
  'revisions-list': {
    reply: {
      revisions: z.array(revisionRow),
      total: count('Number of revisions across all pages.'),
      cursor: nextCursor,
    },
    description:
      'The current revision and those that were replaced within the last seven days, newest first, each with the change that made it.',
  },
  'revisions-restore': {
    reply: {
      revision: described(z.nullable(count('Number of the new revision.')), '`null` in a dry run.'),
      returning: keys(
        'Keys of deleted secrets that are restored. As far as they fit, and only in a dry run.',
      ),
      removed: keys('Keys of newer secrets that are deleted. As far as they fit, and only in a dry run.'),
      changed: keys('Keys of secrets with another value or tags. As far as they fit, and only in a dry run.'),
      switchedOff: keys(
        'Keys of those of them whose credential would again be one that is recorded as switched off. Only in a dry run.',
      ),
      readers: keys('Names of the API keys that can read one of all these secrets. Only in a dry run.'),
    },
    description:
      'Makes all secrets what they were in a revision of the last seven days, as a new revision. The earlier revision is verified first. Secrets created since then count as deleted and can be restored. Releases stay stopped if they are. If API keys with a tag restriction could then read secrets that they cannot read now, it needs `confirm=true`.',
    request: { body: { dryRun: true } },
  },
  'rotation-start': {
    reply: { keyVersion: count('Version of the key pair that is being replaced.') },
    description: `Starts the job that replaces the key pair and re-encrypts every value, and does not wait for it. \`vault-get\` shows the new \`keyVersion\` once it exists, and \`reencrypted\` when the job is done. Reads and changes continue meanwhile. Repeating the call replaces no further key pair: \`keyVersion\` names the one to replace. For ${LIMITS.rotationMinutes} minutes after a rotation, the call gets \`rotated_recently\`.`,
  },
};
