import * as z from 'zod/mini';
import {
  anyText,
  arrayOf,
  count,
  operator,
  restorableUntil,
  secretId,
  strings,
  time,
} from '../fields/common.ts';
import { described, flag } from '../fields/fields.ts';
import { nextCursor } from '../fields/query.ts';
import { secretKey } from '../fields/secrets.ts';
import { secretShape } from '../shapes/secrets.ts';

const remark = z.object({ line: count('Line number, starting at 1.'), message: anyText });

const lastReadShape = z.nullable(
  described(
    z.object({ at: time('When it was read.'), apiKeyId: anyText, apiKeyName: anyText }),
    'Its last read within the last 30 days, or `null`.',
  ),
);

const secretRow = z.extend(secretShape, {
  lastRead: lastReadShape,
  readers: count('How many API keys received it within the last 30 days.'),
  forgottenIn: strings(
    'Of the listed environments, those that lack the key though it was read in a neighbouring one within the last 30 days.',
  ),
});

/** An API key that can read a secret, or did so recently. */
export const secretReader = z.object({
  apiKeyId: anyText,
  apiKeyName: anyText,
  allowed: flag('Whether the key can read the secret now.'),
  reads: count('How many of its reads within the last 30 days returned the secret.'),
  lastAt: z.nullable(time('The last of them, or `null`.')),
  number: z.nullable(count('Number of the value it received last, or `null` if unknown.')),
});

/** A value that can be rolled back to. */
const earlierValueShape = z.object({
  number: count('Number of the value.'),
  changedAt: time('When it became the current value.'),
  changedBy: operator('Who set it.'),
  replacedAt: time('When it was replaced.'),
});

const deletedSecret = z.extend(secretShape, {
  deletedAt: time('When it was deleted.'),
  deletedBy: operator('Who deleted it.'),
  restorableUntil,
});

export const secrets = {
  'vault-get-secrets': {
    reply: described(
      z.record(anyText, anyText),
      'One property per secret: its name is the key, its value the value.',
    ),
    description:
      'Returns all secrets of an environment (`default` unless `environment` names another), the secret with the given `key`, or the secrets that have all of `tags`. With both, both must match. If `key` is unknown or its secret lacks a tag, the error is `secret_not_found`; if `tags` alone match nothing, the result is an empty object, or with `nonEmpty` the same error: use it where an empty result would delete values, as in a copy of the secrets elsewhere. A field that is not a filter, or a filter that is `null`, is an error, so that a mistyped filter never releases the whole vault; only `source` and `metaProperties` are ignored. An API key with a tag restriction sees only the secrets that have all of its tags; for this key, no others exist. The reply is complete and from a single revision of the vault, and it is sent only after the read is recorded in the audit log. While an administrator has stopped serving secrets, every call gets `vault_stopped`: this is not an outage, so do not use a copy.',
    examples: [
      {
        summary: 'Everything',
        body: {},
        res: { DATABASE_URL: 'postgres://app@db/app', OPENAI_API_KEY: 'sk-sample' },
      },
      {
        summary: 'One secret',
        body: { key: 'DATABASE_URL' },
        res: { DATABASE_URL: 'postgres://app@db/app' },
      },
      { summary: 'By tags', body: { tags: ['sample', 'llm'] }, res: { OPENAI_API_KEY: 'sk-sample' } },
      {
        summary: 'By tags, and never nothing',
        body: { tags: ['sample'], nonEmpty: true },
        res: { DATABASE_URL: 'postgres://app@db/app', OPENAI_API_KEY: 'sk-sample' },
      },
    ],
  },
  'secrets-list': {
    reply: {
      secrets: z.array(secretRow),
      total: count('Number of matching secrets across all pages.'),
      tags: strings('All tags in use, as far as they fit into the reply.'),
      cursor: nextCursor,
    },
    description:
      'One page of secrets, without values, with the last read of each. `environment=*` lists those of all environments. `sort=gaps` lists a key with its secrets in all of them as soon as one matches, and begins with the keys that are probably forgotten in an environment, then those that one lacks.',
  },
  'secrets-create': {
    reply: { secret: secretShape },
    description: "The value is encrypted to the vault's public key. No operation for operators returns it.",
  },
  'secrets-import': {
    reply: {
      stored: flag('Whether the secrets were stored. `false` only in a dry run.'),
      created: arrayOf(secretKey, 'Keys of new secrets.'),
      updated: arrayOf(secretKey, 'Keys of secrets that get a new value.'),
      assignments: arrayOf(
        z.object({
          line: count('Line number, starting at 1.'),
          key: secretKey,
          isNew: flag('Whether it is a new secret.'),
        }),
        'Each assignment with the line it begins on. Only in a dry run.',
      ),
      problems: arrayOf(remark, 'The errors in the text, line by line. Only in a dry run.'),
      notes: arrayOf(
        remark,
        'The lines that are imported although other readers of `.env` files read them differently.',
      ),
      widened: strings(
        'Names of API keys that could then read secrets which they cannot read now. Only in a dry run.',
      ),
    },
    description:
      'All or nothing: a text with errors is rejected, and the error names each line; `skipLines` leaves lines out. Comments, blank lines, `export`, and values in single, double or back quotes, including multi-line values, are read as dotenv reads them. What dotenv would skip or cut short is an error here, such as `PASSWORD=#1`, and so is a key that appears twice. What other readers expand or read differently, such as `$NAME`, is kept as written and has a note. A new key becomes a new secret; an existing key gets a new value. Tags that would let API keys with a tag restriction read existing secrets need an administrator, with `confirm=true`.',
  },
  'secrets-get': {
    reply: {
      secret: secretShape,
      lastRead: lastReadShape,
      values: z.array(earlierValueShape),
      readers: arrayOf(
        secretReader,
        'The API keys that can read it, or did so within the last 30 days. Most recent reader first.',
      ),
    },
    description:
      'Everything except its value, and the numbers and times of the earlier values that it can be rolled back to, most recent first.',
  },
  'secrets-update': {
    reply: { secret: secretShape },
    description:
      'Changes its value, its tags, its note or the day by which it must be rotated, or records that old credentials are switched off. The previous value is kept, as are up to ten earlier values. Tags that would let API keys with a tag restriction read the secret for the first time need an administrator, with `confirm=true`; the error names the keys.',
    request: { body: { tags: ['database'], expectedTags: [] } },
  },
  'secrets-delete': {
    reply: { secretId, key: secretKey, restorableUntil },
    description: 'The next read no longer finds the secret. It can be restored for seven days.',
  },
  'secrets-rollback': {
    reply: { secret: secretShape },
    description:
      'Makes an earlier value current again under its own number, without showing it to anyone. The value it replaces is kept as an earlier value.',
  },
  'secrets-restore': {
    reply: { secret: secretShape },
    description:
      'Restores the secret within seven days of its deletion. Fails while another secret has the same key. If API keys with a tag restriction were created since then that could read it, only an administrator can restore it, with `confirm=true`.',
  },
  'secrets-list-deleted': {
    reply: { secrets: z.array(deletedSecret), cursor: nextCursor },
    description: 'Most recently deleted first, without values.',
  },
};
