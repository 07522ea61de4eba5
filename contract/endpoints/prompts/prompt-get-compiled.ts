import * as z from 'zod/mini';
import { endpoint } from '../../endpoint.ts';
import { described, flag, freeObject, label, promptId, promptName, version } from '../../fields/fields.ts';
import { LIMITS } from '../../limits.ts';
import { onTable } from '../../table.ts';

const body = z
  .object(
    {
      name: z.optional(promptName),
      promptId: z.optional(promptId),
      id: z.optional(described(promptId, 'Another spelling of `promptId`.')),
      version: z.optional(version),
      label: z.optional(label),
      shouldCompile: z.optional(
        flag(
          'When `true`, the reply contains `compiledPrompt`: the template with its placeholders replaced.',
        ),
      ),
      variables: z.optional(
        freeObject(
          'Values for the placeholders, by name. Without a value, the declared default applies. Strings are inserted as they are, numbers and booleans as JSON, objects and arrays as compact JSON; `null` counts as absent.',
        ),
      ),
      strict: z.optional(
        flag(
          'When `true`, compiling fails with `missing_variables` if a variable has neither a value nor a default, and with `invalid_variables` if a value does not fit the declared type or enum.',
        ),
      ),
      metaProperties: z.optional(
        freeObject("Stored with this call in the prompt's access history.", LIMITS.requestMetadataBytes),
      ),
    },
    'must be a JSON object, such as {"name": "greeting"}',
  )
  .check(
    z.refine(
      ({ id, promptId }) => id === undefined || promptId === undefined || id === promptId,
      'Send either "promptId" or "id", not two different values.',
    ),
    z.refine(
      ({ name, promptId, id }) => (name === undefined) !== ((promptId ?? id) === undefined),
      'Send exactly one of "name" and "promptId".',
    ),
    z.refine(
      ({ version, label }) => version === undefined || label === undefined,
      'Send at most one of "version" and "label".',
    ),
  );

/** What every fetch of a prompt needs, also one that takes no tokens. */
export const FETCH = [
  onTable('BatchGetItem', 'apiKey', 'prompt'),
  onTable('GetItem', 'prompt'),
  onTable('PutItem', 'access', 'failed', 'entryShards', 'auditRefusal'),
];

export const promptGetCompiled = endpoint({
  id: 'prompt-get-compiled',
  route: { method: 'POST', path: '/api/prompt/get-compiled' },
  access: { kind: 'api-key', permission: 'prompts' },
  body,
  nullFields: 'absent',
  exactNumbers: true,
  errors: [
    'missing_variables',
    'invalid_variables',
    'prompt_not_found',
    'version_not_found',
    'label_not_found',
    'reply_too_large',
  ],
  grants: [onTable('GetItem', 'issuerKeys'), ...FETCH],
  summary: 'Fetch a prompt, optionally compiled',
});
