import { promptGetCompiled } from '../../../contract/endpoints/prompts/prompt-get-compiled.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { testKeySecurity } from '../../support/scenarios/key-security.ts';
import { testMalformed } from '../../support/scenarios/malformed.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

const NAME = uniqueName('known');

withSharedInstance();
beforeAll(async () => {
  await createPrompt(instance.table, changeAt(), { name: NAME, ...content('x') });
});

describe('API keys', () => testKeySecurity(promptGetCompiled, () => instance, { name: NAME }));
describe('malformed bodies', () => testMalformed(promptGetCompiled, () => instance));
