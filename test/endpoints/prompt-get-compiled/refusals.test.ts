import { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { testKeySecurity } from '../../support/key-security.ts';
import { testMalformed } from '../../support/malformed.ts';
import { content } from '../../support/prompts.ts';
import { type SharedInstance, sharedInstance } from '../../support/shared/instance.ts';
import { changeAt } from '../../support/table.ts';
import { uniqueName } from '../../support/unique-name.ts';

const NAME = uniqueName('known');

let instance: SharedInstance;
beforeAll(async () => {
  instance = await sharedInstance();
  await createPrompt(instance.table, changeAt(), { name: NAME, ...content('x') });
});

describe('API keys', () => testKeySecurity(promptGetCompiled, () => instance, { name: NAME }));
describe('malformed bodies', () => testMalformed(promptGetCompiled, () => instance));
