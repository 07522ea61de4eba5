import {
  addPrompt,
  arrive,
  byRole,
  dialog,
  enter,
  exactly,
  hotkey,
  instance,
  load,
  openSite,
  page,
  show,
  tick,
} from '../../support/browser/site.ts';

// Questions that have a body.
const READS = ['', 'effects', 'api-keys/reach'];

let sent: string[] = [];
let count = 0;

openSite();

beforeAll(async () => {
  await arrive({ path: '/audit' });
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
  return await addPrompt(body);
};

/** Writes a draft; returns the button that opens its review. */
const newDraft = async () => {
  const { promptId, name } = await newPrompt();
  await show(`/prompts/${promptId}/new-version`);
  await exactly('link', name).waitFor();
  await enter('Template', 'Good day');
  return button('Review and publish');
};

/** Each opens a form, fills it in, and returns the button that sends it. */
const FORMS = {
  'a dialog that closes': async () => {
    await show('/operators');
    await exactly('button', 'Invite').click();
    await dialog().getByLabel('E-mail addresses').fill(`pressed${count}@example.com`);
    return byRole('button', 'Invite', dialog());
  },
  'the review of a draft': async () => {
    await (await newDraft()).click();
    return byRole('button', /^Publish/, dialog());
  },
  'the form of a screen': async () => {
    await show('/prompts/new');
    await page.getByLabel('Name').fill(`pressed ${count}`);
    await enter('Template', 'Hello');
    return button('Create and publish');
  },
  'a dialog that shows a new key': async () => {
    // What shows a key asks before it closes.
    await load('/api-keys');
    await button('New API key').click();
    await dialog().getByText('Application', { exact: true }).click();
    await tick('All prompts', dialog());
    await enter('Name', `pressed ${count}`, dialog());
    return byRole('button', 'Create', dialog());
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
  await hotkey('Escape');
});

test('a held Enter that opens the review of a draft does not publish it', async () => {
  await PRESSES['a held Enter'](await newDraft());
  await byRole('button', /^Publish/, dialog()).waitFor();
  expect(sent).toEqual([]);
});

test('a press on the user menu that lasts until the menu is loaded opens it', async () => {
  await page.reload();
  const user = byRole('button', /^admin@example.com/);
  await user.hover();
  await page.mouse.down();
  await user.and(page.locator('[aria-haspopup]')).waitFor();
  await page.mouse.up();
  await byRole('menuitem', 'Sign out').waitFor();
});

test.each([0, 30, 100, 200, 300])(
  'a press on the user menu %i ms after another press opens it, however far it is loaded',
  async (ms) => {
    await page.reload();
    const user = byRole('button', /^admin@example.com/);
    await user.waitFor();
    await page.mouse.click(900, 400);
    await page.waitForTimeout(ms);
    await user.click();
    await byRole('menuitem', 'Sign out').waitFor();
  },
);
