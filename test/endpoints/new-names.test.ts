import type { Endpoint } from '../../contract/endpoint.ts';
import { keysCreate } from '../../contract/endpoints/api-keys/keys-create.ts';
import { promptsCreate } from '../../contract/endpoints/prompts/prompts-create.ts';
import { secretsCreate } from '../../contract/endpoints/secrets/secrets-create.ts';
import { refused, type Sent } from '../support/admin.ts';
import { instance, withOwnInstance } from '../support/shared/instance.ts';

withOwnInstance();

const LOOKS_LIKE = 'APP\u200b';

const NEW: readonly (readonly [string, Endpoint, () => Sent])[] = [
  ['a prompt', promptsCreate, () => ({ body: { name: LOOKS_LIKE, prompt: 'x' } })],
  ['a secret', secretsCreate, () => ({ body: { key: LOOKS_LIKE, value: 'x' } })],
  ['an API key', keysCreate, () => ({ body: { name: LOOKS_LIKE, permissions: ['prompts'] } })],
];

test.each(NEW)('a name of %s with confusable characters is rejected', async (_, endpoint, sent) => {
  expect(await refused(instance, endpoint, 'invalid_request', sent())).toContain('U+200B');
});
