import {
  absent,
  appears,
  arrive,
  byRole,
  dialog,
  enter,
  exactly,
  follow,
  gone,
  instance,
  menu,
  openSite,
  press,
  rowWith,
  see,
  signedIn,
  tick,
} from '../../support/browser/site.ts';
import { operatorIdOf } from '../../support/operators.ts';
import { changed } from '../../support/scenarios/operator-scenarios.ts';
import { signIn } from '../../support/sign-in.ts';
import { uniqueName } from '../../support/unique-name.ts';

const email = `${uniqueName('grace')}@example.com`;

openSite({ sample: true });

beforeAll(async () => {
  await arrive({ path: '/audit' });
  await follow('Operators');
});

const row = () => rowWith(email);
const act = (item: string) => menu(`More actions for ${email}`, item);

test('an invited operator is listed, and how they sign in', async () => {
  await exactly('button', 'Invite').click();
  const form = dialog('Invite operators');
  await enter('E-mail address', email, form);
  await tick('editor', form);
  await form.getByText(instance.url, { exact: true }).waitFor();
  await appears('button', 'Copy the address', form);
  await press('Invite', form);
  await see('Nothing is mailed here, and nobody has a password', byRole('alert'));
  await exactly('cell', 'temporary password', row()).waitFor();
});

test('the group can be changed, and the account disabled and enabled again', async () => {
  await act('Change the group');
  const form = dialog('Change the group');
  await tick('viewer', form);
  await press('Change the group', form);
  await exactly('cell', 'viewer', row()).waitFor();
  await act('Disable');
  await press('Disable', dialog());
  await press(`Enable ${email}`);
  await gone(byRole('button', `Enable ${email}`));
});

test('an open page of an operator asks to sign in again within a minute of a reset', async () => {
  const groups = ['viewer', 'reset'];
  const viewer = await signedIn({ groups });
  const operatorId = await operatorIdOf(instance, groups);
  await viewer.page.clock.install();
  await viewer.page.reload();
  await appears('link', 'greeting', viewer.page);
  await changed({ operatorId }, { resetSignIn: true });
  await viewer.page.clock.fastForward(60_000);
  await appears('dialog', 'Your session has ended', viewer.page);
  await viewer.close();
});

test('a locked-out operator signs in again after a reset', async () => {
  await signIn(instance, email);
  await act('Reset password and second factor');
  const form = dialog('Reset the sign-in');
  await exactly('button', 'Reset', form).click();
  await gone(form);
  await exactly('cell', 'temporary password', row()).waitFor();
  expect(await signIn(instance, email)).toHaveProperty('id_token');
});

test('an operator is removed by their address, and leaves the list', async () => {
  await act('Remove');
  const form = dialog('Remove the operator');
  await form.getByRole('textbox').fill(email);
  await press('Remove', form);
  await gone(row());
});

test('other groups do not see the screen', async () => {
  const editor = await signedIn({ groups: ['editor'], path: '/operators' });
  await see('Only administrators may manage operators', editor.page);
  await absent(byRole('link', 'Operators', editor.page));
  await editor.close();
});
