import { EDITOR, FEW_ROWS, LIST_KEYS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { inEnvironment, strictFields, tags } from '../../fields/fields.ts';

export const secretsPreviewReaders = endpoint({
  id: 'secrets-preview-readers',
  route: { method: 'POST', path: `${PATHS.secrets}/readers` },
  access: EDITOR,
  body: strictFields(
    { ...inEnvironment, tags: tags('Tags of a secret.') },
    { error: 'The body must be a JSON object, such as {"tags": ["llm"]}.' },
  ),
  errors: [],
  ...FEW_ROWS,
  grants: LIST_KEYS,
  summary: 'List the API keys that could read a secret with these tags',
});
