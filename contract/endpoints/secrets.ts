import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { oneOf, revision } from '../fields/common.ts';
import { described, flag, listOf, longText, strictFields, tag, tags } from '../fields/fields.ts';
import { choice, confirmAccess, order, paging, search, utcDay, utcDayOrNone } from '../fields/query.ts';
import { environmentOrAll, inEnvironment, secretKey, secretValue } from '../fields/secrets.ts';
import {
  CHANGE_VAULT,
  ENCRYPT_VALUES,
  GUARD_ACCESS,
  LIST_KEYS,
  READ_VAULT,
  READ_VAULT_USE,
  REPLACE_VALUE,
} from '../functions/shared-grants.ts';
import { LIMITS } from '../limits.ts';
import { onTable } from '../table.ts';
import { editor, MANY_ROWS, PATHS, viewer } from './for-operators.ts';

export const secretsList = endpoint({
  id: 'secrets-list',
  ...viewer('GET', PATHS.secrets),
  query: strictFields({
    environment: z.optional(
      described(environmentOrAll, 'The environment whose secrets are meant; `*` means all. @default default'),
    ),
    q: z.optional(search('Only secrets whose key or tags contain this text.')),
    tag: z.optional(tag),
    read: z.optional(
      choice(
        'Only secrets that were read within the last 30 days, or only those that were not although they are older.',
      ),
    ),
    rotateBy: z.optional(utcDay('Only secrets that need a new value by this day (UTC) or an earlier one.')),
    unfinished: z.optional(
      choice(
        'Only secrets with a new value and no record that the credential in the earlier one is disabled, or only the others.',
      ),
    ),
    sort: z._default(oneOf(['key', 'changed', 'read', 'gaps'], 'What the list is sorted by.'), 'key'),
    order,
    ...paging,
  }),
  errors: ['environment_not_found'],
  ...MANY_ROWS,
  grants: [READ_VAULT, ...READ_VAULT_USE, LIST_KEYS],
  summary: 'List secrets',
});

export const secretsCreate = endpoint({
  id: 'secrets-create',
  ...editor('POST', PATHS.secrets),
  body: strictFields({
    ...inEnvironment,
    key: secretKey,
    value: secretValue,
    tags: z.optional(tags('Tags of the secret.')),
  }),
  errors: ['environment_not_found', 'secret_key_taken', 'vault_full', 'changed_meanwhile'],
  grants: [...CHANGE_VAULT, ENCRYPT_VALUES],
  summary: 'Store a secret',
});

export const secretsImport = endpoint({
  id: 'secrets-import',
  ...editor('POST', `${PATHS.secrets}/import`),
  query: strictFields({ confirm: confirmAccess }),
  body: strictFields({
    ...inEnvironment,
    text: described(z.string('must be a string'), 'Secrets in the format of a `.env` file.'),
    tags: z.optional(tags('Tags to add to each of the secrets.')),
    skip: z.optional(listOf(secretKey, LIMITS.vaultSecrets, 'Keys in the text that are not imported.')),
    skipLines: z.optional(
      listOf(
        z.int('must be line numbers'),
        LIMITS.vaultSecrets,
        'Numbers of lines that are not imported, such as those with errors.',
      ),
    ),
    dryRun: z.optional(flag('When `true`, nothing is stored; the reply shows what an import would do.')),
  }),
  bodyBytes: LIMITS.importBytes,
  errors: ['environment_not_found', 'invalid_env', 'would_widen_access', 'vault_full', 'changed_meanwhile'],
  memoryMb: 1769,
  timeoutSeconds: 29,
  grants: [...CHANGE_VAULT, ...GUARD_ACCESS, ENCRYPT_VALUES, REPLACE_VALUE],
  summary: 'Import secrets from a .env text',
});

export const secretsGet = endpoint({
  id: 'secrets-get',
  ...viewer('GET', PATHS.secret),
  query: strictFields(inEnvironment),
  errors: ['environment_not_found', 'secret_not_found'],
  ...MANY_ROWS,
  grants: [READ_VAULT, onTable('Query', 'secret'), ...READ_VAULT_USE, LIST_KEYS],
  summary: 'Fetch the details of a secret',
});

const body = strictFields({
  ...inEnvironment,
  value: z.optional(secretValue),
  tags: z.optional(tags('The new tags of the secret.')),
  number: z.optional(
    revision('The number of the value as you last read it. The request fails if another value is current.'),
  ),
  expectedTags: z.optional(
    tags('The tags as you last read them, in any order. The request fails if they have changed.'),
  ),
  note: z.optional(longText(LIMITS.secretNoteBytes, 'A note for operators. Empty removes it.')),
  rotateBy: z.optional(
    utcDayOrNone('The day (UTC) by which the secret needs a new value. Empty removes it.'),
  ),
  switchedOffUpTo: z.optional(
    revision(
      'Records that the credentials in the values up to this number are switched off. It must be below the number of the current value; with `value`, below the new one.',
    ),
  ),
}).check(
  z.refine(
    ({ environment: _environment, number: _number, expectedTags: _tags, ...changes }) =>
      Object.values(changes).some((change) => change !== undefined),
    'Send at least one of "value", "tags", "note", "rotateBy" and "switchedOffUpTo".',
  ),
);

export const secretsUpdate = endpoint({
  id: 'secrets-update',
  ...editor('PATCH', PATHS.secret),
  query: strictFields({ confirm: confirmAccess }),
  body,
  errors: [
    'environment_not_found',
    'secret_not_found',
    'would_widen_access',
    'vault_full',
    'changed_meanwhile',
  ],
  grants: [...CHANGE_VAULT, ...GUARD_ACCESS, ENCRYPT_VALUES, REPLACE_VALUE],
  summary: 'Change a secret',
});

export const secretsDelete = endpoint({
  id: 'secrets-delete',
  ...editor('DELETE', PATHS.secret),
  query: strictFields(inEnvironment),
  errors: ['environment_not_found', 'secret_not_found', 'changed_meanwhile'],
  grants: CHANGE_VAULT,
  summary: 'Delete a secret',
});

export const secretsRollback = endpoint({
  id: 'secrets-rollback',
  ...editor('POST', `${PATHS.secret}/rollback`),
  body: strictFields({
    ...inEnvironment,
    number: revision('The number of the earlier value.'),
    current: z.optional(
      revision('The number of the value as you last read it. The request fails if another value is current.'),
    ),
  }),
  errors: ['environment_not_found', 'secret_not_found', 'value_not_found', 'vault_full', 'changed_meanwhile'],
  grants: [...CHANGE_VAULT, onTable('GetItem', 'secret'), REPLACE_VALUE, onTable('GetItem', 'vaultKey')],
  summary: 'Roll a secret back to an earlier value',
});

export const secretsRestore = endpoint({
  id: 'secrets-restore',
  ...editor('POST', `${PATHS.secret}/restore`),
  query: strictFields({ ...inEnvironment, confirm: confirmAccess }),
  errors: [
    'environment_not_found',
    'secret_not_found',
    'not_deleted',
    'secret_key_taken',
    'would_widen_access',
    'vault_full',
    'changed_meanwhile',
  ],
  grants: [...CHANGE_VAULT, ...GUARD_ACCESS, onTable('GetItem', 'vaultKey')],
  summary: 'Restore a deleted secret',
});

export const secretsListDeleted = endpoint({
  id: 'secrets-list-deleted',
  ...viewer('GET', '/api/admin/deleted-secrets'),
  query: strictFields({
    ...inEnvironment,
    secretId: z.optional(search('Only the secret with this id, if it is deleted and can be restored.')),
    ...paging,
  }),
  errors: ['environment_not_found'],
  ...MANY_ROWS,
  grants: [READ_VAULT, onTable('Query', 'vault')],
  summary: 'List deleted secrets that can be restored',
});
