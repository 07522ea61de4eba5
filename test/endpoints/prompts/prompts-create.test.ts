import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { ask, refused } from '../../support/admin.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { changeAt } from '../../support/rows/table.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

let count = 0;
const named = (rest: object = {}) => ({ name: `new ${++count}`, prompt: 'Hello {{user}}', ...rest });

test('a prompt starts at version 1.0.0, and the audit log records who created it', async () => {
  const body = named({ tags: ['a', 'a', 'b'], metaProperties: { n: 1e300 }, note: 'first' });
  const { prompt } = await ask(instance, 'prompts-create', { body, groups: ['editor'] });
  expect(prompt).toMatchObject({
    promptId: promptIdOf(body.name),
    name: body.name,
    ...{ latest: '1.0.0', versions: 1, labels: [], tags: ['a', 'b'], excerpt: 'Hello {{user}}\nfirst' },
    ...{ createdBy: 'editor@example.com', changedBy: 'editor@example.com' },
  });
  expect(await changesBy(instance, ['editor'])).toContainEqual(
    expect.objectContaining({
      action: 'prompt.create',
      subject: prompt.promptId,
      name: body.name,
      details: { version: '1.0.0' },
    }),
  );
});

test('a label can point to the first version from the start', async () => {
  const { prompt } = await ask(instance, 'prompts-create', { body: named({ label: 'production' }) });
  expect(prompt.labels).toEqual([{ label: 'production', version: '1.0.0' }]);
  await refused(instance, 'prompts-create', 'invalid_request', { body: named({ label: 'latest' }) });
});

test('the first version can be chosen', async () => {
  const { prompt } = await ask(instance, 'prompts-create', { body: named({ version: '0.3.0' }) });
  expect(prompt.latest).toBe('0.3.0');
});

test('a name in use is rejected; after its deletion it restarts at the next major version', async () => {
  const body = named();
  const { prompt } = await ask(instance, 'prompts-create', { body });
  expect(await refused(instance, 'prompts-create', 'name_taken', { body })).toContain(body.name);
  await deletePrompt(instance.table, changeAt(), prompt.promptId);
  expect(await refused(instance, 'prompts-create', 'restorable', { body })).toContain('restored until');
  const again = { ...body, version: '1.0.0', overDeleted: true };
  expect(await refused(instance, 'prompts-create', 'version_taken', { body: again })).toContain('1.0.0');
  const { prompt: next } = await ask(instance, 'prompts-create', { body: { ...body, overDeleted: true } });
  expect(next.latest).toBe('2.0.0');
});
