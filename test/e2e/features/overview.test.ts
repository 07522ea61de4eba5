import { metricsGet } from '../../../contract/endpoints/service.ts';
import { createApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { ask, refusedCalls } from '../../support/admin.ts';
import { visit } from '../../support/browser/browser.ts';
import { cutCells, scrollsSideways, smallTargets } from '../../support/browser/screen-checks.ts';
import {
  absent,
  accessible,
  appears,
  arrive,
  browser,
  byRole,
  confirm,
  enter,
  exactly,
  follow,
  gone,
  instance,
  load,
  openSite,
  page,
  press,
  see,
  show,
  signedIn,
  tick,
} from '../../support/browser/site.ts';
import { changeAt } from '../../support/rows/table.ts';
import { ownInstance } from '../../support/shared/instance.ts';

openSite({ sample: true });

beforeAll(async () => {
  for (let i = 0; i < 3; i++) await instance.post('/api/prompt/get-compiled', { name: 'greeting' });
  await instance.post('/api/vault/get-secrets', {});
  await instance.settled();
  await arrive({ path: '/' });
});

test('the overview shows fetches, items to review and recent changes', async () => {
  const panel = (name: string) => page.getByRole('region', { name });
  await see('3', panel('Most fetched prompts').getByRole('listitem').filter({ hasText: 'greeting' }));
  await byRole('img', '3 in the last 15 days, 0 before', panel('Most fetched prompts')).waitFor();
  await absent(panel('Needs attention'));
  await panel('Fetches per day').getByRole('table').waitFor({ state: 'attached' });
  expect(await panel('Fetches per day').getByRole('row').last().textContent()).toMatch(/31$/);
  await see('pointed the label production to 1.0.0', panel('Last changes'));
  await follow('3 fetches of greeting', panel('Most fetched prompts'));
  await page.waitForURL(/prompts\/prm_\w+\/usage\?days=%2230%22$/);
  for (const [name, url] of [
    [/^\d+ active API key/, /api-keys\?status=active/],
    [/^3 prompt fetches today/, /prompts\?fetched=yes/],
    [/^1 read of secrets today/, /audit\?kind=read&period=today/],
  ] as const) {
    await show('/');
    await follow(name);
    await page.waitForURL(url);
  }
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
  await refusedCalls(5);
  const viewer = await signedIn({ groups: ['viewer'], path: '/' });
  const panel = byRole('region', 'Needs attention', viewer.page);
  const rows = panel.getByRole('listitem');
  await see('4 calls in 24 hours', rows.filter({ hasText: 'malformed key' }));
  expect(await rows.first().textContent()).toBe(
    'Refused: key expiredfrom old job. Something still sends it: rotate it, or find out who.1 call in 24 hours',
  );
  await follow('find out who', rows.first());
  await viewer.page.waitForURL(new RegExp(`audit\\?kind=refusal&actor=${record.keyId}`));
  await byRole('table', 'Audit entries', viewer.page).getByText('key expired').first().waitFor();
  await viewer.close();
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
    lastAt: at(hours),
  });
  const failingPrompts = [
    {
      promptId: 'p1',
      name: 'greeting',
      failing: [failure('web', 2, 3, 'greeting'), failure('job', 1, 1, 'greeting')],
    },
    { promptId: 'p2', name: 'farewell', failing: [failure('web', 5, 7, 'farewell')] },
    // The key that replaces another one has its name.
    { promptId: 'p3', name: 'reply', failing: [{ ...failure('web', 3, 2, 'reply'), apiKeyId: 'web2' }] },
  ];
  const keys = ['a', 'b', 'c', 'd'].map((name) => ({ keyId: name, name }));
  const secrets = (total: number, ...names: string[]) => ({
    total,
    first: names.map((key) => ({ secretId: key, key, environment: 'default' })),
  });
  const overview = {
    ...(await ask('overview-get')),
    failingPrompts,
    refused: [],
    expiringKeys: keys.slice(0, 1),
    unusedKeys: keys,
    secretsToRotate: secrets(1, 'KEY_A'),
    unfinishedRotations: secrets(9, 'KEY_A', 'KEY_B', 'KEY_C'),
    unreadSecrets: secrets(2, 'KEY_A', 'KEY_B'),
  };
  await page.route(/\/api\/admin\/overview(\?|$)/, (route) =>
    route.fulfill({ json: { err: null, res: overview } }),
  );
  await page.route(`**${metricsGet.route?.path}`, (route) =>
    route.fulfill({ json: { err: null, res: { refused: [{ reason: 'malformed_key', calls: 4 }] } } }),
  );
  await load('/');
  const rows = byRole('region', 'Needs attention').getByRole('listitem');
  const more = byRole('button', 'Show all 9');
  await more.waitFor();
  expect(await rows.count()).toBe(5);
  await more.click();
  expect(await rows.allTextContents()).toEqual([
    'web: None of these 2 prompts has the label "canary"greeting, farewellat least 7 calls failed, last 3 hr. ago',
    'job: The prompt "greeting" has no label "canary"greetingat least 1 call failed, last 1 hr. ago',
    'web: The prompt "reply" has no label "canary"replyat least 3 calls failed, last 2 hr. ago',
    '1 API key expires within 14 daysa',
    '1 secret to rotate within 14 daysKEY_A',
    '9 secrets with an old credential to disableKEY_A, KEY_B, KEY_C and 6 more',
    'Refused: malformed key4 calls in 24 hours',
    '4 API keys not used for 30 daysa, b, c and 1 more',
    '2 secrets not read for 30 daysKEY_A, KEY_B',
  ]);
  await accessible();
  await page.unrouteAll();
});

test('without metrics, the overview says so and shows the keys that were refused', async () => {
  const { apiKey } = await instance.newKey({ name: 'wrong place', cidrs: ['203.0.113.0/24'] });
  await instance.post('/api/vault/get-secrets', {}, apiKey);
  await instance.settled();
  await page.route(`**${metricsGet.route?.path}`, (route) => route.fulfill({ status: 400, body: '{}' }));
  await load('/');
  const panel = byRole('region', 'Needs attention');
  await see('The number of refused calls could not be read.', panel);
  await panel.getByRole('listitem').filter({ hasText: 'wrong place' }).waitFor();
});

test('with a webhook on AWS, administrators see for each day what was delivered and what was given up', async () => {
  await page.unrouteAll();
  await show('/notifications');
  await see('deploy with the settings webhookUrl and webhookSecret', byRole('region', 'Webhook off'));
  // It would reach nobody.
  await absent(byRole('button', 'Send a test event'));
  const webhook = [
    { day: '2026-03-09', attempts: 12, invocations: 12, failed: 0 },
    { day: '2026-03-10', attempts: 1_210, invocations: 24, failed: 3 },
    { day: '2026-03-11', attempts: 9, invocations: 1, failed: 1 },
  ];
  // A local instance has no rule of EventBridge.
  await page.route(`**${metricsGet.route?.path}`, (route) =>
    route.fulfill({ json: { err: null, res: { refused: [], webhook } } }),
  );
  await page.reload();
  const table = byRole('table', 'Deliveries by day');
  await table.waitFor();
  await see('Last delivery: Mar 10, 2026', byRole('region', 'Webhook on'));
  expect(await table.getByRole('row').allInnerTexts()).toEqual([
    expect.stringMatching(/^Day \(UTC\)\s+Attempts\s+Delivered\s+Given up$/),
    expect.stringMatching(/^Mar 11, 2026\s+9\s+0\s+1$/),
    expect.stringMatching(/^Mar 10, 2026\s+1,210\s+21\s+3$/),
    expect.stringMatching(/^Mar 9, 2026\s+12\s+12\s+0$/),
  ]);
  await accessible();
  await page.setViewportSize({ width: 360, height: 800 });
  expect([await scrollsSideways(page), await cutCells(page)]).toEqual([false, []]);
});

test('an empty overview leads to the first call, with samples that can be removed', async () => {
  const empty = await ownInstance();
  const { page, close } = await visit(browser, empty, { path: '/' });
  const steps = byRole('region', 'Get started', page);
  const step = (text: string) => steps.getByRole('listitem').filter({ hasText: text });
  await byRole('img', 'To do', step('Write a prompt')).waitFor();
  await byRole('img', 'To do', step('Create an API key')).waitFor();
  await press('Add the samples', steps);
  await byRole('img', 'Done', step('Write a prompt')).waitFor();
  await see('"name": "greeting"', step('Make the first call'));
  await press('Create an API key', steps);
  const form = byRole('dialog', 'New API key', page);
  await form.getByText('Application', { exact: true }).click();
  await enter('Name', 'shop', form);
  await tick('All prompts', form);
  await press('Create', form);
  const shown = byRole('dialog', 'Your new API key', page);
  await see('"user": "…"', shown);
  await exactly('button', 'Copy the key', shown).click();
  await press('Done', shown);
  await byRole('img', 'Done', step('Create an API key')).waitFor();
  await accessible();
  expect(await smallTargets(page)).toEqual([]);
  await empty.post('/api/prompt/get-compiled', { name: 'greeting', label: 'production' });
  await empty.settled();
  await page.reload();
  await appears('region', 'Last changes', page);
  await absent(steps);
  await press('Remove the samples', page);
  const dialog = page.getByRole('dialog');
  await see(/greeting, support-reply, .*OPENAI_API_KEY/, dialog);
  await confirm('remove the samples', dialog);
  await press('Remove', dialog);
  await tick('Delete anyway: I know that it is in use.', dialog);
  await press('Remove', dialog);
  await gone(byRole('region', 'Samples', page));
  await appears('link', /^0 prompts/, page);
  await close();
  await empty.stop();
});
