import { LIMITS } from '../../../contract/limits.ts';
import { requireIncludable } from '../../../lambdas/core/api-keys/publishing.ts';
import type { ApiKey } from '../../../lambdas/core/api-keys/rules.ts';
import { withFragments } from '../../../lambdas/store/prompts/fragments.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { exportLatest } from '../../../lambdas/store/prompts/listing.ts';
import { beforeEachCall } from '../../support/aws/intercept.ts';
import { content, failure } from '../../support/rows/prompts.ts';
import { changeAt, table, withTestTable } from '../../support/rows/table.ts';

withTestTable();

/** How many rows a table has read since. */
const readsOf = () => {
  let reads = 0;
  const counting = beforeEachCall(table, (operation) => {
    if (operation === 'GetCommand') reads++;
  });
  return { table: counting, reads: () => reads };
};

test('an export reads head and version of each prompt up to the first that does not fit or exist, and none after it', async () => {
  const large = 'x'.repeat(LIMITS.templateBytes);
  const names = Array.from({ length: LIMITS.exportedPrompts }, (_, i) => `exported ${i}`);
  for (const name of names) await createPrompt(table, changeAt(), { ...content(large), name });
  const page = readsOf();
  const found = await exportLatest(page.table, changeAt(), names);
  expect(found.length).toBeLessThan(names.length);
  expect(page.reads()).toBe(2 * (found.length + 1));
  const absent = readsOf();
  await expect(exportLatest(absent.table, changeAt(), ['none', ...names.slice(1)])).rejects.toMatchObject(
    failure('prompt_not_found'),
  );
  expect(absent.reads()).toBe(1);
});

test('includes that a key may not see cost no read, and those after one that does not exist neither', async () => {
  const names = Array.from({ length: LIMITS.includes }, (_, i) => `fragment ${i}`);
  const includes = names.map((name) => ({ name, version: '1.0.0', contentHash: '' }));
  const written = { ...content('x'), includes };
  const refused = readsOf();
  const apiKey = { prompts: ['mine/*'] as readonly string[], permissions: ['publish'] } as unknown as ApiKey;
  await expect(
    withFragments(refused.table, written, (included) => requireIncludable(apiKey, included)),
  ).rejects.toMatchObject(failure('invalid_request'));
  expect(refused.reads()).toBe(0);
  const absent = readsOf();
  await expect(withFragments(absent.table, written)).rejects.toMatchObject(failure('invalid_request'));
  expect(absent.reads()).toBe(2);
});
