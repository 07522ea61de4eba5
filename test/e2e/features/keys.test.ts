import type { Locator, Page } from 'playwright-core';
import { ask } from '../../support/admin.ts';
import { show, type Visit, visit } from '../../support/browser/browser.ts';
import { keptIn, violationsInBothSchemes } from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';
import { fetchPrompt } from '../../support/scenarios/admin-world.ts';

let admin: Visit;
let page: Page;
let apiKey = '';

openSite({ sample: true });

beforeAll(async () => {
  admin = await visit(browser, instance, { path: '/audit' });
  page = admin.page;
  await page.getByRole('link', { name: 'API keys' }).click();
});

const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const newKey = async (name: string, { allPrompts = false, purpose = 'Application' } = {}) => {
  await page.getByRole('button', { name: 'New API key' }).click();
  const form = dialog('New API key');
  await form.getByRole('radio', { name: purpose }).check();
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await form.getByRole('radio', { name: allPrompts ? 'All prompts' : 'Only these prompts' }).check();
  return form;
};
const enter = async (field: Locator, text: string) => {
  await field.fill(text);
  await field.press('Enter');
};
const secrets = (key = apiKey) => instance.post('/api/vault/get-secrets', {}, key);

test('a new key is shown once, with snippets that are ready to use', async () => {
  const form = await newKey('checkout', { allPrompts: true });
  await form.getByLabel('Read secrets', { exact: true }).check();
  await form.getByRole('radio', { name: 'Only secrets with these tags' }).check();
  const tags = form.getByRole('combobox', { name: 'Only secrets with these tags' });
  await enter(tags, 'nowhere');
  await form.getByText('No secret there is tagged nowhere').waitFor();
  await tags.press('Backspace');
  await enter(tags, 'llm');
  await form.getByText('Reaches 1 secret: OPENAI_API_KEY.').waitFor();
  await enter(form.getByRole('combobox', { name: 'Addresses' }), '127.0.0.0/8');
  await form.getByRole('combobox', { name: 'Addresses' }).fill('::1/128');
  await form.getByRole('button', { name: 'Create' }).click();
  const shown = dialog('Your new API key');
  apiKey = (await shown.getByRole('region', { name: 'the API key' }).textContent()) ?? '';
  expect(apiKey).toMatch(/^cue_\w{8}_\w{38}$/);
  expect(await shown.getByRole('region', { name: 'the environment variables' }).textContent()).toBe(
    `CUEVAULT_URL=${instance.url}\nCUEVAULT_API_KEY=${apiKey}`,
  );
  expect(await shown.getByRole('region', { name: 'the curl command' }).textContent()).toContain(
    `-H "Authorization: Bearer $CUEVAULT_API_KEY"`,
  );
});

test('a key whose reply is lost is created once, and said to be lost', async () => {
  const other = await visit(browser, instance, { path: '/api-keys' });
  await other.page.getByRole('button', { name: 'New API key' }).click();
  const form = other.page.getByRole('dialog');
  await form.getByRole('radio', { name: 'Application' }).check();
  await form.getByRole('radio', { name: 'All prompts' }).check();
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('lost');
  await other.page.route('**/api/admin/api-keys', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 400, body: '{"err":"Lost."}' });
    await other.page.unroute('**/api/admin/api-keys');
  });
  await form.getByRole('button', { name: 'Create' }).click();
  await form.getByText('Lost.').waitFor();
  await form.getByRole('button', { name: 'Create' }).click();
  await form.getByText('which cannot be shown any more. Revoke it').waitFor();
  expect((await ask('keys-list', { q: 'lost' })).keys).toHaveLength(1);
  await other.close();
});

test('the key works with real calls and is limited to its restrictions', async () => {
  expect(Object.keys((await secrets()).json.res)).toEqual(['OPENAI_API_KEY']);
  const call = await instance.post('/api/prompt/get-compiled', { name: 'greeting' }, apiKey);
  expect(call.status).toBe(200);
});

test('leaving the key asks for confirmation, by the button and by going back, and Escape does nothing', async () => {
  const shown = dialog('Your new API key');
  const question = dialog('Have you saved the key?');
  await shown.getByRole('button', { name: 'Done' }).click();
  await question.getByRole('button', { name: 'Back to the key' }).click();
  await question.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.goBack();
  await question.getByRole('button', { name: 'Back to the key' }).click();
  await question.waitFor({ state: 'detached' });
  await shown.getByRole('button', { name: 'Done' }).click();
  await question.getByRole('button', { name: 'I have saved it' }).click();
  await shown.waitFor({ state: 'detached' });
  const row = page.getByRole('row').filter({ hasText: 'checkout' });
  for (const chip of ['prompts: all', 'secrets: default, llm'])
    await row.getByText(chip, { exact: true }).filter({ visible: true }).waitFor();
});

test('the key is not in the browser afterwards', async () => {
  const [, , secret = ''] = apiKey.split('_');
  expect((await keptIn(page)).includes(secret)).toBe(false);
});

test('leaving after a download asks for no confirmation', async () => {
  const form = await newKey('downloaded', { allPrompts: true });
  await form.getByRole('button', { name: 'Create' }).click();
  const shown = dialog('Your new API key');
  const file = page.waitForEvent('download');
  await shown.getByRole('button', { name: 'Download as .env' }).click();
  expect((await file).suggestedFilename()).toBe('cuevault.env');
  await shown.getByRole('button', { name: 'Done' }).click();
  await shown.waitFor({ state: 'detached' });
  expect(await dialog('Have you saved the key?').count()).toBe(0);
});

test('a key limited to prompts shows which ones it can fetch, and its snippets fetch one of them', async () => {
  const form = await newKey('limited');
  const prompts = form.getByRole('combobox', { name: 'Only these prompts' });
  await enter(prompts, 'nowhere/*');
  await form.getByText('No prompt is named nowhere/*').waitFor();
  await prompts.press('Backspace');
  await enter(prompts, 'sup*');
  await form.getByText('Reaches 1 prompt: support-reply.').waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await form.getByRole('button', { name: 'Create' }).click();
  const shown = dialog('Your new API key');
  const line = (await shown.getByRole('region', { name: 'the curl command' }).textContent()) ?? '';
  expect(line).toContain('"name": "support-reply"');
  await shown.getByRole('button', { name: 'Copy the key', exact: true }).click();
  await shown.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row').filter({ hasText: 'limited' });
  await row.getByText('prompts: sup*', { exact: true }).filter({ visible: true }).waitFor();
});

test('a key for pull requests takes the prompts and labels of the one that publishes', async () => {
  const form = await newKey('pull requests', { purpose: 'CI' });
  await form.getByRole('switch').uncheck();
  await enter(form.getByRole('combobox', { name: 'Only these prompts' }), 'support/*');
  await enter(form.getByRole('combobox', { name: 'Can move these labels' }), 'staging');
  await form.getByRole('button', { name: 'Create' }).click();
  await dialog('Your new API key').getByRole('button', { name: 'Done' }).click();
  await dialog('Have you saved the key?').getByRole('button', { name: 'I have saved it' }).click();
  const row = page.getByRole('row').filter({ hasText: 'pull requests' });
  await row.getByText('compare: support/*', { exact: true }).filter({ visible: true }).waitFor();
});

test('what a key reaches is known of all prompts, also of those that no page of suggestions has', async () => {
  const own = await visit(browser, instance, { path: '/api-keys' });
  const read: string[] = [];
  await own.page.route(/\/api\/admin\/prompts\?/, async (route) => {
    read.push(route.request().url());
    const response = await route.fetch();
    const { res } = await response.json();
    await route.fulfill({ response, json: { res: { ...res, prompts: [], cursor: 'next' } } });
  });
  await own.page.getByRole('button', { name: 'New API key' }).click();
  const form = own.page.getByRole('dialog', { name: 'New API key' });
  await form.getByRole('radio', { name: 'Application' }).check();
  await form.getByRole('radio', { name: 'Only these prompts' }).check();
  const prompts = form.getByRole('combobox', { name: 'Only these prompts' });
  await enter(prompts, 'nowhere/*');
  await form.getByText('No prompt is named nowhere/*').waitFor();
  await enter(prompts, 'sup*');
  await form.getByText('Reaches 1 prompt: support-reply.').waitFor();
  expect(read).toHaveLength(1);
  await own.close();
});

test('a key can be renamed and narrowed, and widening it is refused with a reason', async () => {
  const { keyId } = await instance.newKey({ name: 'editable', permissions: ['secrets'] });
  await page.goto(`${instance.url}/api-keys?q=${keyId}`);
  const edit = async () => {
    await page.getByRole('button', { name: /^More actions for/ }).click();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Edit name and access' }).click();
  };
  await edit();
  const form = dialog('Edit the API key');
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('edited');
  const tags = form.getByRole('combobox', { name: 'Only secrets with these tags' });
  await enter(tags, 'llm');
  await form.getByText('Reaches 1 secret: OPENAI_API_KEY.').waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  const row = page.getByRole('row').filter({ hasText: 'edited' });
  await row.getByText('llm').filter({ visible: true }).waitFor();
  await edit();
  await tags.press('Backspace');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByRole('alert').getByText('"tags" must still contain "llm"').waitFor();
  await form.getByRole('button', { name: 'Cancel' }).click();
});

test('how many prompts a key may create is lowered where the key is edited', async () => {
  const { keyId } = await instance.newKey({ name: 'creating', permissions: ['publish'], mostPrompts: 9 });
  await page.goto(`${instance.url}/api-keys?q=creating`);
  await page.getByRole('button', { name: /^More actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Edit name and access' }).click();
  const form = dialog('Edit the API key');
  const most = form.getByRole('spinbutton', { name: 'Can create' });
  expect(await most.inputValue()).toBe('9');
  await most.fill('7');
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  const { keys } = await ask('keys-list', { q: keyId });
  expect(keys).toMatchObject([{ mostPrompts: 7 }]);
});

test('rotating creates a successor with the same rules, and shows whether the old key is still used', async () => {
  const limits = { permissions: ['secrets'], tags: ['llm'], cidrs: ['127.0.0.0/8', '::1'] } as const;
  const old = await instance.newKey({ name: 'rotated', ...limits });
  await page.goto(`${instance.url}/api-keys?q=rotated`);
  await page.getByRole('button', { name: /^More actions for/ }).click();
  await page.getByRole('menuitem', { name: /^Rotate/ }).click();
  await dialog('Rotate rotated').getByRole('button', { name: 'Create' }).click();
  const shown = dialog('Your new API key');
  await shown.getByText(`The key that it replaces (${old.keyId}) still works.`).waitFor();
  const successor = (await shown.getByRole('region', { name: 'the API key' }).textContent()) ?? '';
  await shown.getByRole('button', { name: 'Copy the key', exact: true }).click();
  await shown.getByRole('button', { name: 'Done' }).click();
  expect((await secrets(successor)).json.res).toEqual((await secrets(old.apiKey)).json.res);
  await instance.settled();
  await page.reload();
  const note = page.getByRole('img', { name: /replaced by/ });
  expect(await note.getAttribute('aria-label')).toMatch(/^It is replaced by \w{8} and still used since\.$/);
  await show(page, `/api-keys/${successor.split('_')[1]}`);
  await page.getByText(`to replace ${old.keyId}`).waitFor();
});

test('the prompts of a key are deleted after its name is typed, those in use once that is confirmed, also after a closed window', async () => {
  const key = { name: 'flooding', permissions: ['publish'] as const, prompts: ['flood/*'] };
  const { apiKey, keyId } = await instance.newKey(key);
  for (let i = 10; i < 35; i++) {
    const body = { name: `flood/${i}`, base: null, content: { prompt: 'x' } };
    expect((await instance.post('/api/prompt/publish', body, apiKey)).status).toBe(200);
  }
  const { promptId } = (await ask('prompts-list', { q: 'flood/12' })).prompts[0];
  await fetchPrompt(instance, promptId);
  // The second call is never answered.
  let calls = 0;
  await page.route('**/prompt-deletions', (route) => (++calls === 2 ? undefined : route.continue()));
  const form = dialog('Delete prompts');
  const begin = async () => {
    await page.goto(`${instance.url}/api-keys/${keyId}`);
    await page.getByRole('button', { name: 'Delete its prompts' }).click();
    await form.getByLabel(/Type .* to confirm/).fill(key.name);
    await form.getByRole('button', { name: 'Delete' }).click();
  };
  await begin();
  await form.getByText('19 prompts deleted, 1 kept, 5 left.').waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await begin();
  await form.getByText(/^1 prompt still exists: The prompt "flood\/12" was fetched once/).waitFor();
  await form.getByLabel('Delete anyway: I know that it is in use.').check();
  await form.getByRole('button', { name: 'Delete' }).click();
  await form.waitFor({ state: 'detached' });
  expect((await ask('prompts-list', { q: 'flood/' })).prompts).toEqual([]);
});

test('a folder of prompts is deleted by its name', async () => {
  for (const name of ['gone/a', 'gone/b/c']) await ask('prompts-create', { name, prompt: 'x' });
  await page.goto(`${instance.url}/prompts?folder=gone`);
  await page.getByRole('button', { name: 'Actions for the folder' }).click();
  await page.getByRole('menuitem', { name: 'Delete all prompts in it' }).click();
  const form = dialog('Delete prompts');
  await form.getByLabel(/Type .* to confirm/).fill('gone');
  await form.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('2 prompts deleted').waitFor();
  await page.getByText('There is no such folder').waitFor();
});

test('revoking shows how often the key was used, and takes effect on the next request', async () => {
  await instance.settled();
  await page.goto(`${instance.url}/api-keys`);
  await page.getByRole('button', { name: /^More actions for checkout/ }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  const question = dialog('Revoke the API key');
  await question.getByText('fetched prompts once and read secrets once').waitFor();
  const revoke = question.getByRole('button', { name: 'Revoke' });
  expect(await revoke.isDisabled()).toBe(true);
  await question.getByLabel(/Type .* to confirm/).fill('checkout');
  await revoke.click();
  await page.getByText(/^Rotate \d+ secrets?$/).waitFor();
  expect((await secrets()).status).toBe(401);
  await page.goto(`${instance.url}/api-keys`);
  await page.getByRole('row').filter({ hasText: 'checkout' }).getByText('revoked', { exact: true }).waitFor();
});

test('a leaked key that is pasted finds its key, and its secret part goes nowhere', async () => {
  const leaked = await instance.newKey({ name: 'leaked' });
  const [, , secret = ''] = leaked.apiKey.split('_');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await show(page, '/api-keys');
  await page.getByRole('searchbox').fill(`CUEVAULT_API_KEY=${leaked.apiKey}`);
  await page.waitForURL(new RegExp(`q=${leaked.keyId}$`));
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(leaked.apiKey);
  await page.getByRole('option', { name: 'Revoke leaked' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(sent.filter((url) => url.includes(secret))).toEqual([]);
});

test('nothing is chosen in advance for prompts, and the widest key is the one that the list warns of', async () => {
  await page.goto(`${instance.url}/api-keys`);
  await page.getByRole('button', { name: 'New API key' }).click();
  const form = dialog('New API key');
  await form.getByRole('radio', { name: 'Application' }).check();
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('hasty');
  expect(await form.getByRole('combobox', { name: 'Expires' }).inputValue()).toBe('In 90 days');
  await form.getByRole('button', { name: 'Create' }).click();
  await form.getByRole('alert').getByText('Choose what the key may read').waitFor();
  await form.getByRole('button', { name: 'Cancel' }).click();
  const row = page.getByRole('row').filter({ hasText: 'first run' });
  await row
    .getByRole('img', { name: /^It reads all prompts, all secrets/ })
    .filter({ visible: true })
    .waitFor();
});

test('operators who are not administrators see the keys but cannot create or revoke one', async () => {
  const editor = await visit(browser, instance, { groups: ['editor'], path: '/api-keys' });
  await editor.page.getByRole('row').filter({ hasText: 'first run' }).waitFor();
  expect(await editor.page.getByRole('button', { name: /New API key|Revoke/ }).count()).toBe(0);
  await editor.close();
});
