import type { Page } from 'playwright-core';
import { type Visit, visit } from '../../support/browser/browser.ts';
import { browser, instance, openSite } from '../../support/browser/site.ts';
import { operatorIdOf } from '../../support/operators.ts';
import { changed } from '../../support/scenarios/operator-scenarios.ts';
import { signIn } from '../../support/sign-in.ts';
import { uniqueName } from '../../support/unique-name.ts';

let admin: Visit;
let page: Page;
const email = `${uniqueName('grace')}@example.com`;

openSite({ sample: true });

beforeAll(async () => {
  admin = await visit(browser, instance, { path: '/audit' });
  page = admin.page;
  await page.getByRole('link', { name: 'Operators' }).click();
});

const row = () => page.getByRole('row').filter({ hasText: email });
const menu = async (item: string) => {
  await page.getByRole('button', { name: `More actions for ${email}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

test('an invited operator is listed, and how they sign in', async () => {
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Invite operators' });
  await form.getByRole('textbox', { name: 'E-mail address' }).fill(email);
  await form.getByRole('radio', { name: 'editor' }).check();
  await form.getByText(instance.url, { exact: true }).waitFor();
  await form.getByRole('button', { name: 'Copy the address' }).waitFor();
  await form.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('alert').getByText('Nothing is mailed here, and nobody has a password').waitFor();
  await row().getByRole('cell', { name: 'temporary password', exact: true }).waitFor();
  await row().getByText('invited by admin@example.com on').waitFor();
});

test('the group can be changed, and the account disabled and enabled again', async () => {
  await menu('Change the group');
  const form = page.getByRole('dialog', { name: 'Change the group' });
  await form.getByRole('radio', { name: 'viewer' }).check();
  await form.getByRole('button', { name: 'Change the group' }).click();
  await row().getByRole('cell', { name: 'viewer', exact: true }).waitFor();
  await page.getByRole('button', { name: `Disable ${email}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('button', { name: `Enable ${email}` }).click();
  await page.getByRole('button', { name: `Disable ${email}` }).waitFor();
});

test('an open page of an operator asks to sign in again within a minute of a reset', async () => {
  const groups = ['viewer', 'reset'];
  const viewer = await visit(browser, instance, { groups });
  const operatorId = await operatorIdOf(instance, groups);
  await viewer.page.clock.install();
  await viewer.page.reload();
  await viewer.page.getByRole('link', { name: 'greeting' }).waitFor();
  await changed(instance, { operatorId }, { resetSignIn: true });
  await viewer.page.clock.fastForward(60_000);
  await viewer.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await viewer.close();
});

test('a locked-out operator signs in again after a reset', async () => {
  await signIn(instance, email);
  await menu('Reset password and second factor');
  const form = page.getByRole('dialog', { name: 'Reset the sign-in' });
  await form.getByRole('button', { name: 'Reset', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  await row().getByRole('cell', { name: 'temporary password', exact: true }).waitFor();
  expect(await signIn(instance, email)).toHaveProperty('id_token');
});

test('an operator is removed by their address, and leaves the list', async () => {
  await menu('Remove');
  const form = page.getByRole('dialog', { name: 'Remove the operator' });
  await form.getByRole('textbox').fill(email);
  await form.getByRole('button', { name: 'Remove' }).click();
  await row().waitFor({ state: 'detached' });
});

test('the own account has no actions, and other groups do not see the screen', async () => {
  expect(
    await page.getByRole('button', { name: /^(Disable|More actions for) admin@example\.com$/ }).count(),
  ).toBe(0);
  const editor = await visit(browser, instance, { groups: ['editor'], path: '/operators' });
  await editor.page.getByText('Only administrators may manage operators').waitFor();
  expect(await editor.page.getByRole('link', { name: 'Operators' }).count()).toBe(0);
  await editor.close();
  await admin.close();
});
