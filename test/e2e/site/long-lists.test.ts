import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { recordAccess } from '../../../lambdas/store/usage/accesses.ts';
import {
  absent,
  arrive,
  byRole,
  gone,
  hotkey,
  instance,
  openSite,
  page,
  press,
  show,
} from '../../support/browser/site.ts';
import { secretsOf } from '../../support/rows/many-secrets.ts';
import { changeAt } from '../../support/rows/table.ts';

const MORE_THAN_A_PAGE = 120;
const ACCESSES = 200;
const GREETING = promptIdOf('greeting');

const recordMany = async (): Promise<void> => {
  const now = Date.now();
  for (let n = 0; n < ACCESSES; n++) {
    await recordAccess(instance.table, {
      at: new Date(now - n * 1_000),
      requestId: `request-${n}`,
      promptId: GREETING,
      version: '1.0.0',
      apiKeyId: 'abcdefgh',
      apiKeyName: 'web',
      sourceIp: '203.0.113.7',
      userAgent: 'test',
      compiled: true,
      metaProperties: {},
    });
  }
};

openSite({ sample: true });

beforeAll(async () => {
  await importSecrets(instance.table, changeAt(), [...secretsOf(MORE_THAN_A_PAGE)], []);
  await recordMany();
  await arrive({ path: '/audit' });
});

test('a failed page of a list is reported, and can be retried', async () => {
  const isNextPart = (url: URL) => url.pathname === '/api/admin/secrets' && url.searchParams.has('cursor');
  await page.route(isNextPart, (route) => route.fulfill({ status: 400, body: '{}' }));
  await show('/secrets');
  const table = byRole('table', 'Secrets');
  await table.waitFor();
  // Nobody knows yet how many there are.
  expect(await table.getAttribute('aria-rowcount')).toBe('-1');
  await hotkey('End');
  await byRole('alert').filter({ hasText: 'The next part of the list could not be loaded' }).waitFor();
  await page.unroute(isNextPart);
  await press('Try again');
  await gone(byRole('button', /^(Try again|Show more)$/));
  await absent(byRole('alert'));
  expect(Number(await table.getAttribute('aria-rowcount'))).toBeGreaterThan(MORE_THAN_A_PAGE);
});

test('a long table has no gap at its top when the content above it grows', async () => {
  await show(`/prompts/${GREETING}/usage`);
  const table = byRole('table', 'Access history');
  await table.waitFor();
  await page.evaluate('document.querySelector("h1").style.paddingBottom = "900px"');
  await page.evaluate('document.querySelector("table[aria-rowcount]").scrollIntoView()');
  expect(await page.evaluate('scrollY')).toBeGreaterThan(400);
  await table.locator('tbody tr').first().and(page.locator('[aria-rowindex="2"]')).waitFor();
});
