import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload } from 'jose';
import type { Role } from '../../contract/fields/access.ts';
import { SIGN_IN_SCOPE } from '../../contract/sign-in.ts';
import { allOperators, writeOperator } from '../../lambdas/store/operators/operators.ts';
import { signingKey, signToken } from '../../local/identity/keys.ts';
import { IDENTITY_PATH } from '../../local/identity/paths.ts';
import { CLIENT_ID } from '../../local/identity/provider.ts';
import { openIdentityStore } from '../../local/identity/store.ts';
import type { SharedInstance } from './calls.ts';
import { changeAt } from './rows/table.ts';
import { signIn, type Tokens } from './sign-in.ts';

const made = new WeakMap<object, Map<string, unknown>>();

const ROLES: readonly Role[] = ['admin', 'editor', 'viewer'];
const groupIn = (groups: readonly string[]): Role | undefined => ROLES.find((role) => groups.includes(role));

/** What the user pool accepts, and nobody guesses. */
export const PASSWORD = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*!).{28}$/;

/** What is made for these groups of the instance when it is first needed. */
const onceFor = <Made>(
  what: string,
  instance: SharedInstance,
  groups: readonly string[],
  make: () => Promise<Made>,
): Promise<Made> => {
  const known = made.get(instance) ?? new Map<string, unknown>();
  made.set(instance, known);
  const key = JSON.stringify([what, groups]);
  if (!known.has(key)) known.set(key, make());
  return known.get(key) as Promise<Made>;
};

/** The e-mail address of the operator whose tokens have these groups. */
export const emailOf = (groups: readonly string[]): string =>
  `${groups.join('-').replaceAll(/[^\w-]/g, '.') || 'nobody'}@example.com`;

const recordOf = async ({ table }: SharedInstance, groups: readonly string[]): Promise<string> => {
  const email = emailOf(groups);
  const group = groupIn(groups);
  if (group === undefined) return 'nobody';
  const known = (await allOperators(table)).find((each) => each.email === email && each.group === group);
  if (known?.status === 'active') return known.operatorId;
  const operatorId = randomUUID();
  const invited = { invitedAt: new Date().toISOString(), invitedBy: 'test' };
  const next = { operatorId, email, group, status: 'active', identity: 'native', ...invited } as const;
  await writeOperator(table, changeAt(), undefined, next, { action: 'operator.invite', details: { group } });
  return operatorId;
};

/** The id of an operator with the highest of these groups; without one, of nobody. */
export const operatorIdOf = (instance: SharedInstance, groups: readonly string[] = ['admin']) =>
  onceFor('id', instance, groups, () => recordOf(instance, groups));

/** Adds the operator in these groups, unless done already. */
export const ensureOperator = (instance: SharedInstance, groups: readonly string[]): Promise<unknown> =>
  onceFor('operator', instance, groups, () =>
    instance.addOperator({
      email: emailOf(groups),
      ...(groupIn(groups) && { group: groupIn(groups) as Role }),
    }),
  );

const obtain = async (instance: SharedInstance, groups: readonly string[]): Promise<Tokens> => {
  await ensureOperator(instance, groups);
  return signIn(instance, emailOf(groups));
};

/** Tokens of an operator in the groups, from a real sign-in: one for each instance and set of groups. */
export const operatorTokens = (
  instance: SharedInstance,
  groups: readonly string[] = ['admin'],
): Promise<Tokens> => onceFor('tokens', instance, groups, () => obtain(instance, groups));

/** The access token of an operator in the groups. */
export const operatorToken = async (
  instance: SharedInstance,
  { groups }: { readonly groups?: readonly string[] } = {},
): Promise<string> => (await operatorTokens(instance, groups)).access_token;

const now = (): number => Math.floor(Date.now() / 1_000);

const usualClaims = async (instance: SharedInstance): Promise<JWTPayload> => ({
  iss: instance.url + IDENTITY_PATH,
  aud: CLIENT_ID,
  client_id: CLIENT_ID,
  sub: randomUUID(),
  token_use: 'access',
  scope: SIGN_IN_SCOPE,
  username: await operatorIdOf(instance),
  iat: now(),
  exp: now() + 600,
});

/**
 * An access token of an admin, signed with the instance's own key unless another is given, some of its claims replaced
 * (undefined: left out). Without replacements the instance accepts it.
 */
export const tokenWith = async (
  instance: SharedInstance,
  claims: Readonly<Record<string, unknown>> = {},
  key: JWK = {},
): Promise<string> => {
  const database = openIdentityStore(instance.dataFolder);
  const own = await signingKey(database).finally(() => database.close());
  const all = { ...(await usualClaims(instance)), ...claims };
  return signToken({ ...own, ...key }, instance.url + IDENTITY_PATH, all);
};

/** A token of an operator in the groups like that of a sign-in, but made much faster: one for each instance and groups. */
export const signedToken = (instance: SharedInstance, groups: readonly string[]): Promise<string> =>
  onceFor('token', instance, groups, async () =>
    tokenWith(instance, { username: await operatorIdOf(instance, groups), exp: now() + 86_400 }),
  );

/** A token that expired a second ago. */
export const expiredToken = (instance: SharedInstance): Promise<string> =>
  tokenWith(instance, { iat: now() - 601, exp: now() - 1 });

/** The access token of an admin, signed by another key under the id of the instance's key. */
export const forgedToken = async (
  instance: SharedInstance,
  claims: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return tokenWith(instance, claims, await exportJWK(privateKey));
};
