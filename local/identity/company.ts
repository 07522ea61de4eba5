import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { PreSignUpTriggerEvent, PreTokenGenerationV2TriggerEvent } from 'aws-lambda';
import { PRE_SIGN_UP, PRE_TOKEN } from '../../contract/functions/triggers.ts';
import { COMPANY_PROVIDER } from '../aws/account.ts';
import type { Outcome } from '../functions/functions.ts';

/** The client of the admin site at the company's door. */
export const COMPANY_CLIENT_ID = 'cuevault-company';

/** File of the data folder with the people of a company. Without it, there is no such door. */
export const COMPANY_FILE = 'company.json';

/** Somebody whom the company knows, with the claims that its provider makes of them. */
export interface CompanyPerson {
  readonly sub: string;
  readonly email: string;
  readonly email_verified?: boolean;
}

/** A person as the user pool names them. */
export interface Profile extends CompanyPerson {
  readonly id: string;
}

/** Invokes a trigger of the user pool. */
export type InvokeTrigger = (id: string, event: unknown) => Promise<Outcome>;

const profileOf = (person: CompanyPerson): Profile => ({
  ...person,
  // As Cognito, which is why nothing may identify people by it.
  id: `${COMPANY_PROVIDER.provider}_${person.sub}`.toLowerCase(),
});

const attributesOf = ({ sub, email, email_verified: verified }: Profile) => ({
  'cognito:user_status': 'EXTERNAL_PROVIDER',
  identities: JSON.stringify([
    { userId: sub, providerName: COMPANY_PROVIDER.provider, providerType: 'OIDC', primary: 'true' },
  ]),
  email,
  ...(verified !== undefined && { email_verified: String(verified) }),
});

const shared = (profile: Profile) => ({
  version: '2',
  region: 'local',
  userPoolId: 'local',
  userName: profile.id,
  callerContext: { awsSdkVersion: '', clientId: COMPANY_CLIENT_ID },
});

const replyOf = <Event>(outcome: Outcome): Event => {
  if ('failure' in outcome) throw new Error(outcome.failure);
  return outcome.reply as Event;
};

/**
 * Plays the provider of a company and what the user pool does with it. Undefined without the file of its people, which is
 * read at each use.
 */
export const companyIn = (dataFolder: string, database: DatabaseSync, invoke: InvokeTrigger) => {
  const file = path.join(dataFolder, COMPANY_FILE);
  if (!existsSync(file)) return undefined;
  const people = (): Profile[] => (JSON.parse(readFileSync(file, 'utf8')) as CompanyPerson[]).map(profileOf);
  const known = database.prepare('SELECT id FROM profiles WHERE id = ?');
  const insert = database.prepare('INSERT INTO profiles (id) VALUES (?)');
  return {
    find: (id: string) => people().find((person) => person.id === id),
    people,
    /** Makes the profile of a person at their first sign-in. Throws what the trigger throws. */
    admit: async (profile: Profile): Promise<void> => {
      if (known.get(profile.id) !== undefined) return;
      const userAttributes = attributesOf(profile);
      const event = { triggerSource: 'PreSignUp_ExternalProvider', request: { userAttributes } };
      replyOf<PreSignUpTriggerEvent>(await invoke(PRE_SIGN_UP.id, { ...shared(profile), ...event }));
      insert.run(profile.id);
    },
    /** What the trigger adds to an access token. Throws what it throws. */
    claimsOf: async (profile: Profile): Promise<Record<string, unknown>> => {
      const request = { userAttributes: attributesOf(profile), groupConfiguration: {} };
      const event = { triggerSource: 'TokenGeneration_HostedAuth', request, response: {} };
      const { response } = replyOf<PreTokenGenerationV2TriggerEvent>(
        await invoke(PRE_TOKEN.id, { ...shared(profile), ...event }),
      );
      return response.claimsAndScopeOverrideDetails?.accessTokenGeneration?.claimsToAddOrOverride ?? {};
    },
  };
};

export type Company = NonNullable<ReturnType<typeof companyIn>>;
