import type { Context } from 'aws-lambda';
import { decodeJwt } from 'jose';
import { sessionGet } from '../../contract/endpoints/service.ts';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import type { HttpEvent } from '../../lambdas/http/call.ts';
import { operatorEndpoint } from '../../lambdas/http/operator-endpoint.ts';
import { commitChange } from '../../lambdas/store/audit.ts';
import { findOperator } from '../../lambdas/store/operators/operators.ts';
import { protectLabel } from '../../lambdas/store/prompts/protection.ts';
import { vaultHeadKey } from '../../lambdas/store/vault/head.ts';
import { vaultIn } from '../../lambdas/store/vault/vault.ts';
import { IDENTITY_PATH } from '../../local/identity/paths.ts';
import { CLIENT_ID, keysAt } from '../../local/identity/provider.ts';
import { ask, refused, send } from '../support/admin.ts';
import { openInstance } from '../support/instance.ts';
import { emailOf, operatorIdOf, tokenWith } from '../support/operators.ts';
import { changesBy, changesOf } from '../support/rows/audit.ts';
import { putEnvironments } from '../support/rows/environments.ts';
import { changeAt } from '../support/rows/table.ts';
import { editRow } from '../support/rows/tampering.ts';
import { anOperator, changed } from '../support/scenarios/operator-scenarios.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';
import { requestTokens, signIn } from '../support/sign-in.ts';
import { uniqueName } from '../support/unique-name.ts';

withSharedInstance();

test('an invited operator signs in, in the group', async () => {
  const { email } = await anOperator(instance);
  const { access_token: token } = await signIn(instance, email);
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

test('whom someone has made in Cognito, and whom somebody resets, gets another password', async () => {
  const sent: { readonly target: string; readonly body: Record<string, unknown> }[] = [];
  const watched = await openInstance({
    onCall: (_, target, body) => {
      if (target.includes('Admin')) sent.push({ target, body: body as Record<string, unknown> });
    },
  });
  const email = `${uniqueName('known')}@example.com`;
  await watched.addOperator({ email });
  const body = { emails: [email], group: 'viewer' };
  const [invited] = (await ask(watched, 'operators-invite', { body })).operators;
  await changed(watched, invited, { resetSignIn: true });
  await watched.stop();
  const given = sent.flatMap(
    ({ body: { Password, TemporaryPassword } }) => Password ?? TemporaryPassword ?? [],
  );
  expect(given.length).toBeGreaterThan(2);
  for (const password of given) expect(password).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*!).{28}$/);
  // What is set is what is mailed.
  expect(new Set(given).size).toBeLessThan(given.length);
});

test('lists operators by address, with group and status', async () => {
  const invited = await anOperator(instance, 'viewer');
  const disabled = await anOperator(instance);
  await changed(instance, disabled, { enabled: false });
  const { operators } = await ask(instance, 'operators-list');
  expect(operators).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ email: 'admin@example.com', group: 'admin', status: 'active' }),
      { ...invited, group: 'viewer', status: 'pending' },
      { ...disabled, group: 'editor', status: 'disabled' },
    ]),
  );
  const addresses = operators.map(({ email }: { email: string }) => email);
  expect(addresses).toEqual(addresses.toSorted((a: string, b: string) => a.localeCompare(b, 'en')));
});

const signedIn = async () => {
  const email = `${uniqueName('operator')}@example.com`;
  const { id } = await instance.addOperator({ email, group: 'editor' });
  const tokens = await signIn(instance, email);
  const renewed = () =>
    requestTokens(instance.url, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
  return { operatorId: id, email, token: tokens.access_token, renewed };
};

test('a disabled operator can neither sign in nor renew a session, until enabled again', async () => {
  const { renewed, ...operator } = await signedIn();
  const again = () => signIn(instance, operator.email);
  expect(await changed(instance, operator, { enabled: false })).toMatchObject({ status: 'disabled' });
  expect((await renewed()).status).toBe(400);
  await expect(again()).rejects.toThrow('refused');
  expect(await changed(instance, operator, { enabled: true })).toMatchObject({ status: 'active' });
  expect(await again()).toHaveProperty('access_token');
});

test('a reset ends all sessions', async () => {
  const { renewed, ...operator } = await signedIn();
  const { email } = operator;
  expect(await changed(instance, operator, { resetSignIn: true })).toMatchObject({ status: 'pending' });
  expect((await renewed()).status).toBe(400);
  expect(await signIn(instance, email)).toHaveProperty('access_token');
});

test('a removed operator is no longer listed and cannot sign in, until somebody invites the address again', async () => {
  const { token, ...operator } = await signedIn();
  const { email } = operator;
  await changed(instance, operator, { remove: true });
  await refused(instance, 'session-get', 'forbidden', { token });
  await expect(signIn(instance, email)).rejects.toThrow('refused');
  const listed = async () => JSON.stringify(await ask(instance, 'operators-list')).includes(email);
  expect(await listed()).toBe(false);
  await ask(instance, 'operators-invite', { body: { emails: [email], group: 'viewer' } });
  expect(await listed()).toBe(true);
  expect(await signIn(instance, email)).toHaveProperty('access_token');
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
      params: { operatorId: operator.operatorId },
      body,
      token,
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

test('a demotion between two transactions of one call stops the second, also if a viewer may make the call', async () => {
  const admin = await anOperator(instance, 'admin');
  const token = await tokenOf(admin);
  const tokenIssuer = instance.url + IDENTITY_PATH;
  const settings = { tokenIssuer, tokenClient: CLIENT_ID, tokenKeys: keysAt(tokenIssuer) };
  for (const [name, value] of Object.entries(settings))
    process.env[ENVIRONMENT[name as keyof typeof settings]] = value;
  const entry = { action: 'notification.test', subject: 'notifications', name: uniqueName('first') };
  const commits: string[] = [];
  const handler = operatorEndpoint(sessionGet, instance.table, async ({ table, change }) => {
    await commitChange(table, change, entry);
    commits.push('first');
    await changed(instance, admin, { group: 'editor' });
    await commitChange(table, change, entry);
    commits.push('second');
    throw new Error('unreachable');
  });
  const event = { headers: { authorization: `Bearer ${token}` } } as unknown as HttpEvent;
  const reply = await handler(event, {
    awsRequestId: 'request',
    getRemainingTimeInMillis: () => 10_000,
  } as Context);
  expect([reply.statusCode, commits]).toEqual([403, ['first']]);
});

test('of administrators who disable each other at once, one remains, and the log has one entry', async () => {
  const both = [await anOperator(instance, 'admin'), await anOperator(instance, 'admin')];
  const tokens = await Promise.all(both.map(tokenOf));
  const replies = await Promise.all(
    both.map(({ operatorId }, i) =>
      send(instance, 'operators-update', {
        params: { operatorId },
        body: { enabled: false },
        token: tokens[1 - i] ?? '',
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
    params: { operatorId: emailOf(['nobody', 'known']) },
    body: { enabled: false },
  });
});

test('tells operators who they are as the table says, whatever groups or address the token claims', async () => {
  const operatorId = await operatorIdOf(instance, ['viewer']);
  const claims = { username: operatorId, email: 'eve@example.com', 'cognito:groups': ['admin'] };
  const token = await tokenWith(instance, claims);
  const expected = {
    operatorId,
    email: 'viewer@example.com',
    group: 'viewer',
    protectedLabels: expect.any(Array),
    environments: await ask(instance, 'environments-list'),
  };
  expect(await ask(instance, 'session-get', { token })).toEqual(expected);
});

test('the list of operators says when each last signed in, however often an earlier session calls', async () => {
  const operatorId = await operatorIdOf(instance, ['editor']);
  const last = Math.floor(Date.now() / 1_000);
  for (const auth_time of [last - 60, last, last - 30])
    await ask(instance, 'session-get', {
      token: await tokenWith(instance, { username: operatorId, auth_time }),
    });
  const { operators } = await ask(instance, 'operators-list');
  expect(operators).toContainEqual(
    expect.objectContaining({ operatorId, signedInAt: new Date(last * 1_000).toISOString() }),
  );
});

test('tells every operator which labels are protected, since when and by whom, sorted by name', async () => {
  const one = uniqueName('label');
  const other = uniqueName('label');
  const change = changeAt();
  for (const label of [other, one]) await protectLabel(instance.table, change, label);
  const { protectedLabels } = await ask(instance, 'session-get', { groups: ['viewer'] });
  const names = protectedLabels.map(({ label }: { label: string }) => label);
  expect(names).toEqual([...names].sort());
  const since = { protectedAt: change.at.toISOString(), protectedBy: change.actor.name };
  for (const label of [one, other]) expect(protectedLabels).toContainEqual({ label, ...since });
});

test('a user whom nobody has invited is no operator', async () => {
  const { id: username } = await instance.addOperator({ email: 'user@example.com' });
  const token = await tokenWith(instance, { username, 'cognito:groups': ['admin'] });
  expect(await refused(instance, 'session-get', 'forbidden', { token })).toContain('invite');
});

test('a forged row of a vault does not keep operators out, nor hide the other environments', async () => {
  const forged = await openInstance();
  await putEnvironments(forged);
  await forged.settled();
  await editRow(forged.table, vaultHeadKey(vaultIn(forged.table, 'staging')), { count: 99 });
  const session = await ask(forged, 'session-get');
  const metrics = forged.logs.join().match(/"IntegrityFailures":1/g);
  await forged.stop();
  expect(session).toMatchObject({ group: 'admin', protectedLabels: expect.any(Array) });
  expect(session.environments.environments).toMatchObject([
    ...[
      { name: 'default', secrets: expect.any(Number) },
      { name: 'staging', secrets: null, stopped: null },
    ],
  ]);
  expect(metrics).not.toBeNull();
});

const ARN = 'arn:aws:sts::1:assumed-role/Admin/ada';

const manage = async (input: object) => {
  const outcome = await instance.invoke('operator-manage', { operator: ARN, input });
  return (outcome as { reply?: { res?: Record<string, unknown>; code?: string } }).reply ?? {};
};

const rowOf = async (address: string) =>
  (await ask(instance, 'operators-list')).operators.find(({ email }: { email: string }) => email === address);

test('whoever may invoke the command adds, moves, resets and disables operators, and the log names them', async () => {
  const email = `${uniqueName('managed')}@example.com`;
  await instance.addOperator({ email });
  expect((await manage({ do: 'add', email, group: 'viewer' })).res).toEqual({ invited: true });
  expect((await manage({ do: 'add', email, group: 'admin' })).res).toEqual({ invited: false });
  const { res } = await manage({ do: 'reset', email, print: true });
  expect(res?.password).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*!).{28}$/);
  expect((await manage({ do: 'disable', email })).res).toEqual({});
  expect(await rowOf(email)).toMatchObject({ status: 'disabled' });
  expect((await manage({ do: 'list' })).res?.operators).toContainEqual(await rowOf(email));
  const actions = (await changesOf(instance, email)).map(({ action, actor }) => [action, actor]);
  const verbs = ['disable', 'reset', 'change-group', 'invite'];
  expect(actions).toEqual(verbs.map((verb) => [`operator.${verb}`, ARN]));
});

test('an operator who is removed may do nothing, also after a new invitation of the address', async () => {
  const { email, operatorId } = await anOperator(instance);
  const token = await tokenWith(instance, { username: operatorId });
  expect((await manage({ do: 'remove', email })).res).toEqual({});
  await refused(instance, 'session-get', 'forbidden', { token });
  expect(await rowOf(email)).toBeUndefined();
  expect((await manage({ do: 'add', email, group: 'viewer' })).res).toEqual({ invited: true });
  await refused(instance, 'session-get', 'forbidden', { token });
  expect(await findOperator(instance.table, operatorId)).toMatchObject({ status: 'removed' });
});

test('an address that nobody has is reported', async () => {
  for (const what of ['disable', 'remove'])
    expect((await manage({ do: what, email: 'nobody@example.org' })).code).toBe('operator_not_found');
});
