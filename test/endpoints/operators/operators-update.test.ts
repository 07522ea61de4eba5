import { decodeJwt } from 'jose';
import { ask, refused, send } from '../../support/admin.ts';
import { emailOf, PASSWORD, tokenWith } from '../../support/operators.ts';
import { changesBy, changesOf } from '../../support/rows/audit.ts';
import { anOperator, changed, mailedPassword } from '../../support/scenarios/operator-scenarios.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { requestTokens, signIn } from '../../support/sign-in.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

const signedIn = async () => {
  const email = `${uniqueName('operator')}@example.com`;
  const { id } = await instance.addOperator({ email, password: PASSWORD, group: 'editor' });
  const tokens = await signIn(instance.url, { email, password: PASSWORD });
  const renewed = () =>
    requestTokens(instance.url, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
  return { operatorId: id, email, token: tokens.access_token, renewed };
};

test('a disabled operator can neither sign in nor renew a session, until enabled again', async () => {
  const { renewed, ...operator } = await signedIn();
  const again = () => signIn(instance.url, { email: operator.email, password: PASSWORD });
  expect(await changed(instance, operator, { enabled: false })).toMatchObject({ status: 'disabled' });
  expect((await renewed()).status).toBe(400);
  await expect(again()).rejects.toThrow('refused');
  expect(await changed(instance, operator, { enabled: true })).toMatchObject({ status: 'active' });
  expect(await again()).toHaveProperty('access_token');
});

test('a reset ends all sessions, and only the temporary password that was mailed works afterwards', async () => {
  const { renewed, ...operator } = await signedIn();
  const { email } = operator;
  expect(await changed(instance, operator, { resetSignIn: true })).toMatchObject({ status: 'pending' });
  expect((await renewed()).status).toBe(400);
  await expect(signIn(instance.url, { email, password: PASSWORD })).rejects.toThrow('refused');
  const password = mailedPassword(instance, email);
  expect(await signIn(instance.url, { email, password })).toHaveProperty('access_token');
});

test('a removed operator is no longer listed and cannot sign in, until somebody invites the address again', async () => {
  const { token, ...operator } = await signedIn();
  const { email } = operator;
  await changed(instance, operator, { remove: true });
  await refused(instance, 'session-get', 'forbidden', { token });
  await expect(signIn(instance.url, { email, password: PASSWORD })).rejects.toThrow('refused');
  const listed = async () => JSON.stringify(await ask(instance, 'operators-list')).includes(email);
  expect(await listed()).toBe(false);
  await ask(instance, 'operators-invite', { body: { emails: [email], group: 'viewer' } });
  expect(await listed()).toBe(true);
  const password = mailedPassword(instance, email);
  expect(await signIn(instance.url, { email, password })).toHaveProperty('access_token');
});

test.each([
  ['a reset', [{ resetSignIn: true }]],
  ['disabling, although enabled again', [{ enabled: false }, { enabled: true }]],
] as const)(
  '%s ends access with the tokens of earlier sign-ins, and not of later ones',
  async (_, changes) => {
    const { token, ...operator } = await signedIn();
    await ask(instance, 'session-get', { token });
    for (const change of changes) await changed(instance, operator, change);
    await refused(instance, 'session-get', 'unauthenticated', { token });
    const username = operator.operatorId;
    const auth_time = Math.ceil(Date.now() / 1_000);
    await ask(instance, 'session-get', { token: await tokenWith(instance, { username, auth_time }) });
  },
);

test('a renewed token has the time of its sign-in', async () => {
  const { token, renewed } = await signedIn();
  const { access_token } = (await (await renewed()).json()) as { access_token: string };
  const time = decodeJwt(token).auth_time;
  expect(time).toEqual(expect.any(Number));
  expect(decodeJwt(access_token).auth_time).toBe(time);
});

test('each change is in the audit log once, however often it is repeated, and never a password', async () => {
  const operator = await anOperator(instance);
  for (const body of [{ group: 'viewer' }, { enabled: false }, { enabled: true }, { resetSignIn: true }]) {
    await changed(instance, operator, body);
    if (!('resetSignIn' in body)) await changed(instance, operator, body);
  }
  const entries = (await changesBy(instance, ['admin'])).filter(({ subject }) => subject === operator.email);
  expect(entries.map(({ action, details }) => [action, details])).toEqual([
    ['operator.reset', {}],
    ['operator.enable', {}],
    ['operator.disable', {}],
    ['operator.change-group', { from: 'editor', to: 'viewer' }],
    ['operator.invite', { group: 'editor' }],
  ]);
});

const tokenOf = ({ operatorId }: { readonly operatorId: string }) =>
  tokenWith(instance, { username: operatorId });

test('nobody changes their own account, so an administrator always remains', async () => {
  const operator = await anOperator(instance, 'admin');
  const token = await tokenOf(operator);
  for (const body of [{ group: 'viewer' }, { enabled: false }, { resetSignIn: true }, { remove: true }]) {
    const sentence = await refused(instance, 'operators-update', 'forbidden', {
      ...{ params: { operatorId: operator.operatorId }, body, token },
    });
    expect(sentence).toContain('your own account');
  }
});

test.each([{ enabled: false }, { group: 'editor' }])(
  'an administrator after %j makes no key, changes no operator and unprotects no label, although the token is valid',
  async (change) => {
    const former = await anOperator(instance, 'admin');
    const token = await tokenOf(former);
    const label = uniqueName('guarded');
    await ask(instance, 'labels-protect', { params: { label }, token });
    await changed(instance, former, change);
    const body = { name: 'for ever', permissions: ['secrets'] };
    await refused(instance, 'keys-create', 'forbidden', { body, token });
    await refused(instance, 'labels-unprotect', 'forbidden', { params: { label }, token });
    const { operatorId } = await anOperator(instance);
    const promotion = { params: { operatorId }, body: { group: 'admin' } };
    await refused(instance, 'operators-update', 'forbidden', { ...promotion, token });
  },
);

test('of administrators who disable each other at once, one remains, and the log has one entry', async () => {
  const both = [await anOperator(instance, 'admin'), await anOperator(instance, 'admin')];
  const tokens = await Promise.all(both.map(tokenOf));
  const replies = await Promise.all(
    both.map(({ operatorId }, i) =>
      send(instance, 'operators-update', {
        ...{ params: { operatorId }, body: { enabled: false }, token: tokens[1 - i] ?? '' },
      }),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 403]);
  const entries = (await Promise.all(both.map(({ email }) => changesOf(instance, email)))).flat();
  expect(entries.filter(({ action }) => action === 'operator.disable')).toHaveLength(1);
});

test('a user who does not exist, and several changes at once, are refused', async () => {
  const params = { operatorId: (await anOperator(instance)).operatorId };
  const several = { group: 'viewer', enabled: true };
  await refused(instance, 'operators-update', 'invalid_request', { params, body: several });
  await refused(instance, 'operators-update', 'invalid_request', { params, body: {} });
  await refused(instance, 'operators-update', 'operator_not_found', {
    ...{ params: { operatorId: emailOf(['nobody', 'known']) }, body: { enabled: false } },
  });
});
