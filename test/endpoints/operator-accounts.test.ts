import type { Context } from 'aws-lambda';
import { decodeJwt } from 'jose';
import { sessionGet } from '../../contract/endpoints/service.ts';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import type { ErrorCode } from '../../contract/http/errors.ts';
import type { HttpEvent } from '../../lambdas/http/call.ts';
import { operatorEndpoint } from '../../lambdas/http/operator-endpoint.ts';
import { commitChange } from '../../lambdas/store/audit.ts';
import { findOperator } from '../../lambdas/store/operators/operators.ts';
import { protectLabel } from '../../lambdas/store/prompts/protection.ts';
import { vaultHeadKey } from '../../lambdas/store/vault/head.ts';
import { vaultIn } from '../../lambdas/store/vault/vault.ts';
import { IDENTITY_PATH } from '../../local/identity/paths.ts';
import { CLIENT_ID, keysAt } from '../../local/identity/provider.ts';
import { ask, column, refused, send } from '../support/admin.ts';
import { openInstance } from '../support/instance.ts';
import { operatorIdOf, PASSWORD, tokenWith } from '../support/operators.ts';
import { changesOf } from '../support/rows/audit.ts';
import { addEnvironments } from '../support/rows/environments.ts';
import { createTestKms } from '../support/rows/kms.ts';
import { changeAt } from '../support/rows/table.ts';
import { editRow } from '../support/rows/tampering.ts';
import { anOperator, changed } from '../support/scenarios/operator-scenarios.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';
import { requestTokens, signIn, type Tokens } from '../support/sign-in.ts';
import { uniqueName } from '../support/unique-name.ts';

withSharedInstance();

interface Row {
  readonly email: string;
  readonly operatorId: string;
}
const listed = async (): Promise<Row[]> => (await ask('operators-list')).operators;
const rowOf = async (address: string) => (await listed()).find(({ email }) => email === address);
const tokenOf = ({ operatorId }: Pick<Row, 'operatorId'>, claims = {}) =>
  tokenWith(instance, { username: operatorId, ...claims });

test('an invited operator signs in, in the group, and is not invited again, however the address is written', async () => {
  const { email } = await anOperator();
  const { access_token: token } = await signIn(instance, email);
  expect(await ask('session-get', {}, { token })).toMatchObject({ email, group: 'editor' });
  const again = { emails: [email.toUpperCase()], group: 'admin' };
  expect(await refused('operators-invite', 'operator_exists', again)).toContain('operator already');
});

test.each(['', 'no address', 'a@b@c', 'ada @example.com', 'ada@example.com\u202e'])(
  '"%s" is no address',
  async (email) => {
    await refused('operators-invite', 'invalid_request', { emails: [email], group: 'viewer' });
  },
);

test('lists operators by address, with group, status and when each last signed in, however often an earlier session calls', async () => {
  const invited = await anOperator('viewer');
  const disabled = await anOperator();
  await changed(disabled, { enabled: false });
  const admin = { operatorId: await operatorIdOf(instance) };
  const last = Math.floor(Date.now() / 1_000);
  for (const auth_time of [last - 60, last, last - 30])
    await ask('session-get', {}, { token: await tokenOf(admin, { auth_time }) });
  const signedInAt = new Date(last * 1_000).toISOString();
  const operators = await listed();
  for (const row of [
    { ...invited, group: 'viewer', status: 'pending' },
    { ...disabled, group: 'editor', status: 'disabled' },
    expect.objectContaining({ ...admin, group: 'admin', status: 'active', signedInAt }),
  ])
    expect(operators).toContainEqual(row);
  expect(operators).toEqual(operators.toSorted((a, b) => a.email.localeCompare(b.email, 'en')));
});

const signedIn = async () => {
  const email = `${uniqueName('operator')}@example.com`;
  const { id: operatorId } = await instance.addOperator({ email, group: 'editor' });
  const { access_token: token, refresh_token } = await signIn(instance, email);
  return { operatorId, email, token, refresh_token };
};
const renew = (refresh_token: string) =>
  requestTokens(instance.url, { grant_type: 'refresh_token', refresh_token });

test('a renewed token has the time of its sign-in; a disabled operator can neither sign in nor renew a session, until enabled again, and a reset ends all sessions', async () => {
  const { token, ...operator } = await signedIn();
  const again = () => signIn(instance, operator.email);
  const tokens = (await (await renew(operator.refresh_token)).json()) as Tokens;
  const time = decodeJwt(token).auth_time;
  expect(time).toEqual(expect.any(Number));
  expect(decodeJwt(tokens.access_token).auth_time).toBe(time);
  expect(await changed(operator, { enabled: false })).toMatchObject({ status: 'disabled' });
  expect((await renew(tokens.refresh_token)).status).toBe(400);
  await expect(again()).rejects.toThrow('refused');
  expect(await changed(operator, { enabled: true })).toMatchObject({ status: 'active' });
  const { refresh_token } = await again();
  expect(await changed(operator, { resetSignIn: true })).toMatchObject({ status: 'pending' });
  expect((await renew(refresh_token)).status).toBe(400);
  expect(await again()).toHaveProperty('access_token');
});

test.each([
  ['a reset', [{ resetSignIn: true }]],
  ['disabling, although enabled again', [{ enabled: false }, { enabled: true }]],
] as const)(
  '%s ends access with the tokens of earlier sign-ins, and not of later ones',
  async (_, changes) => {
    const operator = await anOperator();
    const token = await tokenOf(operator, { auth_time: Math.floor(Date.now() / 1_000) - 5 });
    await ask('session-get', {}, { token });
    for (const change of changes) await changed(operator, change);
    await refused('session-get', 'unauthenticated', {}, { token });
    const auth_time = Math.ceil(Date.now() / 1_000);
    await ask('session-get', {}, { token: await tokenOf(operator, { auth_time }) });
  },
);

test('each change is in the audit log once, however often it is repeated, and never a password', async () => {
  const operator = await anOperator();
  for (const body of [{ group: 'viewer' }, { enabled: false }, { enabled: true }, { resetSignIn: true }]) {
    await changed(operator, body);
    if (!('resetSignIn' in body)) await changed(operator, body);
  }
  const entries = await changesOf(operator.email);
  expect(entries.map(({ action, details }) => [action, details])).toEqual([
    ['operator.reset', {}],
    ['operator.enable', {}],
    ['operator.disable', {}],
    ['operator.change-group', { from: 'editor', to: 'viewer' }],
    ['operator.invite', { group: 'editor' }],
  ]);
});

test('nobody changes their own account, so an administrator always remains', async () => {
  const { operatorId } = await anOperator('admin');
  const token = await tokenOf({ operatorId });
  for (const body of [{ group: 'viewer' }, { enabled: false }, { resetSignIn: true }, { remove: true }])
    expect(await refused('operators-update', 'forbidden', { operatorId, ...body }, { token })).toContain(
      'your own account',
    );
});

test('a demotion between two transactions of one call stops the second, also if a viewer may make the call', async () => {
  const admin = await anOperator('admin');
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
    await changed(admin, { group: 'editor' });
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
  const both = [await anOperator('admin'), await anOperator('admin')];
  const tokens = await Promise.all(both.map((one) => tokenOf(one)));
  const replies = await Promise.all(
    both.map(({ operatorId }, i) =>
      send('operators-update', { operatorId, enabled: false }, { token: tokens[1 - i] }),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 403]);
  const entries = (await Promise.all(both.map(({ email }) => changesOf(email)))).flat();
  expect(entries.filter(({ action }) => action === 'operator.disable')).toHaveLength(1);
});

test('a user who does not exist, and none or several changes at once, are refused', async () => {
  const { operatorId } = await anOperator();
  for (const wrong of [{}, { group: 'viewer', enabled: true }])
    await refused('operators-update', 'invalid_request', { operatorId, ...wrong });
  await refused('operators-update', 'operator_not_found', { operatorId: 'nobody', enabled: false });
});

test('tells operators who they are as the table says, whatever groups or address the token claims, and which labels are protected, since when and by whom, sorted by name', async () => {
  const operatorId = await operatorIdOf(instance, ['viewer']);
  const token = await tokenOf({ operatorId }, { email: 'eve@example.com', 'cognito:groups': ['admin'] });
  const labels = [uniqueName('label'), uniqueName('label')];
  const change = changeAt();
  for (const label of labels) await protectLabel(instance.table, change, label);
  const { protectedLabels, ...session } = await ask('session-get', {}, { token });
  expect(session).toEqual({
    operatorId,
    email: 'viewer@example.com',
    group: 'viewer',
    environments: await ask('environments-list'),
  });
  const names = column(protectedLabels, 'label');
  expect(names).toEqual(names.toSorted());
  const since = { protectedAt: change.at.toISOString(), protectedBy: change.actor.name };
  for (const label of labels) expect(protectedLabels).toContainEqual({ label, ...since });
  const { id } = await instance.addOperator({ email: 'user@example.com' });
  const uninvited = await tokenOf({ operatorId: id }, { 'cognito:groups': ['admin'] });
  expect(await refused('session-get', 'forbidden', {}, { token: uninvited })).toContain('invite');
});

test('a forged row of a vault does not keep operators out, and whom someone has made in Cognito, or resets, gets another password', async () => {
  const passwords: unknown[] = [];
  const own = await openInstance({
    onCall: (_, target, body) => {
      const { Password, TemporaryPassword } = body as Record<string, unknown>;
      if (target.includes('Admin')) passwords.push(...[Password ?? TemporaryPassword ?? []].flat());
    },
  });
  await addEnvironments(own.table, createTestKms());
  await editRow(own.table, vaultHeadKey(vaultIn(own.table, 'staging')), { count: 99 });
  const session = await ask('session-get', {}, { on: own });
  const metrics = own.logs.join().match(/"IntegrityFailures":1/g);
  const email = `${uniqueName('known')}@example.com`;
  await own.addOperator({ email });
  const invitation = { emails: [email], group: 'viewer' };
  const [{ operatorId }] = (await ask('operators-invite', invitation, { on: own })).operators;
  await ask('operators-update', { operatorId, resetSignIn: true }, { on: own });
  await own.stop();
  expect(session).toMatchObject({
    group: 'admin',
    protectedLabels: expect.any(Array),
    environments: {
      environments: [
        { name: 'default', secrets: expect.any(Number) },
        { name: 'staging', secrets: null, stopped: null },
      ],
    },
  });
  expect(metrics).not.toBeNull();
  expect(passwords.length).toBeGreaterThan(2);
  for (const password of passwords) expect(password).toMatch(PASSWORD);
  // What is set is what is mailed.
  expect(new Set(passwords).size).toBeLessThan(passwords.length);
});

const ARN = 'arn:aws:sts::1:assumed-role/Admin/ada';

const manage = async (input: object) => {
  const outcome = await instance.invoke('operator-manage', { operator: ARN, input });
  return (outcome as { reply?: { res?: Record<string, unknown>; code?: string } }).reply ?? {};
};

test('whoever may invoke the command adds, moves, resets and disables operators, and the log names them', async () => {
  const email = `${uniqueName('managed')}@example.com`;
  await instance.addOperator({ email });
  expect((await manage({ do: 'add', email, group: 'viewer' })).res).toEqual({ invited: true });
  expect((await manage({ do: 'add', email, group: 'admin' })).res).toEqual({ invited: false });
  const { res } = await manage({ do: 'reset', email, print: true });
  expect(res?.password).toMatch(PASSWORD);
  expect((await manage({ do: 'disable', email })).res).toEqual({});
  expect(await rowOf(email)).toMatchObject({ status: 'disabled' });
  expect((await manage({ do: 'list' })).res?.operators).toContainEqual(await rowOf(email));
  const actions = (await changesOf(email)).map(({ action, actor }) => [action, actor]);
  const verbs = ['disable', 'reset', 'change-group', 'invite'];
  expect(actions).toEqual(verbs.map((verb) => [`operator.${verb}`, ARN]));
});

test.each<
  [
    string,
    (operator: Pick<Row, 'email' | 'operatorId'>) => unknown,
    (email: string) => unknown,
    ErrorCode,
    string,
  ]
>([
  [
    'an administrator',
    (operator) => changed(operator, { remove: true }),
    (email) => ask('operators-invite', { emails: [email], group: 'viewer' }),
    'unauthenticated',
    'active',
  ],
  [
    'the command',
    async ({ email }) => expect((await manage({ do: 'remove', email })).res).toEqual({}),
    async (email) =>
      expect((await manage({ do: 'add', email, group: 'viewer' })).res).toEqual({ invited: true }),
    'forbidden',
    'removed',
  ],
])(
  'whoever %s removes is no longer listed, may do nothing and cannot sign in; after a new invitation of the address an earlier token opens nothing',
  async (_, remove, invite, code, status) => {
    const { token, ...operator } = await signedIn();
    const { email, operatorId } = operator;
    await remove(operator);
    await refused('session-get', 'forbidden', {}, { token });
    await expect(signIn(instance, email)).rejects.toThrow('refused');
    expect(await rowOf(email)).toBeUndefined();
    await invite(email);
    expect(await rowOf(email)).toBeDefined();
    expect(await signIn(instance, email)).toHaveProperty('access_token');
    await refused('session-get', code, {}, { token });
    expect(await findOperator(instance.table, operatorId)).toMatchObject({ status });
  },
);

test.each(['disable', 'remove'])('the command to %s names an address that nobody has', async (what) => {
  expect((await manage({ do: what, email: 'nobody@example.org' })).code).toBe('operator_not_found');
});
