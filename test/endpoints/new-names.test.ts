import type { Endpoint } from '../../contract/endpoint.ts';
import { keysCreate } from '../../contract/endpoints/api-keys.ts';
import { promptsCreate } from '../../contract/endpoints/prompts.ts';
import { secretsCreate } from '../../contract/endpoints/secrets.ts';
import { refused } from '../support/admin.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';

withSharedInstance();

const LOOKS_LIKE = 'APP\u200b';

test.each<[string, Endpoint, object]>([
  ['a prompt', promptsCreate, { name: LOOKS_LIKE, prompt: 'x' }],
  ['a secret', secretsCreate, { key: LOOKS_LIKE, value: 'x' }],
  ['an API key', keysCreate, { name: LOOKS_LIKE, permissions: ['prompts'] }],
])('a name of %s with confusable characters is rejected', async (_, endpoint, body) => {
  expect(await refused(instance, endpoint, 'invalid_request', { body })).toContain('U+200B');
});
