import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';
import { authorizationRequest, type Browser, createBrowser } from '../../support/sign-in.ts';

withOwnInstance();

const openForm = async (): Promise<{ browser: Browser; form: string }> => {
  const browser = createBrowser();
  const response = await browser.send(authorizationRequest(instance.url).address);
  return { browser, form: new URL(response.headers.get('location') ?? '', instance.url).href };
};

test('the page runs no script, loads nothing, and cannot be framed or kept', async () => {
  const { browser, form } = await openForm();
  const response = await browser.send(form);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const page = await response.text();
  expect(page).not.toMatch(/<script|https?:\/\//);
  expect(page).toContain('<label for="password">');
});

test('an unknown address and a wrong password get the same reply, and input is escaped', async () => {
  const { browser, form } = await openForm();
  const { email, password } = instance.firstRun.operators.admin;
  const attempt = async (typed: Record<string, string>) => (await browser.send(form, typed)).text();
  const wrong = await attempt({ email, password: `${password}x` });
  const unknown = await attempt({ email: 'who@example.com', password });
  expect(wrong).toContain('role="alert"');
  expect(wrong.replace(email, '')).toBe(unknown.replace('who@example.com', ''));
  const page = await attempt({ email: '"><script>alert(1)</script>', password });
  expect(page).not.toContain('<script>');
});

test('the address is accepted in any case and with surrounding spaces', async () => {
  const { browser, form } = await openForm();
  const { password } = instance.firstRun.operators.admin;
  const response = await browser.send(form, { email: ' Admin@Example.COM ', password });
  expect(response.status).toBe(303);
});

test('a form from another origin or browser is rejected', async () => {
  const { form } = await openForm();
  const operator = instance.firstRun.operators.admin;
  expect((await createBrowser().send(form, operator)).status).toBe(400);
  const { browser, form: own } = await openForm();
  const foreign = await browser.send(own, operator, { origin: 'http://localhost:1' });
  expect(foreign.status).toBe(403);
});

test('a password is neither in the logs nor in the database', async () => {
  const { browser, form } = await openForm();
  const operator = instance.firstRun.operators.admin;
  expect((await browser.send(form, operator)).status).toBe(303);
  const files = readdirSync(instance.dataFolder).filter((name) => name.startsWith('identity.sqlite'));
  const stored = files.map((name) => readFileSync(path.join(instance.dataFolder, name), 'latin1')).join('');
  expect(stored).toContain(operator.email);
  expect(instance.logs.join('') + stored).not.toContain(operator.password);
});
