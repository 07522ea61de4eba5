import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SIGN_IN_PATHS, SIGN_IN_SCOPE } from '../../contract/sign-in.ts';
import type { inspect } from './deployment.ts';
import type { Emulator } from './emulator.ts';

const post = (url: string, fields: Record<string, string>): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

/**
 * Signs the operator ada@example.com in as the admin site does, by authorization code with PKCE: the temporary password
 * that a reset has printed, then a new one. Returns the access token.
 */
export const signIn = async (
  { url }: Emulator,
  { outputs, resources }: Awaited<ReturnType<typeof inspect>>,
  reset: { readonly output: string },
): Promise<string> => {
  // A sign-in in the second of the reset counts as one before it.
  await sleep(1_000);
  const client = Object.values(resources).find(({ type }) => type === 'AWS::Cognito::UserPoolClient');
  const clientId = client?.id ?? '';
  const redirectUri = `${outputs.AdminUrl}${SIGN_IN_PATHS.signedIn}`;
  const temporaryPassword = /: (\S+)\n$/.exec(reset.output)?.[1] ?? '';
  const verifier = randomBytes(32).toString('base64url');
  const authorization = {
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: SIGN_IN_SCOPE,
    state: 'state',
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  const login = `${url}/login`;
  const page = await (
    await post(login, { ...authorization, username: 'ada@example.com', password: temporaryPassword })
  ).text();
  const session = /name="np_token" value="([^"]+)"/.exec(page)?.[1];
  if (session === undefined) throw new Error(`The temporary password was not accepted: ${page}`);
  const password = `${randomBytes(18).toString('base64url')}aA1!`;
  const changed = await post(login, {
    np_token: session,
    new_password: password,
    confirm_password: password,
  });
  const code = new URL(changed.headers.get('location') ?? 'none:').searchParams.get('code');
  if (code === null) throw new Error(`There was no authorization code: ${await changed.text()}`);
  const tokens = await post(`${url}/oauth2/token`, {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  });
  const { access_token: token } = (await tokens.json()) as { access_token?: string };
  if (token === undefined) throw new Error('There was no access token.');
  return token;
};
