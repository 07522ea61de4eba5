import { contentHash } from '../../../contract/content/hash.ts';
import { ask, refused } from '../../support/admin.ts';
import { auditOf } from '../../support/rows/audit.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

const create = async (body: object) => {
  const name = uniqueName('shared/text');
  const { prompt } = await ask('prompts-create', { name, ...body }, 'editor');
  return { name, promptId: prompt.promptId };
};
const including = (name: string, version = '1.0.0') => ({
  prompt: `{{> "${name}"}} {{> "other"}}`,
  includes: [`${name}@${version}`],
});

const fetched = async (name: string, body: object = {}) =>
  (await instance.post('/api/prompt/get-compiled', { name, ...body })).json.res;

test('readers get the expansion, editors what they wrote, and the hash is that of what they wrote', async () => {
  const fragment = {
    prompt: 'Be {{tone}}.',
    variables: { tone: { type: 'string', default: 'kind' } },
  } as const;
  const { name } = await create(fragment);
  const written = including(name);
  const outer = await create(written);
  const { version } = await ask('versions-get', { promptId: outer.promptId, version: '1.0.0' });
  const { variables } = fragment;
  const expanded = 'Be {{tone}}. {{> "other"}}';
  expect(version).toMatchObject({
    ...written,
    expanded,
    expandedVariables: variables,
    contentHash: await contentHash(written),
  });
  expect(version).not.toHaveProperty('variables');
  const reply = await fetched(outer.name, { shouldCompile: true });
  const includes = [{ name, version: '1.0.0', contentHash: await contentHash(fragment) }];
  const compiledPrompt = 'Be kind. {{> "other"}}';
  expect(reply).toMatchObject({ prompt: expanded, compiledPrompt, variables, includes });
  expect(reply).not.toHaveProperty('authored');
});

test('a chat includes fragments in its messages; placeholders and undeclared names stay', async () => {
  const { name } = await create({ prompt: 'Be "kind".' });
  const { prompt: content, includes } = including(name);
  const history = { type: 'placeholder', name: 'history' };
  const chat = await create({ type: 'chat', messages: [{ role: 'system', content }, history], includes });
  const messages = [{ role: 'system', content: 'Be "kind". {{> "other"}}' }, history];
  expect(await fetched(chat.name)).toMatchObject({ messages, prompt: JSON.stringify(messages) });
});

test('what does not exist, a chat, and what is more than five deep cannot be included', async () => {
  const chat = await create({ type: 'chat', messages: [{ role: 'user', content: 'x' }] });
  let { name } = await create({ prompt: 'x' });
  const sentence = (...included: Parameters<typeof including>) =>
    refused('prompts-create', 'invalid_request', { name: uniqueName('x'), ...including(...included) });
  expect(await sentence(name, '1.0.1')).toContain(`"${name}@1.0.1", but there is no such version`);
  expect(await sentence('missing')).toContain('there is no such version');
  expect(await sentence(chat.name)).toContain('which is a chat');
  for (let depth = 1; depth <= 5; depth++) ({ name } = await create(including(name)));
  expect(await sentence(name)).toContain('at most 5 deep');
});

test('a key with patterns cannot tell what it may not include from what does not exist', async () => {
  const { name } = await create({ prompt: 'secret' });
  const own = uniqueName('own');
  const publish = async (included: string, ...prompts: string[]) => {
    const { apiKey, keyId } = await instance.newKey({ permissions: ['publish'], prompts });
    const body = { name: own, content: including(included), base: null, dryRun: true };
    const { json } = await instance.post('/api/prompt/publish', body, apiKey);
    return { ...json, refusals: await auditOf(instance, 'refusal', keyId) };
  };
  const hidden = await publish(name, own);
  const missing = await publish(`${name}x`, own);
  expect(hidden.err.replaceAll(name, '')).toBe(missing.err.replaceAll(`${name}x`, ''));
  expect(hidden.err).toContain('no such version');
  const details = { reason: 'include', asked: `${own}, includes ${name}@1.0.0` };
  expect(hidden.refusals).toMatchObject([{ details }]);
  expect((await publish(name, own, name)).res).toMatchObject({ created: true });
});

test('what a latest or labelled version includes is deleted only with confirmation', async () => {
  const publish = (promptId: string) =>
    ask('versions-publish', { promptId, prompt: 'y', bump: 'major' }, 'editor');
  const { name, promptId } = await create({ prompt: 'x' });
  await publish(promptId);
  const outer = await create({ ...including(name), label: 'production' });
  await publish(outer.promptId);
  expect(await refused('versions-delete', 'in_use', { promptId, version: '1.0.0' })).toContain(
    `is included by version 1.0.0 of "${outer.name}"`,
  );
  await refused('prompts-delete', 'in_use', { promptId });
  await ask('versions-delete', { promptId, version: '2.0.0' });
  await ask('prompts-delete', { promptId, confirm: true });
  expect(await fetched(outer.name, { label: 'production' })).toMatchObject({ prompt: 'x {{> "other"}}' });
});
