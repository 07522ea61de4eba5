import { metricsGet } from '../../../contract/endpoints/service.ts';
import { createApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { ask, refusedCalls } from '../../support/admin.ts';
import { show, visit } from '../../support/browser/browser.ts';
import {
  cutCells,
  scrollsSideways,
  smallTargets,
  violationsInBothSchemes,
} from '../../support/browser/screen-checks.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';
import { changeAt } from '../../support/rows/table.ts';
import { ownInstance } from '../../support/shared/instance.ts';

openSite({ sample: true });

beforeAll(async () => {
  for (let i = 0; i < 3; i++) await instance.post('/api/prompt/get-compiled', { name: 'greeting' });
  await instance.post('/api/vault/get-secrets', {});
  await instance.settled();
});

test('the overview shows fetches, items to review and recent changes', async () => {
  const { page, close } = await visit(browser, instance, { groups: ['viewer'], path: '/' });
  const panel = (name: string) => page.getByRole('region', { name });
  await panel('Most fetched prompts')
    .getByRole('listitem')
    .filter({ hasText: 'greeting' })
    .getByText('3')
    .waitFor();
  await panel('Most fetched prompts').getByRole('img', { name: '3 in the last 15 days, 0 before' }).waitFor();
  expect(await panel('Needs attention').count()).toBe(0);
  await panel('Fetches per day').getByRole('table').waitFor({ state: 'attached' });
  expect(await panel('Fetches per day').getByRole('row').last().textContent()).toMatch(/31$/);
  await panel('Last changes').getByText('pointed the label production to 1.0.0').waitFor();
  await panel('Most fetched prompts').getByRole('link', { name: '3 fetches of greeting' }).click();
  await page.waitForURL(/prompts\/prm_\w+\/usage\?from=\d{4}-\d\d-\d\d$/);
  for (const [name, url] of [
    [/^\d+ active API key/, /api-keys\?status=active/],
    [/^3 prompt fetches today/, /prompts\?fetched=yes/],
    [/^1 read of secrets today/, /audit\?kind=read&period=today/],
  ] as const) {
    await show(page, '/');
    await page.getByRole('link', { name }).click();
    await page.waitForURL(url);
  }
  await close();
});

test('an expired key that is still sent comes first, with what to do, then the other refused calls by reason', async () => {
  const path = '/api/vault/get-secrets';
  const expired = {
    name: 'old job',
    permissions: ['secrets'],
    expiresAt: '1970-01-01T01:00:00.000Z',
  } as const;
  const { apiKey, record } = await createApiKey(instance.table, changeAt(new Date(0)), expired);
  expect((await instance.post(path, {}, apiKey)).status).toBe(401);
  for (let i = 0; i < 4; i++) await instance.post(path, {}, 'cue_nothing');
  await refusedCalls(instance, 5);
  const { page, close } = await visit(browser, instance, { groups: ['viewer'], path: '/' });
  const panel = page.getByRole('region', { name: 'Needs attention' });
  const rows = panel.getByRole('listitem');
  await rows.filter({ hasText: 'malformed key' }).getByText('4 calls in 24 hours').waitFor();
  expect(await rows.first().textContent()).toBe(
    'Refused: key expired, from old jobSomething still sends it: rotate it, or find out who.1 call in 24 hours',
  );
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await rows.first().getByRole('link', { name: 'find out who' }).click();
  await page.waitForURL(new RegExp(`audit\\?kind=refusal&actor=${record.keyId}`));
  await page.getByRole('table', { name: 'Audit entries' }).getByText('key expired').first().waitFor();
  await close();
});

test('what needs attention is one row for each cause, the first five until all are asked for', async () => {
  const at = (hours: number) => new Date(Date.now() - hours * 3_600_000 - 1_000).toISOString();
  const failure = (apiKeyName: string, calls: number, hours: number, name: string) => ({
    code: 'label_not_found',
    reason: `The prompt "${name}" has no label "canary"`,
    label: 'canary',
    apiKeyId: apiKeyName,
    apiKeyName,
    calls,
    since: at(hours),
  });
  const failingPrompts = [
    {
      promptId: 'p1',
      name: 'greeting',
      failing: [failure('web', 2, 3, 'greeting'), failure('job', 1, 1, 'greeting')],
    },
    { promptId: 'p2', name: 'farewell', failing: [failure('web', 5, 7, 'farewell')] },
  ];
  const keys = ['a', 'b', 'c', 'd'].map((name) => ({ keyId: name, name }));
  const secrets = (total: number, ...names: string[]) => ({
    total,
    first: names.map((key) => ({ secretId: key, key, environment: 'default' })),
  });
  const { page, close } = await visit(browser, instance);
  const overview = {
    ...(await ask('overview-get')),
    failingPrompts,
    refused: [],
    expiringKeys: keys.slice(0, 1),
    unusedKeys: keys,
    secretsToRotate: secrets(1, 'A'),
    unfinishedRotations: secrets(9, 'A', 'B', 'C'),
    unreadSecrets: secrets(2, 'A', 'B'),
  };
  await page.route(/\/api\/admin\/overview(\?|$)/, (route) =>
    route.fulfill({ json: { err: null, res: overview } }),
  );
  await page.route(`**${metricsGet.route?.path}`, (route) =>
    route.fulfill({ json: { err: null, res: { refused: [{ reason: 'malformed_key', calls: 4 }] } } }),
  );
  await show(page, '/');
  const rows = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
  const more = page.getByRole('button', { name: 'Show all 8' });
  await more.waitFor();
  expect(await rows.count()).toBe(5);
  await more.click();
  expect(await rows.allTextContents()).toEqual([
    'greeting, farewellweb: None of these 2 prompts has the label "canary"at least 7 calls failed, first 7 hr. ago',
    'greetingjob: The prompt "greeting" has no label "canary"at least 1 call failed, first 1 hr. ago',
    'a1 API key expires within 14 days',
    'A1 secret to rotate within 14 days',
    'A, B, C and 6 more9 secrets with an old credential to disable',
    'Refused: malformed key4 calls in 24 hours',
    'a, b, c and 1 more4 API keys not used for 30 days',
    'A, B2 secrets not read for 30 days',
  ]);
  await close();
});

test('without metrics, the overview says so and shows the keys that were refused', async () => {
  const { apiKey } = await instance.newKey({ name: 'wrong place', cidrs: ['203.0.113.0/24'] });
  await instance.post('/api/vault/get-secrets', {}, apiKey);
  const { page, close } = await visit(browser, instance);
  await page.route(`**${metricsGet.route?.path}`, (route) => route.fulfill({ status: 400, body: '{}' }));
  await show(page, '/');
  const panel = page.getByRole('region', { name: 'Needs attention' });
  await panel.getByText('The number of refused calls could not be read.').waitFor();
  await panel.getByRole('listitem').filter({ hasText: 'wrong place' }).waitFor();
  await close();
});

test('with a webhook on AWS, administrators see for each day what was delivered and what was given up', async () => {
  const { page, close } = await visit(browser, instance, { path: '/notifications' });
  await page.getByRole('region', { name: 'Webhook off' }).getByText('On AWS, deploy with').waitFor();
  await page.getByText('A test event would reach nobody until then.').waitFor();
  expect(await page.getByRole('button', { name: 'Send a test event' }).isDisabled()).toBe(true);
  const day = { attempts: 12, invocations: 12, failed: 0 };
  const webhook = [
    { ...day, day: '2026-03-09' },
    { day: '2026-03-10', attempts: 1_210, invocations: 24, failed: 3 },
  ];
  // A local instance has no rule of EventBridge.
  await page.route(`**${metricsGet.route?.path}`, (route) =>
    route.fulfill({ json: { err: null, res: { refused: [], webhook } } }),
  );
  await page.reload();
  const table = page.getByRole('table', { name: 'Deliveries by day' });
  await table.waitFor();
  await page.getByRole('region', { name: 'Webhook on' }).getByText('Last delivery: Mar 10, 2026').waitFor();
  expect(await table.getByRole('row').allInnerTexts()).toEqual([
    expect.stringMatching(/^Day \(UTC\)\s+Attempts\s+Delivered\s+Given up$/),
    expect.stringMatching(/^Mar 10, 2026\s+1,210\s+21\s+3$/),
    expect.stringMatching(/^Mar 9, 2026\s+12\s+12\s+0$/),
  ]);
  expect(await violationsInBothSchemes(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 800 });
  expect([await scrollsSideways(page), await cutCells(page)]).toEqual([false, []]);
  await close();
});

test('an empty overview leads to the first call, with samples that can be removed', async () => {
  const empty = await ownInstance();
  const { page, close } = await visit(browser, empty, { path: '/' });
  const steps = page.getByRole('region', { name: 'Get started' });
  const step = (text: string) => steps.getByRole('listitem').filter({ hasText: text });
  await step('Write a prompt').getByRole('img', { name: 'To do' }).waitFor();
  await step('Create an API key').getByRole('img', { name: 'To do' }).waitFor();
  await steps.getByRole('button', { name: 'Add the samples' }).click();
  await step('Write a prompt').getByRole('img', { name: 'Done' }).waitFor();
  await step('Make the first call').getByText('"name": "greeting"').waitFor();
  await steps.getByRole('button', { name: 'Create an API key' }).click();
  const form = page.getByRole('dialog', { name: 'New API key' });
  await form.getByRole('radio', { name: 'Application' }).check();
  await form.getByRole('textbox', { name: 'Name' }).fill('shop');
  await form.getByRole('radio', { name: 'All prompts' }).check();
  await form.getByRole('button', { name: 'Create' }).click();
  const shown = page.getByRole('dialog', { name: 'Your new API key' });
  await shown.getByText('"user": "…"').waitFor();
  await shown.getByRole('button', { name: 'Copy the key', exact: true }).click();
  await shown.getByRole('button', { name: 'Done' }).click();
  await step('Create an API key').getByRole('img', { name: 'Done' }).waitFor();
  expect(await violationsInBothSchemes(page)).toEqual([]);
  expect(await smallTargets(page)).toEqual([]);
  await empty.post('/api/prompt/get-compiled', { name: 'greeting', label: 'production' });
  await empty.settled();
  await page.reload();
  await page.getByRole('region', { name: 'Last changes' }).waitFor();
  expect(await steps.count()).toBe(0);
  await page.getByRole('button', { name: 'Remove the samples' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/greeting, support-reply, .*OPENAI_API_KEY/).waitFor();
  await dialog.getByLabel(/Type .* to confirm/).fill('remove the samples');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByLabel('Delete anyway: I know that it is in use.').check();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('region', { name: 'Samples' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /^0 prompts/ }).waitFor();
  await close();
  await empty.stop();
});
