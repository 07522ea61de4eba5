import { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { openInstance, type TestInstance } from '../../support/instance.ts';
import { testKeySecurity } from '../../support/key-security.ts';
import { testMalformed } from '../../support/malformed.ts';
import { changeAt } from '../../support/table.ts';

let instance: TestInstance;
beforeAll(async () => {
  instance = await openInstance();
  await createPrompt(instance.table, changeAt(), {
    name: 'known',
    prompt: 'x',
    tags: [],
    metaProperties: {},
    note: '',
  });
});
afterAll(() => instance.stop());

describe('API keys', () => testKeySecurity(promptGetCompiled, () => instance, { name: 'known' }));
describe('malformed bodies', () => testMalformed(promptGetCompiled, () => instance));
