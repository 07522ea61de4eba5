import * as z from 'zod/mini';
import {
  CHANGE_VAULT,
  EDITOR,
  ENCRYPT_VALUES,
  FEW_ROWS,
  GUARD_ACCESS,
  PATHS,
  REPLACE_VALUE,
} from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { inEnvironment, longText, revision, secretValue, strictFields, tags } from '../../fields/fields.ts';
import { confirmAccess, utcDayOrNone } from '../../fields/query.ts';
import { LIMITS } from '../../limits.ts';
import { ofSecret } from '../../shapes/common.ts';

const body = strictFields(
  {
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
        'Records that the credentials in the values up to this number are switched off. It must be below the number of the current value.',
      ),
    ),
  },
  { error: 'The body must be a JSON object, such as {"value": "…"} or {"tags": ["production"]}.' },
).check(
  z.refine(
    ({ environment: _environment, number: _number, expectedTags: _tags, ...changes }) =>
      Object.values(changes).some((change) => change !== undefined),
    { error: 'Send at least one of "value", "tags", "note", "rotateBy" and "switchedOffUpTo".' },
  ),
);

export const secretsUpdate = endpoint({
  id: 'secrets-update',
  route: { method: 'PATCH', path: PATHS.secret },
  access: EDITOR,
  params: ofSecret,
  query: strictFields({ confirm: confirmAccess }),
  body,
  errors: [
    'environment_not_found',
    'secret_not_found',
    'would_widen_access',
    'vault_full',
    'changed_meanwhile',
  ],
  ...FEW_ROWS,
  grants: [...CHANGE_VAULT, ...GUARD_ACCESS, ...ENCRYPT_VALUES, ...REPLACE_VALUE],
  summary: 'Change a secret',
});
