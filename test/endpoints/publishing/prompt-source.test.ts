import { documentationOf } from '../../../contract/documentation.ts';
import { promptSource } from '../../../contract/endpoints/publishing.ts';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { auditOf } from '../../support/rows/audit.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { lastUseOf, usageOf } from '../../support/rows/usage.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

test('they come as their authors wrote them, are no use of the prompts, and leave an audit entry for each, and an event', async () => {
  const folder = uniqueName('sources');
  await createPrompt(instance.table, changeAt(), { ...content('Hello'), name: `${folder}/a` });
  const { apiKey, keyId } = await instance.newKey({ permissions: ['publish'], prompts: [`${folder}/*`] });
  const name = `${folder}/chat`;
  const chat = { type: 'chat', messages: [{ role: 'user', content: 'Hi {{user}}' }], tags: ['x'] };
  await instance.post('/api/prompt/publish', { name, content: chat, base: null, note: 'First' }, apiKey);
  const ask = (asked: readonly string[]) => instance.post('/api/prompt/source', { names: asked }, apiKey);
  const { json } = await ask([name, `${folder}/a`]);
  expect(documentationOf(promptSource).reply.parse(json.res)).toEqual(json.res);
  expect(json.res.prompts).toMatchObject([
    { name, version: '1.0.0', note: 'First', content: { ...chat, metaProperties: {} } },
    { name: `${folder}/a`, content: { prompt: 'Hello', tags: [], metaProperties: {} } },
  ]);
  const entries = (await auditOf(instance, 'change', keyId)).filter(
    ({ action }) => action === 'prompt.export',
  );
  expect(entries.map(({ subject, details }) => [subject, details.version]).sort()).toEqual(
    [name, `${folder}/a`].map((each) => [promptIdOf(each), '1.0.0']).sort(),
  );
  await instance.settled();
  expect(await usageOf(instance.table, promptIdOf(name), 1, new Date())).toEqual([]);
  expect(await lastUseOf(instance.table, keyId)).toBeDefined();
  expect((await ask([name, `${folder}/absent`])).code).toBe('prompt_not_found');
  expect((await ask(['elsewhere', `${folder}/a`])).code).toBe('forbidden');
  expect((await auditOf(instance, 'refusal', keyId)).map(({ details }) => details.asked)).toEqual([
    `elsewhere, ${folder}/a`,
  ]);
});
