import { operatorsInvite } from '../../../contract/endpoints/operators/operators-invite.ts';
import { signIn } from '../../../local/identity/client.ts';
import { ask, refused } from '../../support/admin.ts';
import { tokenWith } from '../../support/operators.ts';
import { anOperator, changed, mailedPassword } from '../../support/scenarios/operator-scenarios.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

test('an invited operator signs in with the temporary password, in the group', async () => {
  const { email } = await anOperator(instance);
  const { access_token: token } = await signIn(instance.url, {
    email,
    password: mailedPassword(instance, email),
  });
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  expect(claims).toMatchObject({ email, 'cognito:groups': ['editor'] });
});

test('someone who is an operator already is not invited again, however the address is written', async () => {
  const { email } = await anOperator(instance);
  const body = { email: email.toUpperCase(), group: 'admin' };
  expect(await refused(instance, operatorsInvite, 'operator_exists', { body })).toContain('operator already');
});

test.each(['', 'no address', 'a@b@c', 'ada @example.com', 'ada@example.com\u202e'])(
  '"%s" is no address',
  async (email) => {
    await refused(instance, operatorsInvite, 'invalid_request', { body: { email, group: 'viewer' } });
  },
);

test.each([{ enabled: false }, { group: 'editor' }])(
  'an administrator after %j invites nobody, although the access token is still valid',
  async (change) => {
    const former = await anOperator(instance, 'admin');
    const token = await tokenWith(instance, { email: former.email, 'cognito:groups': ['admin'] });
    const body = () => ({ email: `${uniqueName('accomplice')}@example.com`, group: 'admin' });
    await ask(instance, operatorsInvite, { body: body(), token });
    await changed(instance, former, change);
    await refused(instance, operatorsInvite, 'forbidden', { body: body(), token });
  },
);
