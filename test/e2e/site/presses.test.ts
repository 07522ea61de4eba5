import type { Page } from 'playwright-core';
import { ask } from '../../support/admin.ts';
import { type Visit, visit } from '../../support/browser/browser.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';

let admin: Visit;
let page: Page;
// Questions that have a body.
const READS = ['', 'effects', 'api-keys/reach'];

let sent: string[] = [];
let count = 0;

openSite();

beforeAll(async () => {
  admin = await visit(browser, instance, { path: '/audit' });
  page = admin.page;
  page.on('request', (request) => {
    const [, path = ''] = request.url().split('/api/admin/');
    // A dry run writes nothing.
    if (request.method() === 'POST' && !READS.includes(path)) sent.push(path);
  });
});

beforeEach(() => {
  count += 1;
  sent = [];
});

const button = (name: string | RegExp) => page.getByRole('button', { name });

const newPrompt = async () => {
  const body = { name: `pressed ${count}`, prompt: 'Hello' };
  return (await ask('prompts-create', body)).prompt;
};

/** Each opens a form, fills it in, and returns the button that sends it. */
const FORMS = {
  'a dialog that shows a new key': async () => {
    await page.goto(`${instance.url}/api-keys`);
    await button('New API key').click();
    await page.getByRole('dialog').getByRole('radio', { name: 'Application' }).check();
    await page.getByRole('dialog').getByRole('radio', { name: 'All prompts' }).check();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(`pressed ${count}`);
    return page.getByRole('dialog').getByRole('button', { name: 'Create' });
  },
  'a dialog that closes': async () => {
    await page.goto(`${instance.url}/operators`);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('dialog').getByLabel('E-mail addresses').fill(`pressed${count}@example.com`);
    return page.getByRole('dialog').getByRole('button', { name: 'Invite' });
  },
  'the review of a draft': async () => {
    const { promptId } = await newPrompt();
    await page.goto(`${instance.url}/prompts/${promptId}/new-version`);
    await page.getByRole('textbox', { name: 'Template' }).fill('Good day');
    await button('Review and publish').click();
    return page.getByRole('dialog').getByRole('button', { name: /^Publish/ });
  },
  'the form of a screen': async () => {
    await page.goto(`${instance.url}/prompts/new`);
    await page.getByLabel('Name').fill(`pressed ${count}`);
    await page.getByRole('textbox', { name: 'Template' }).fill('Hello');
    return button('Create and publish');
  },
};

const HELD_MS = 1_500;
const REPEAT_MS = 30;

const PRESSES = {
  'a double click': (sending: Awaited<ReturnType<(typeof FORMS)['a dialog that closes']>>) =>
    sending.dblclick(),
  'a held Enter': async (sending: Awaited<ReturnType<(typeof FORMS)['a dialog that closes']>>) => {
    await sending.focus();
    for (let ms = 0; ms < HELD_MS; ms += REPEAT_MS) {
      await page.keyboard.down('Enter');
      await page.waitForTimeout(REPEAT_MS);
    }
    await page.keyboard.up('Enter');
  },
};

const CASES = Object.keys(FORMS).flatMap((form) => Object.keys(PRESSES).map((press) => [press, form]));

test.each(CASES)('%s sends %s once', async (press, form) => {
  const sending = await FORMS[form as keyof typeof FORMS]();
  await sending.and(page.locator(':enabled')).waitFor();
  await PRESSES[press as keyof typeof PRESSES](sending);
  while (sent.length === 0) await page.waitForTimeout(100);
  await page.waitForTimeout(1_000);
  await instance.settled();
  expect(sent).toHaveLength(1);
  await page.keyboard.press('Escape');
});
