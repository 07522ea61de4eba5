import { LIMITS } from '../../../contract/limits.ts';
import { requireIncludable } from '../../../lambdas/core/api-keys/publishing.ts';
import type { ApiKey } from '../../../lambdas/core/api-keys/rules.ts';
import { withFragments } from '../../../lambdas/store/prompts/fragments.ts';
import { exportLatest } from '../../../lambdas/store/prompts/listing.ts';
import { countingCalls } from '../../support/aws/intercept.ts';
import { content, newPrompt } from '../../support/rows/prompts.ts';
import { changeAt, expectRefused, table, withTestTable } from '../../support/rows/table.ts';

withTestTable();

const readsOf = () => countingCalls(table, (operation) => operation === 'GetCommand');

test('an export reads head and version of each prompt up to the first that does not fit or exist, and none after it', async () => {
  const large = 'x'.repeat(LIMITS.templateBytes);
  const names = Array.from({ length: LIMITS.exportedPrompts }, (_, i) => `exported ${i}`);
  for (const name of names) await newPrompt(table, { prompt: large, name });
  const page = readsOf();
  const found = await exportLatest(page.counted, changeAt(), names);
  expect(found.length).toBeLessThan(names.length);
  expect(page.calls).toHaveLength(2 * (found.length + 1));
  const absent = readsOf();
  await expectRefused(
    exportLatest(absent.counted, changeAt(), ['none', ...names.slice(1)]),
    'prompt_not_found',
  );
  expect(absent.calls).toHaveLength(1);
});

test('includes that a key may not see cost no read, and those after one that does not exist neither', async () => {
  const names = Array.from({ length: LIMITS.includes }, (_, i) => `fragment ${i}`);
  const includes = names.map((name) => ({ name, version: '1.0.0', contentHash: '' }));
  const written = { ...content('x'), includes };
  const refused = readsOf();
  const apiKey = { prompts: ['mine/*'] as readonly string[], permissions: ['publish'] } as unknown as ApiKey;
  await expectRefused(
    withFragments(refused.counted, written, (included) => requireIncludable(apiKey, included)),
    'invalid_request',
  );
  expect(refused.calls).toHaveLength(0);
  const absent = readsOf();
  await expectRefused(withFragments(absent.counted, written), 'invalid_request');
  expect(absent.calls).toHaveLength(2);
});
