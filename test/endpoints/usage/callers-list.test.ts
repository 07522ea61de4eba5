import { revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { createPrompt, deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { recordAccess } from '../../../lambdas/store/usage/accesses.ts';
import { ask } from '../../support/admin.ts';
import { content, newPrompt } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { accessOf, countUses } from '../../support/rows/usage.ts';
import { aPrompt, fetchPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test('each API key is listed by what it asks for: a label, a version, or the latest', async () => {
  const { promptId } = await aPrompt(instance);
  await setLabel(instance.table, changeAt(), promptId, 'production', '1.0.0');
  const web = await fetchPrompt(instance, promptId, { label: 'production', times: 3, name: 'web' });
  const job = await fetchPrompt(instance, promptId, { version: '1.1.0', times: 2, name: 'job' });
  const cli = await fetchPrompt(instance, promptId, { name: 'cli' });
  await revokeApiKey(instance.table, changeAt(), cli.keyId);
  const { callers, earlier } = await ask(instance, 'callers-list', { params: { promptId } });
  const lastAt = expect.any(String);
  expect(callers).toEqual([
    {
      ...{ apiKeyId: web.keyId, apiKeyName: 'web', asked: 'label', label: 'production' },
      ...{ version: '1.0.0', fetches: 3, compiled: 0, lastAt },
    },
    {
      ...{ apiKeyId: job.keyId, apiKeyName: 'job', asked: 'version' },
      ...{ version: '1.1.0', fetches: 2, compiled: 0, lastAt },
    },
    {
      ...{ apiKeyId: cli.keyId, apiKeyName: 'cli', asked: 'latest' },
      ...{ version: '1.1.0', fetches: 1, compiled: 0, lastAt, ended: 'revoked' },
    },
  ]);
  expect(earlier).toEqual([]);
});

test('variable names that callers send are recorded if the service compiles; values never are', async () => {
  const { promptId } = await aPrompt(instance);
  const variables = { user: 'a private value', tone: null, extra: 1 };
  await fetchPrompt(instance, promptId, { shouldCompile: true, variables, name: 'web' });
  await fetchPrompt(instance, promptId, { shouldCompile: true, name: 'sends none' });
  await fetchPrompt(instance, promptId, { variables, name: 'compiles itself' });
  const sent = { params: { promptId } };
  const { callers } = await ask(instance, 'callers-list', sent);
  const variablesOf = (name: string) =>
    callers.find(({ apiKeyName }: { apiKeyName: string }) => apiKeyName === name)?.variables;
  expect(variablesOf('web')).toEqual(['extra', 'user']);
  expect(variablesOf('sends none')).toEqual([]);
  expect(variablesOf('compiles itself')).toBeUndefined();
  expect(JSON.stringify(callers)).not.toContain('private');
});

test('only names that every compiled fetch sent count as sent', async () => {
  const { promptId } = await newPrompt(instance.table);
  const use = { promptId, at: new Date(), asked: 'latest' } as const;
  for (const sent of [{ variables: ['a', 'b'] }, { variables: ['b', 'c'] }, { compiled: false }])
    await recordAccess(instance.table, accessOf({ ...use, ...sent }));
  const sent = { params: { promptId } };
  expect((await ask(instance, 'callers-list', sent)).callers).toMatchObject([
    { fetches: 3, compiled: 2, variables: ['b'] },
  ]);
  await recordAccess(instance.table, accessOf(use));
  expect((await ask(instance, 'callers-list', sent)).callers[0]).not.toHaveProperty('variables');
});

test('an API key that appears only in the counters is included', async () => {
  const { promptId } = await aPrompt(instance);
  const { keyId } = await instance.newKey({ name: 'rare' });
  await countUses(instance.table, { promptId, version: '1.0.0', apiKeyId: keyId }, new Date());
  const { callers, earlier } = await ask(instance, 'callers-list', { params: { promptId } });
  expect(callers).toEqual([]);
  expect(earlier).toEqual([{ apiKeyId: keyId, apiKeyName: 'rare', fetches: 1 }]);
});

test('callers of a deleted prompt are not attributed to a new prompt of the same name', async () => {
  const { promptId, name } = await aPrompt(instance);
  await fetchPrompt(instance, promptId);
  await deletePrompt(instance.table, changeAt(), promptId);
  await createPrompt(instance.table, changeAt(), { ...content('again'), name, overDeleted: true });
  const { callers, earlier } = await ask(instance, 'callers-list', { params: { promptId } });
  expect([...callers, ...earlier]).toEqual([]);
});
