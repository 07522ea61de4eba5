import { ask } from '../../support/admin.ts';
import {
  absent,
  accessible,
  addPrompt,
  appears,
  arrive,
  byRole,
  dialog,
  follow,
  gone,
  instance,
  openSite,
  page,
  press,
  see,
  show,
} from '../../support/browser/site.ts';
import { newPrompt } from '../../support/rows/prompts.ts';

let promptId: string;
let apiKey: string;

openSite();

beforeAll(async () => {
  const body = { name: 'greeting', prompt: 'Hello {{user}}', label: 'production' };
  ({ promptId } = await addPrompt(body));
  const next = { prompt: 'Hello {{user}} of {{brand}}', bump: 'major' };
  await ask('versions-publish', { promptId, ...next });
  ({ apiKey } = await instance.newKey({ name: 'web' }));
  await arrive({ groups: ['editor'] });
});

const call = async () => {
  const body = { name: 'greeting', label: 'production', shouldCompile: true, strict: true };
  return (await instance.post('/api/prompt/get-compiled', { ...body, variables: { user: 'Ada' } }, apiKey))
    .status;
};
const notice = () => byRole('alert', 'Failing calls');

test('after a move that breaks callers, the overview leads to the prompt, which says why, from where and the way back', async () => {
  const body = { version: '2.0.0', expected: '1.0.0' };
  await ask('labels-set', { promptId, label: 'production', ...body });
  expect(await call()).toBe(400);
  // Another key with which more calls fail than the panel has rows.
  const loud = await instance.newKey({ name: 'loud' });
  for (let i = 0; i < 8; i++) {
    const { name } = await newPrompt(instance.table);
    await instance.post('/api/prompt/get-compiled', { name, label: 'none' }, loud.apiKey);
  }
  await instance.settled();
  await show('/');
  const panel = byRole('region', 'Needs attention');
  await panel.waitFor();
  expect(await panel.getByRole('listitem').filter({ hasText: 'greeting' }).textContent()).toMatch(
    /^web: The prompt needs a value for "brand".*greetingat least 1 call failed, last /,
  );
  // What the screen has read before it is older than the page takes as true.
  await page.reload();
  await follow('greeting', panel);
  await see('since it moved there', notice());
  expect(await notice().textContent()).toMatch(
    /^The prompt needs a value for "brand"\.at least 1 call for production \(2\.0\.0\) failed since it moved there · web at (127\.0\.0\.1|::1)/,
  );
  await accessible();
});

test('the list of prompts marks the prompt', async () => {
  await show('/prompts');
  const marked = page.getByText('at least 1 call with problems', { exact: true });
  expect(await page.getByRole('row').filter({ has: marked }).getByRole('link').first().textContent()).toBe(
    'greeting',
  );
  await show(`/prompts/${promptId}`);
});

test('the notice stands over the version that it is about, and over no other', async () => {
  await follow(/^1\.0\.0 /);
  await appears('region', 'Template of version 1.0.0');
  await absent(notice());
  await follow(/^2\.0\.0 /);
  await notice().waitFor();
});

test('the overview does not say of served calls that they failed', async () => {
  const body = { name: 'greeting', label: 'production', shouldCompile: true, variables: { user: 'Ada' } };
  for (let i = 0; i < 2; i++) await instance.post('/api/prompt/get-compiled', body, apiKey);
  await instance.settled();
  await show('/');
  await page.reload();
  const item = byRole('region', 'Needs attention').getByRole('listitem');
  await see('2 calls served with gaps, last', item.filter({ hasText: 'greeting' }));
});

test('one click shows what moved in production, and a tab beside it what is live', async () => {
  await show('/');
  await follow('What went live');
  await page.getByText('Last hour', { exact: true }).click();
  const moved = byRole('row', /^greeting 1\.0\.0 → 2\.0\.0 /, byRole('table', 'Changes of production'));
  await moved.waitFor();
  await accessible();
  await byRole('tab', 'Live now').click();
  await appears('row', 'greeting 2.0.0', byRole('table', 'Served by production'));
});

test('going back ends it', async () => {
  await show(`/prompts/${promptId}`);
  await page.reload();
  // For both reasons, there is one way back.
  await see('served with gaps', notice());
  await press('Back to 1.0.0: production', notice());
  await press('Back to 1.0.0', dialog());
  await see('production serves 1.0.0 again.');
  await gone(notice());
  expect(await call()).toBe(200);
});
