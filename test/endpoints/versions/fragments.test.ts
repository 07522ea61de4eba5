import { contentHash } from '../../../contract/content/hash.ts';
import { ask, refused } from '../../support/admin.ts';
import { auditOf } from '../../support/rows/audit.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

const groups = ['editor'];
const create = async (body: object) => {
  const name = uniqueName('shared/text');
  const { prompt } = await ask(instance, 'prompts-create', { body: { name, ...body }, groups });
  return { name, promptId: prompt.promptId };
};
const including = (name: string, version = '1.0.0') => ({
  prompt: `{{> "${name}"}} {{> "other"}}`,
  includes: [`${name}@${version}`],
});

const fetched = async (name: string, body: object = {}) => {
  const { apiKey } = await instance.newKey({ name: 'web', permissions: ['prompts'] });
  return (await instance.post('/api/prompt/get-compiled', { name, ...body }, apiKey)).json.res;
};

test('readers get the expansion, editors what they wrote, and the hash is that of what they wrote', async () => {
  const fragment = { prompt: 'Be {{tone}}.', variables: { tone: { type: 'string', default: 'kind' } } };
  const { name } = await create(fragment);
  const written = including(name);
  const outer = await create(written);
  const { version } = await ask(instance, 'versions-get', {
    params: { promptId: outer.promptId, version: '1.0.0' },
  });
  const hash = await contentHash(written);
  expect(version).toMatchObject({ ...written, expanded: 'Be {{tone}}. {{> "other"}}', contentHash: hash });
  expect([version.variables, version.expandedVariables]).toEqual([undefined, fragment.variables]);
  const reply = await fetched(outer.name, { shouldCompile: true });
  expect(reply).toMatchObject({
    prompt: 'Be {{tone}}. {{> "other"}}',
    compiledPrompt: 'Be kind. {{> "other"}}',
    variables: fragment.variables,
    includes: [{ name, version: '1.0.0', contentHash: await contentHash(fragment as { prompt: string }) }],
  });
  expect(Object.keys(reply)).not.toContain('authored');
});

test('a chat includes fragments in its messages', async () => {
  const { name } = await create({ prompt: 'Be "kind".' });
  const { prompt: content, includes } = including(name);
  const chat = await create({ type: 'chat', messages: [{ role: 'system', content }], includes });
  const messages = [{ role: 'system', content: 'Be "kind". {{> "other"}}' }];
  expect(await fetched(chat.name)).toMatchObject({ messages, prompt: JSON.stringify(messages) });
});

test('what does not exist, a chat, and what is more than five deep cannot be included', async () => {
  const chat = await create({ type: 'chat', messages: [{ role: 'user', content: 'x' }] });
  let { name } = await create({ prompt: 'x' });
  const sentence = (body: object) =>
    refused(instance, 'prompts-create', 'invalid_request', { body: { name: uniqueName('x'), ...body } });
  expect(await sentence(including(name, '1.0.1'))).toContain(`"${name}@1.0.1", but there is no such version`);
  expect(await sentence(including('missing'))).toContain('there is no such version');
  expect(await sentence(including(chat.name))).toContain('which is a chat');
  for (let depth = 1; depth <= 5; depth++) ({ name } = await create(including(name)));
  expect(await sentence(including(name))).toContain('at most 5 deep');
});

test('a key with patterns cannot tell what it may not include from what does not exist', async () => {
  const { name } = await create({ prompt: 'secret' });
  const own = uniqueName('own');
  const publish = async (included: string, prompts: string[]) => {
    const { apiKey, keyId } = await instance.newKey({ name: 'ci', permissions: ['publish'], prompts });
    const body = { name: own, content: including(included), base: null, dryRun: true };
    const { json } = await instance.post('/api/prompt/publish', body, apiKey);
    return { ...json, refusals: await auditOf(instance, 'refusal', keyId) };
  };
  const sentences = [name, `${name}x`].map(async (each) =>
    (await publish(each, [own])).err.replaceAll(each, ''),
  );
  const [hidden, missing] = await Promise.all(sentences);
  expect(hidden).toBe(missing);
  expect(hidden).toContain('no such version');
  expect((await publish(name, [own])).refusals).toMatchObject([
    { details: { reason: 'include', asked: `${own}, includes ${name}@1.0.0` } },
  ]);
  expect((await publish(name, [own, name])).res).toMatchObject({ created: true });
});

test('what a latest or labelled version includes is deleted only with confirmation', async () => {
  const { name, promptId } = await create({ prompt: 'x' });
  const newer = { params: { promptId }, body: { prompt: 'y', bump: 'major' }, groups };
  await ask(instance, 'versions-publish', newer);
  const outer = await create({ ...including(name), label: 'production' });
  await ask(instance, 'versions-publish', {
    params: { promptId: outer.promptId },
    body: { prompt: 'z', bump: 'major' },
    groups,
  });
  const params = { promptId, version: '1.0.0' };
  expect(await refused(instance, 'versions-delete', 'in_use', { params })).toContain(
    `is included by version 1.0.0 of "${outer.name}"`,
  );
  await refused(instance, 'prompts-delete', 'in_use', { params: { promptId } });
  await ask(instance, 'versions-delete', { params: { promptId, version: '2.0.0' } });
  await ask(instance, 'prompts-delete', { params: { promptId }, query: { confirm: true } });
  expect(await fetched(outer.name, { label: 'production' })).toMatchObject({ prompt: 'x {{> "other"}}' });
});
