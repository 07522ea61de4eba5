import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { NOT_INVITED } from '../../../contract/sign-in.ts';
import { COMPANY_FILE, type CompanyPerson } from '../../../local/identity/company.ts';
import { ask } from '../../support/admin.ts';
import { admit, newProfile, watch } from '../../support/browser/browser.ts';
import {
  absent,
  appears,
  browser,
  byRole,
  enter,
  exactly,
  follow,
  headed,
  instance,
  openSite,
  press,
  rowWith,
  see,
} from '../../support/browser/site.ts';
import { emailOf, ensureOperator } from '../../support/operators.ts';
import { authorizationRequest } from '../../support/sign-in.ts';

const employ = (people: readonly CompanyPerson[]): void =>
  writeFileSync(path.join(instance.dataFolder, COMPANY_FILE), JSON.stringify(people));

openSite({ hasCompany: true, provoked: /status of 403/ });

beforeAll(() => ensureOperator(instance, ['admin']));

const invite = (email: string, group = 'viewer') =>
  ask('operators-invite', { emails: [email], group, signIn: 'company' });

const COMPANY = 'Sign in through your company';
const PASSWORD = 'Sign in with a password';

/** Opens the site in a browser that nobody has used. */
const open = async (): Promise<Page> => {
  const page = await (await newProfile(browser)).newPage();
  watch(page);
  await page.goto(`${instance.url}/prompts`);
  return page;
};

/** Signs in at the company. */
const arrive = async (email: string): Promise<Page> => {
  const page = await open();
  await press(COMPANY, page);
  await press(email, page);
  return page;
};

/** Signs in as the administrator who has a password on AWS, and opens the link here. */
const arriveBeside = async (): Promise<Page> => {
  const page = await open();
  await admit(page.context(), instance);
  await press(PASSWORD, page);
  return page;
};

const menuOf = (page: Page, email: string) => byRole('button', email, page);
const leave = (page: Page) => page.context().close();

test('who has signed in through the company cannot continue as an operator of the link', async () => {
  employ([{ sub: 'U-0', email: 'oscar@company.example', email_verified: true }]);
  await invite('oscar@company.example');
  const page = await arrive('oscar@company.example');
  await menuOf(page, 'oscar@company.example').waitFor();
  await page.goto(authorizationRequest(instance.url, { prompt: 'login' }).address);
  await see('Open the link', page);
  await leave(page);
});

test('a person who is invited signs in through the company, and an operator with a password beside them', async () => {
  employ([{ sub: 'U-1', email: 'ada@company.example', email_verified: true }]);
  await invite('ada@company.example', 'editor');
  const page = await arrive('ada@company.example');
  await menuOf(page, 'ada@company.example').waitFor();
  await page.reload();
  await menuOf(page, 'ada@company.example').waitFor();
  await menuOf(page, 'ada@company.example').click();
  await byRole('menuitem', 'Sign out', page).click();
  // Signing out ends with this page; before, it would end the session that follows.
  await appears('button', PASSWORD, page);
  await admit(page.context(), instance);
  await press(PASSWORD, page);
  await menuOf(page, emailOf(['admin'])).waitFor();
  await leave(page);
});

test('a renamed person stays the same operator; a second person with the former address is nobody', async () => {
  employ([
    { sub: 'U-1', email: 'ada.b@company.example', email_verified: true },
    { sub: 'U-2', email: 'ada@company.example', email_verified: true },
  ]);
  const renamed = await arrive('ada.b@company.example');
  await menuOf(renamed, 'ada.b@company.example').waitFor();
  await byRole('link', 'New prompt', renamed).first().waitFor();
  await leave(renamed);
  const second = await arrive('ada@company.example');
  await see(NOT_INVITED, second);
  expect(new URL(second.url()).search).toContain('PreSignUp');
  await press('Try again', second);
  await appears('button', COMPANY, second);
  await leave(second);
});

test('of an address that anybody can write, a text of a stranger is never shown', async () => {
  const page = await (await newProfile(browser)).newPage();
  watch(page);
  await page.goto(`${instance.url}/signed-in?error=access_denied&error_description=Call+0900+123&state=x`);
  await headed('Sign-in failed', page);
  await absent(page.getByText('0900'));
  await leave(page);
});

test('with an unverified address, a person waits until an administrator confirms them on the operators screen', async () => {
  employ([{ sub: 'U-3', email: 'eve@company.example' }]);
  await invite('eve@company.example');
  const page = await arrive('eve@company.example');
  await see('ask an administrator to invite or confirm you', page);
  const admin = await arriveBeside();
  await follow('Operators', admin);
  const row = rowWith('eve@company.example', admin);
  await see('U-3 signed in with this address, unverified', row);
  await press('Confirm', row);
  await press('Confirm', admin.getByRole('dialog'));
  await see('through the company, as U-3', row);
  await page.reload();
  await menuOf(page, 'eve@company.example').waitFor();
  await Promise.all([leave(page), leave(admin)]);
});

test('whoever is signed in at one door is refused at the other, and nobody is taken for somebody else', async () => {
  const page = await arriveBeside();
  await menuOf(page, emailOf(['admin'])).waitFor();
  await page.evaluate("sessionStorage.setItem('cuevault-door', 'company')");
  await page.reload();
  await see('not an operator who signs in this way', page);
  await leave(page);
});

test('an invitation of several addresses says how they sign in, and the list shows them', async () => {
  const page = await arriveBeside();
  await follow('Operators', page);
  await exactly('button', 'Invite', page).click();
  const form = byRole('dialog', 'Invite operators', page);
  await enter('E-mail addresses', 'x@company.example\nada.b@company.example', form);
  await see('within 14 days', form);
  await press('Invite', form);
  await see('Already operators: ada.b@company.example', page);
  await rowWith('x@company.example', page).getByRole('cell', { name: 'invited', exact: true }).waitFor();
  expect((await ask('session-get')).group).toBe('admin');
  await leave(page);
});
