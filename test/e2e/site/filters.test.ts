import {
  appears,
  arrive,
  byRole,
  headed,
  hotkey,
  instance,
  load,
  openSite,
  page,
  press,
  show,
  titled,
} from '../../support/browser/site.ts';

openSite({ sample: true });

beforeAll(async () => {
  await instance.post('/api/prompt/get-compiled', { name: 'greeting' });
  await instance.settled();
  await arrive();
});

const daysAskedFor = (): Set<string | null> => {
  const days = new Set<string | null>();
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/admin/audit') days.add(searchParams.get('to'));
  });
  return days;
};

test('typing a day in the filter of the audit log requests no other day', async () => {
  await show('/audit?period=days');
  const field = page.getByLabel('To', { exact: true });
  await field.click({ position: { x: 12, y: 12 } });
  const asked = daysAskedFor();
  await page.keyboard.type('11202026');
  await page.waitForURL(/to=2026-11-20/);
  expect(await field.inputValue()).toBe('2026-11-20');
  await field.click({ position: { x: 12, y: 12 } });
  await page.keyboard.type('12042025');
  await page.waitForURL(/to=2025-12-04/);
  await hotkey('Backspace');
  await field.blur();
  await page.waitForURL((url) => !url.searchParams.has('to'));
  await page.waitForLoadState('networkidle');
  asked.delete(null);
  expect([...asked].filter((day) => !/^202[56]-/.test(day ?? ''))).toEqual([]);
});

test.each([
  ['/prompts', 'Prompts'],
  ['/secrets', 'Secrets'],
  ['/api-keys', 'API keys'],
])('a rejected search on %s shows the error and can be corrected', async (path, name) => {
  await show(path);
  await appears('table', name);
  const search = byRole('searchbox');
  await search.fill('x'.repeat(300));
  await byRole('alert').filter({ hasText: '256' }).waitFor();
  await search.fill('');
  await appears('table', name);
  await show(`${path}?q=${'x'.repeat(300)}`);
  await byRole('alert').filter({ hasText: '256' }).waitFor();
  await press('Clear the search');
  await appears('table', name);
});

test.each([
  ['/prompts', 'Prompts'],
  ['/audit', 'Audit entries'],
])('a slow filter on %s shows progress', async (path, name) => {
  await show(path);
  await appears('table', name);
  const progress = Promise.withResolvers<void>();
  await page.route(/[?&](q|subject)=zz/, async (route) => {
    await progress.promise;
    await route.continue();
  });
  await byRole('searchbox').last().fill('zz');
  await page.locator('[aria-busy=true]').getByLabel('Loading').waitFor();
  progress.resolve();
  await headed(/^No matching/);
  await byRole('searchbox').last().fill('');
  await appears('table', name);
});

test.each([
  ['/prompts?sort=size&order=up&fetched=maybe&page=2', 'Prompts'],
  ['/secrets?sort=size&read=maybe', 'Secrets'],
  ['/api-keys?status=asleep', 'API keys'],
  ['/audit?kind=whisper&from=2026-13-45&to=2026-02-31&page=2', 'Audit entries'],
])('invalid values of %s are removed from the URL, and do not reach the service', async (path, name) => {
  const refused: string[] = [];
  page.on('response', (response) => response.status() === 400 && refused.push(response.url()));
  await load(path);
  await appears('table', name);
  expect(new URL(page.url()).search).toBe('');
  await show('/');
  await titled('Overview');
  await show(path);
  await appears('table', name);
  expect(refused).toEqual([]);
});

test('valid values in a URL are kept when invalid ones are removed', async () => {
  await load('/prompts?q=greeting&sort=size&order=desc');
  await appears('link', 'greeting');
  expect(new URL(page.url()).search).toBe('?q=greeting&order=desc');
});
