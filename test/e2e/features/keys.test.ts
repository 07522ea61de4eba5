import type { Locator } from 'playwright-core';
import { ask } from '../../support/admin.ts';
import { keptIn } from '../../support/browser/screen-checks.ts';
import {
  absent,
  accessible,
  addPrompt,
  appears,
  arrive,
  byRole,
  confirm,
  dialog,
  disabled,
  exactly,
  follow,
  gone,
  hotkey,
  instance,
  load,
  menu,
  openSite,
  page,
  press,
  rowWith,
  see,
  show,
  signedIn,
  tick,
} from '../../support/browser/site.ts';
import { fetchPrompt } from '../../support/scenarios/admin-world.ts';

let apiKey = '';

openSite({ sample: true });

beforeAll(async () => {
  await arrive({ path: '/audit' });
  await follow('API keys');
});

const newKey = async (name: string, { allPrompts = false, purpose = 'Application' } = {}) => {
  await press('New API key');
  const form = dialog('New API key');
  await form.getByText(purpose, { exact: true }).click();
  await exactly('textbox', 'Name', form).fill(name);
  await form.getByRole('radio', { name: allPrompts ? 'All prompts' : 'Only these prompts' }).check();
  return form;
};
const add = async (field: Locator, text: string) => {
  await field.fill(text);
  await field.press('Enter');
};
const secrets = (key = apiKey) => instance.post('/api/vault/get-secrets', {}, key);

test('a new key is shown once, with snippets that are ready to use', async () => {
  const form = await newKey('checkout', { allPrompts: true });
  await form.getByLabel('Read secrets', { exact: true }).check();
  await tick('Only secrets with these tags', form);
  const tags = byRole('combobox', 'Only secrets with these tags', form);
  await add(tags, 'nowhere');
  await see('No secret there is tagged nowhere', form);
  await tags.press('Backspace');
  await add(tags, 'llm');
  await see('Reaches 1 secret: OPENAI_API_KEY.', form);
  await add(byRole('combobox', 'Addresses', form), '127.0.0.0/8');
  await byRole('combobox', 'Addresses', form).fill('::1/128');
  await press('Create', form);
  const shown = dialog('Your new API key');
  apiKey = (await byRole('region', 'the API key', shown).textContent()) ?? '';
  expect(apiKey).toMatch(/^cue_\w{8}_\w{38}$/);
  expect(await byRole('region', 'the environment variables', shown).textContent()).toBe(
    `CUEVAULT_URL=${instance.url}\nCUEVAULT_API_KEY=${apiKey}`,
  );
  expect(await byRole('region', 'the curl command', shown).textContent()).toContain(
    `-H "Authorization: Bearer $CUEVAULT_API_KEY"`,
  );
});

test('the key works with real calls and is limited to its restrictions', async () => {
  expect(Object.keys((await secrets()).json.res)).toEqual(['OPENAI_API_KEY']);
  const call = await instance.post('/api/prompt/get-compiled', { name: 'greeting' }, apiKey);
  expect(call.status).toBe(200);
});

test('leaving the key asks for confirmation, by the button and by going back, and Escape does nothing', async () => {
  const shown = dialog('Your new API key');
  const question = dialog('Have you saved the key?');
  await press('Done', shown);
  await press('Back to the key', question);
  await gone(question);
  await hotkey('Escape');
  await page.goBack();
  await press('Back to the key', question);
  await gone(question);
  await press('Done', shown);
  await press('I have saved it', question);
  await gone(shown);
});

test('the key is not in the browser afterwards', async () => {
  const [, , secret = ''] = apiKey.split('_');
  expect((await keptIn(page)).includes(secret)).toBe(false);
});

test('leaving after a download asks for no confirmation', async () => {
  const form = await newKey('downloaded', { allPrompts: true });
  await press('Create', form);
  const shown = dialog('Your new API key');
  const file = page.waitForEvent('download');
  await press('Download as .env', shown);
  expect((await file).suggestedFilename()).toBe('cuevault.env');
  await press('Done', shown);
  await gone(shown);
  await absent(dialog('Have you saved the key?'));
});

test('the snippets of a key that is limited to prompts fetch one of them', async () => {
  const form = await newKey('limited');
  await add(byRole('combobox', 'Only these prompts', form), 'sup*');
  await press('Create', form);
  const shown = dialog('Your new API key');
  const line = (await byRole('region', 'the curl command', shown).textContent()) ?? '';
  expect(line).toContain('"name": "support-reply"');
  await exactly('button', 'Copy the key', shown).click();
  await press('Done', shown);
  const row = rowWith('limited');
  await row.getByText('prompts: sup*', { exact: true }).filter({ visible: true }).waitFor();
});

test('a key for pull requests takes the prompts and labels of the one that publishes', async () => {
  const form = await newKey('pull requests', { purpose: 'CI' });
  await form.getByRole('switch').uncheck();
  await add(byRole('combobox', 'Only these prompts', form), 'support/*');
  await add(byRole('combobox', 'Can move these labels', form), 'staging');
  await press('Create', form);
  await press('Done', dialog('Your new API key'));
  await press('I have saved it', dialog('Have you saved the key?'));
  const row = rowWith('pull requests');
  await row.getByText('compare: support/*', { exact: true }).filter({ visible: true }).waitFor();
});

test('what a key reaches is known of all prompts, also of those that no page of suggestions has', async () => {
  const read: string[] = [];
  const suggestions = /\/api\/admin\/prompts\?/;
  await page.route(suggestions, async (route) => {
    read.push(route.request().url());
    const response = await route.fetch();
    const { res } = await response.json();
    await route.fulfill({ response, json: { res: { ...res, prompts: [], cursor: 'next' } } });
  });
  await load('/api-keys');
  const form = await newKey('unlisted');
  const prompts = byRole('combobox', 'Only these prompts', form);
  await add(prompts, 'nowhere/*');
  await see('No prompt is named nowhere/*', form);
  await add(prompts, 'sup*');
  await see('Reaches 1 prompt: support-reply.', form);
  expect(read).toHaveLength(1);
  await page.unroute(suggestions);
});

test('a key whose reply is lost is created once, and said to be lost', async () => {
  await load('/api-keys');
  const form = await newKey('lost', { allPrompts: true });
  await page.route('**/api/admin/api-keys', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 400, body: '{"err":"Lost."}' });
    await page.unroute('**/api/admin/api-keys');
  });
  await press('Create', form);
  await see('Lost.', form);
  await press('Create', form);
  await see('which cannot be shown any more. Revoke it', form);
  expect((await ask('keys-list', { q: 'lost' })).keys).toHaveLength(1);
  await press('Cancel', form);
});

test('a key can be renamed and narrowed, and widening it is refused with a reason', async () => {
  const { keyId } = await instance.newKey({ name: 'editable', permissions: ['secrets'] });
  await show(`/api-keys?q=${keyId}`);
  const edit = () => menu(/^More actions for edit/, 'Edit name and access');
  await edit();
  const form = dialog('Edit the API key');
  await exactly('textbox', 'Name', form).fill('edited');
  const tags = byRole('combobox', 'Only secrets with these tags', form);
  await add(tags, 'llm');
  await see('Reaches 1 secret: OPENAI_API_KEY.', form);
  await accessible();
  await press('Save', form);
  await gone(form);
  const row = rowWith('edited');
  await row.getByText('llm').filter({ visible: true }).waitFor();
  await edit();
  await tags.press('Backspace');
  await press('Save', form);
  await see('"tags" must still contain "llm"', form.getByRole('alert'));
  await press('Cancel', form);
});

test('how many prompts a key may create is lowered where the key is edited', async () => {
  const { keyId } = await instance.newKey({ name: 'creating', permissions: ['publish'], mostPrompts: 9 });
  await show('/api-keys?q=creating');
  await menu(/^More actions for creating/, 'Edit name and access');
  const form = dialog('Edit the API key');
  const most = byRole('spinbutton', 'Can create', form);
  expect(await most.inputValue()).toBe('9');
  await most.fill('7');
  await accessible();
  await press('Save', form);
  await gone(form);
  const { keys } = await ask('keys-list', { q: keyId });
  expect(keys).toMatchObject([{ mostPrompts: 7 }]);
});

test('rotating creates a successor with the same rules, and the old key still works', async () => {
  const limits = { permissions: ['secrets'], tags: ['llm'], cidrs: ['127.0.0.0/8', '::1'] } as const;
  const old = await instance.newKey({ name: 'rotated', ...limits });
  await show('/api-keys?q=rotated');
  await menu(/^More actions for rotated/, /^Rotate/);
  await press('Create', dialog('Rotate rotated'));
  const shown = dialog('Your new API key');
  await see(`The key that it replaces (${old.keyId}) still works.`, shown);
  const successor = (await byRole('region', 'the API key', shown).textContent()) ?? '';
  await exactly('button', 'Copy the key', shown).click();
  await press('Done', shown);
  expect((await secrets(successor)).json.res).toEqual((await secrets(old.apiKey)).json.res);
  await show(`/api-keys/${successor.split('_')[1]}`);
  await see(`to replace ${old.keyId}`);
});

test('the prompts of a key are deleted after its name is typed, those in use once that is confirmed, also after a closed window', async () => {
  const key = { name: 'flooding', permissions: ['publish'] as const, prompts: ['flood/*'] };
  const { apiKey, keyId } = await instance.newKey(key);
  for (let i = 10; i < 35; i++) {
    const body = { name: `flood/${i}`, base: null, content: { prompt: 'x' } };
    expect((await instance.post('/api/prompt/publish', body, apiKey)).status).toBe(200);
  }
  const { promptId } = (await ask('prompts-list', { q: 'flood/12' })).prompts[0];
  await fetchPrompt(promptId);
  // The second call is never answered.
  let calls = 0;
  await page.route('**/prompt-deletions', (route) => (++calls === 2 ? undefined : route.continue()));
  const form = dialog('Delete prompts');
  const begin = async () => {
    await press('Delete its prompts');
    await confirm(key.name, form);
    await press('Delete', form);
  };
  await show(`/api-keys/${keyId}`);
  await begin();
  await see('19 prompts deleted, 1 kept, 5 left.', form);
  await accessible();
  await page.reload();
  await begin();
  await see(/^1 prompt still exists: The prompt "flood\/12" was fetched once/, form);
  await tick('Delete anyway: I know that it is in use.', form);
  await press('Delete', form);
  await gone(form);
  expect((await ask('prompts-list', { q: 'flood/' })).prompts).toEqual([]);
});

test('a folder of prompts is deleted by its name', async () => {
  for (const name of ['gone/a', 'gone/b/c']) await addPrompt({ name, prompt: 'x' });
  await show('/prompts?folder=gone');
  await menu('More actions', 'Delete all prompts in the folder');
  const form = dialog('Delete prompts');
  await confirm('gone', form);
  await press('Delete', form);
  await see('2 prompts deleted');
  await see('There is no such folder');
});

test('revoking shows how often the key was used, and takes effect on the next request', async () => {
  await instance.settled();
  await show('/api-keys');
  await menu(/^More actions for checkout/, 'Revoke');
  const question = dialog('Revoke the API key');
  await see('fetched prompts once and read secrets once', question);
  const revoke = byRole('button', 'Revoke', question);
  await disabled(revoke);
  await confirm('checkout', question);
  await revoke.click();
  await see(/^Rotate \d+ secrets?$/);
  expect((await secrets()).status).toBe(401);
  await show('/api-keys');
  await rowWith('checkout').getByText('revoked', { exact: true }).waitFor();
});

test('a leaked key that is pasted finds its key, and its secret part goes nowhere', async () => {
  const leaked = await instance.newKey({ name: 'leaked' });
  const [, , secret = ''] = leaked.apiKey.split('_');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await show('/api-keys');
  await byRole('searchbox').fill(`CUEVAULT_API_KEY=${leaked.apiKey}`);
  await page.waitForURL(new RegExp(`q=${leaked.keyId}$`));
  await hotkey('Control+k');
  await dialog().getByRole('combobox').fill(leaked.apiKey);
  await appears('option', 'Revoke leaked');
  await hotkey('Escape');
  await gone(dialog());
  expect(sent.filter((url) => url.includes(secret))).toEqual([]);
});

test('nothing is chosen in advance for prompts, and the widest key is the one that the list warns of', async () => {
  await show('/api-keys');
  await press('New API key');
  const form = dialog('New API key');
  await form.getByText('Application', { exact: true }).click();
  await exactly('textbox', 'Name', form).fill('hasty');
  expect(await byRole('combobox', 'Expires', form).inputValue()).toBe('In 90 days');
  await press('Create', form);
  await see('Choose what the key may read', form.getByRole('alert'));
  await press('Cancel', form);
  const row = rowWith('first run');
  await byRole('img', 'It reads all prompts and all secrets of default, and never expires.', row)
    .filter({ visible: true })
    .waitFor();
});

test('operators who are not administrators see the keys but cannot create or revoke one', async () => {
  const editor = await signedIn({ groups: ['editor'], path: '/api-keys' });
  await rowWith('first run', editor.page).waitFor();
  await absent(byRole('button', /New API key|Revoke/, editor.page));
  await editor.close();
});
