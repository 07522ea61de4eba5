import { ask, refused, send } from '../../support/admin.ts';
import { anOperator, mailedPassword } from '../../support/scenarios/operator-scenarios.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { signIn } from '../../support/sign-in.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

test('an invited operator signs in with the temporary password, in the group', async () => {
  const { email } = await anOperator(instance);
  const { access_token: token } = await signIn(instance.url, {
    email,
    password: mailedPassword(instance, email),
  });
  expect(await ask(instance, 'session-get', { token })).toMatchObject({ email, group: 'editor' });
});

test('someone who is an operator already is not invited again, however the address is written', async () => {
  const { email } = await anOperator(instance);
  const body = { emails: [email.toUpperCase()], group: 'admin' };
  expect(await refused(instance, 'operators-invite', 'operator_exists', { body })).toContain(
    'operator already',
  );
});

test.each(['', 'no address', 'a@b@c', 'ada @example.com', 'ada@example.com\u202e'])(
  '"%s" is no address',
  async (email) => {
    await refused(instance, 'operators-invite', 'invalid_request', {
      body: { emails: [email], group: 'viewer' },
    });
  },
);

test('of several invitations of one address at once, one succeeds, with its group', async () => {
  const email = `${uniqueName('raced')}@example.com`;
  const groups = ['viewer', 'admin', 'editor'];
  const replies = await Promise.all(
    groups.map((group) => send(instance, 'operators-invite', { body: { emails: [email], group } })),
  );
  const won = replies.findIndex(({ status }) => status === 200);
  expect(replies.map(({ code }) => code).filter((code) => code === 'operator_exists')).toHaveLength(2);
  const { operators } = await ask(instance, 'operators-list');
  const listed = operators.filter((operator: { email: string }) => operator.email === email);
  expect(listed).toEqual([expect.objectContaining({ group: groups[won] })]);
});

test('a user whom someone has made in Cognito gets another password with the invitation', async () => {
  const known = { email: `${uniqueName('known')}@example.com`, password: 'known to someone' };
  await instance.addOperator(known);
  await ask(instance, 'operators-invite', { body: { emails: [known.email], group: 'viewer' } });
  await expect(signIn(instance.url, known)).rejects.toThrow('refused');
  const password = mailedPassword(instance, known.email);
  expect(await signIn(instance.url, { email: known.email, password })).toHaveProperty('access_token');
});
