import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { inParallel } from '../../../lambdas/core/parallel.ts';
import { isLive, readPromptHead } from '../../../lambdas/store/prompts/head.ts';
import { createPrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { ask, refused } from '../../support/admin.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { fetchPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

const create = (name: string, keyId?: string) =>
  createPrompt(instance.table, changeAt(), { ...content('x'), name, ...(keyId && { creator: { keyId } }) });
const lives = async (name: string) => isLive(await readPromptHead(instance.table, promptIdOf(name)));
const remove = (body: object) => ask(instance, 'prompts-delete-several', { body });

test('two hundred prompts of a key are deleted call by call, also after an interruption, those in use once confirmed', async () => {
  const folder = uniqueName('flood');
  const key = { permissions: ['publish'] as const, prompts: [`${folder}/*`] };
  const { apiKey, keyId } = await instance.newKey(key);
  const names = Array.from({ length: 200 }, (_, i) => `${folder}/${String(i).padStart(3, '0')}`);
  const [operators, used = '', published = ''] = [`${folder}/100a`, names[7], names[25]];
  await inParallel(names, (name) => create(name, keyId));
  await create(operators);
  const user = await fetchPrompt(instance, promptIdOf(used));
  const which = { createdByKey: keyId };
  await refused(instance, 'prompts-delete-several', 'forbidden', { body: which, groups: ['editor'] });

  const first = await remove(which);
  expect(first).toMatchObject({ left: 180, more: false, cursor: names[19] });
  expect(first.deleted.map(({ name }: { name: string }) => name)).toEqual(
    names.slice(0, 20).filter((name) => name !== used),
  );
  expect(first.kept).toEqual([
    {
      ...{ promptId: promptIdOf(used), name: used, code: 'in_use' },
      message: expect.stringContaining(`once with the key "web" (${user.keyId})`),
    },
  ]);
  // A job publishes what is being deleted: before, or it is told that an operator decides.
  const publish = (base: string | null) =>
    instance.post('/api/prompt/publish', { name: published, base, content: { prompt: 'y' } }, apiKey);
  const [second, job] = await Promise.all([remove({ ...which, cursor: first.cursor }), publish('1.0.0')]);
  expect(second.deleted).toHaveLength(20);
  expect([200, 409]).toContain(job.status);
  expect((await publish(null)).code).toBe('restorable');

  // Without a cursor, as after a closed window: it begins with what exists.
  const pages = [await remove(which)];
  expect(pages[0]).toMatchObject({ kept: [{ name: used }], left: 141 });
  while (pages.at(-1).cursor !== undefined)
    pages.push(await remove({ ...which, cursor: pages.at(-1).cursor }));
  expect(pages).toHaveLength(9);
  expect(await Promise.all(names.map(lives))).toEqual(names.map((name) => name === used));
  expect(await remove({ ...which, confirm: true })).toMatchObject({
    ...{ deleted: [{ name: used }], kept: [], left: 0, more: false },
  });
  expect(await remove(which)).toEqual({ deleted: [], kept: [], left: 0, more: false });
  expect(await lives(operators)).toBe(true);
  const entries = (await changesBy(instance, ['admin'])).filter(({ action }) => action === 'prompt.delete');
  expect(entries.filter(({ name }) => names.includes(name))).toHaveLength(200);
  await ask(instance, 'prompts-restore', { params: { promptId: promptIdOf(used) } });
  expect(await lives(used)).toBe(true);
});

test('a folder is deleted with its subfolders, and nothing outside it, whatever the cursor', async () => {
  const folder = uniqueName('folder');
  const [inside, outside] = [
    [`${folder}/a`, `${folder}/deep/b`],
    [`${folder}-other/a`, `${folder}`],
  ];
  for (const name of [...inside, ...outside]) await create(name);
  expect(await remove({ folder, cursor: folder.slice(0, -1) })).toMatchObject({
    ...{ deleted: inside.map((name) => ({ name })), left: 0, more: false },
  });
  expect(await Promise.all([...inside, ...outside].map(lives))).toEqual([false, false, true, true]);
  for (const body of [{}, { folder, createdByKey: 'k' }])
    expect(await refused(instance, 'prompts-delete-several', 'invalid_request', { body })).toContain(
      'either "folder" or "createdByKey"',
    );
});
