import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { closestMatch } from 'leven';
import { DEFAULT_SETTINGS } from '../contract/functions/environment.ts';
import { SOURCE_HOSTS } from '../contract/sign-in.ts';

/** The tag of every resource of a stage, by which `npm run doctor` finds what an earlier deployment left behind. */
export const STAGE_TAG = 'cuevault:stage';

/** A wrong setting of a deployment. `message` is one sentence that says how to fix it. */
export class SettingError extends Error {}

const refuse = (name: string, value: unknown, wanted: string): never => {
  throw new SettingError(
    `The setting "${name}" must be ${wanted}, not ${JSON.stringify(value) ?? 'absent'}.`,
  );
};

/** Reads a value from CDK context; values from the command line are text. */
type Reader<T> = (name: string, value: unknown) => T;

const wholeNumber =
  (most: number, byDefault: number | undefined, least = 1): Reader<number> =>
  (name, value) => {
    const number = Number(value ?? byDefault);
    const fits = Number.isInteger(number) && number >= least && number <= most;
    return fits ? number : refuse(name, value, `a whole number from ${least} to ${most}`);
  };

const flag =
  (byDefault: boolean): Reader<boolean> =>
  (name, value) => {
    const given = String(value ?? byDefault);
    return ['true', 'false'].includes(given) ? given === 'true' : refuse(name, value, 'true or false');
  };

const text =
  (pattern: RegExp, wanted: string): Reader<string> =>
  (name, value) =>
    typeof value === 'string' && pattern.test(value) ? value : refuse(name, value, wanted);

const optional =
  <T>(read: Reader<T>): Reader<T | undefined> =>
  (name, value) =>
    value === undefined ? undefined : read(name, value);

const optionalText = (pattern: RegExp, wanted: string) => optional(text(pattern, wanted));

const numbersIn = (list: string): number[] => [...new Set(list.split(',').map(Number))];

const numbers: Reader<readonly number[] | undefined> = optional((name, value) =>
  numbersIn(text(/^[1-9]\d{0,2}(,[1-9]\d{0,2})*$/, 'numbers separated by commas')(name, value)),
);

/** A model of Amazon Bedrock; of an inference profile, with the regions that it sends to. */
export interface Model {
  readonly id: string;
  readonly regions?: readonly string[] | undefined;
}

/** The id of a model; of a profile, that of the model that it sends to. */
export const modelIdOf = ({ id, regions }: Model): string =>
  regions === undefined ? id : id.slice(id.indexOf('.') + 1);

const MODEL = /^([a-z0-9][a-z0-9.:-]+)(?:=([a-z]{2}(?:-[a-z]+)+-\d(?:\+[a-z]{2}(?:-[a-z]+)+-\d)*))?$/;
const PROFILE = /^(?:us|us-gov|eu|apac|jp|au|ca|sa|uk|in|me|af)\./;

const models: Reader<readonly Model[]> = (name, value) =>
  String(value)
    .split(',')
    .map((given) => {
      const [, id, regions] = MODEL.exec(given) ?? [];
      if (given.startsWith('global.'))
        return refuse(
          name,
          given,
          'without profiles that begin with "global.", which send texts to any region',
        );
      if (given.startsWith('arn:'))
        return refuse(
          name,
          given,
          'ids in place of ARNs; application profiles do not say where they send texts',
        );
      if (id === undefined)
        return refuse(name, given, 'ids of models, and of profiles with "=" and regions joined by "+"');
      if (regions === undefined && PROFILE.test(id))
        return refuse(
          name,
          given,
          'complete: name the destinations of the profile, as in "eu.x=eu-central-1+eu-west-1"',
        );
      return { id, regions: regions?.split('+') };
    });

/** Whether the template is for `cdk import`. Given to one command, and never kept. */
export const ADOPT = 'adopt';

const address = optionalText(/^[^\s@]+@[^\s@]+$/, 'an e-mail address');
const domain = optionalText(
  /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
  'a domain name in lower case',
);

/** The settings of a deployment. Each is set with `-c <name>=<value>`; the stack keeps it. */
const SETTINGS = {
  /** Name of the deployment: part of the names of the stack and its alarms, and the tag of every resource. */
  stage: text(/^[a-z][a-z0-9-]{0,19}$/, 'up to 20 lower-case letters, digits and hyphens'),
  /**
   * Whether nobody may delete the sealed log before its time, the stack is protected from deletion, and `doctor` fails
   * for what it otherwise only warns of.
   * @default - true for the stage `prod`
   */
  production: optional(flag(false)),
  /** Days that access entries, logs and usage counters are kept; logs for the next longer period that CloudWatch offers. */
  accessDays: wholeNumber(3_650, DEFAULT_SETTINGS.accessDays),
  /** Days that the audit log is kept. Never lowered: objects of the sealed log are locked for so long. */
  auditDays: wholeNumber(3_650, DEFAULT_SETTINGS.auditDays),
  /**
   * Numbers of the keys whose signatures are valid, separated by commas; the first signs. A new number creates a new key.
   * See the runbook before you change it.
   * @default - 1
   */
  signingKeys: numbers,
  /**
   * Whether API Gateway logs each request, 0.23 dollars per million. Without the log, requests that only API Gateway
   * refuses (a bad access token, a throttled route) appear in its metrics alone.
   */
  accessLog: flag(false),
  /** Requests per second that each route accepts on average; twice as many at once. */
  throttleRate: wholeNumber(100_000, 200),
  /** Hosts of repositories that the admin site links versions to, separated by commas. */
  sourceHosts: (name: string, value: unknown = SOURCE_HOSTS.join()) =>
    text(/^[a-z0-9.-]+(,[a-z0-9.-]+)*$/, 'names of hosts, separated by commas')(name, value).split(','),
  /**
   * Whether a deployment shifts the calls of applications to the new version of a function step by step, and back if an
   * alarm fires. Without it, all calls move at once.
   */
  gradualDeployment: flag(true),
  /** Address that alarms are mailed to. @default - no alarms but those of a gradual deployment, and no dashboard */
  alarmEmail: address,
  /**
   * Address of the first operator, who is invited by mail as long as no administrator has signed in. Changing or
   * removing it later has no effect on existing operators. Add others with `npm run operator`.
   * @default - nobody is invited
   */
  operatorEmail: address,
  /**
   * Models of Amazon Bedrock that editors may try prompts on, separated by commas: ids in the region of the stack, and inference
   * profiles with the regions that they send to, such as `eu.amazon.nova-lite-v1:0=eu-central-1+eu-west-1`.
   * @default - none
   */
  models: optional(models),
  /** Whether operators may sign in with a passkey instead of a password and a one-time code. */
  passkeys: flag(false),
  /**
   * Prefix of the sign-in domain, for a stack that adopts the user pool of another. See the runbook.
   * @default - a new one
   */
  signInPrefix: optionalText(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'the prefix of a sign-in domain'),
  // Cognito's maximum lifetime of a refresh token is ten years.
  /** Hours after which operators must sign in again, however active they are. */
  sessionHours: wholeNumber(87_600, 12),
  /**
   * Issuer of a company's OpenID Connect provider, whose people may sign in if an operator has invited them. Set it
   * together with `signInClientId` and `signInSecretArn`.
   * @default - operators sign in with a password
   */
  signInIssuer: optionalText(/^https:\/\/[^\s?#]+$/, 'the https address of an issuer'),
  signInClientId: optionalText(/^[!-~]{1,255}$/, 'the id of a client at the issuer'),
  /** ARN of the secret in Secrets Manager that contains the secret of this client, as plain text. */
  signInSecretArn: optionalText(
    /^arn:[a-z-]+:secretsmanager:[a-z0-9-]+:\d{12}:secret:\S+$/,
    'the ARN of a secret in Secrets Manager',
  ),
  /** Domain of the admin site, with `adminCertificateArn`. @default - the domain name that CloudFront assigns */
  adminDomain: domain,
  // CloudFront only accepts certificates and web ACLs of this region.
  adminCertificateArn: optionalText(
    /^arn:[a-z-]+:acm:us-east-1:\d{12}:certificate\/\S+$/,
    'the ARN of an ACM certificate in us-east-1',
  ),
  /**
   * Domain of the API, with `apiCertificateArn`. Applications keep their address if the stack is ever replaced.
   * @default - the address that API Gateway assigns
   */
  apiDomain: domain,
  /** Its certificate must be in the region of the stack. */
  apiCertificateArn: optionalText(
    /^arn:[a-z-]+:acm:[a-z0-9-]+:\d{12}:certificate\/\S+$/,
    'the ARN of an ACM certificate',
  ),
  /**
   * Webhook that receives every change, with `webhookSecret`. A few regions, which `docs/events/README.md` names, cannot
   * have one.
   * @default - no webhook; add rules to the event bus
   */
  webhookUrl: optionalText(/^https:\/\/\S+$/, 'an https address'),
  /** Name of the Secrets Manager secret that contains the value of the header `authorization`. */
  webhookSecret: optionalText(/^[\w/+=.@-]{1,512}$/, 'the name of a secret in AWS Secrets Manager'),
  /** ARN of the AWS WAF web ACL of the admin site; its scope must be CLOUDFRONT. @default - none */
  adminWebAclArn: optionalText(
    /^arn:[a-z-]+:wafv2:us-east-1:\d{12}:global\/webacl\/\S+$/,
    'the ARN of a web ACL of the scope CLOUDFRONT',
  ),
  /**
   * Numbers of the secrets with which calls of the admin API show that they came through the admin site, separated by commas.
   * CloudFront sends the first; functions accept all, and refuse calls without one at the API's own address. A new
   * number creates a new secret, 0.40 dollars a month. See the runbook before you change it.
   * @default - 1 with `adminWebAclArn`; otherwise none, and operators may call either address
   */
  originSecrets: numbers,
};

type Read = { readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]> };

/** Settings as an app gives them; values from CDK context are text. */
export type SettingProps = {
  readonly [Name in Exclude<keyof Read, 'stage'>]?: Read[Name] | string;
} & { readonly stage: string };

/** The settings of a deployment, as `SETTINGS` describes them. */
export type StackSettings = ReturnType<typeof readSettings>;

type Given<Name extends 'apiDomain' | 'webhook' | 'company'> = NonNullable<StackSettings[Name]>;

/** A custom domain. You create its DNS record, an alias of the distribution or of the output `ApiDomainTarget`. */
export type Domain = Given<'apiDomain'>;
export type Webhook = Given<'webhook'>;
export type CompanySignIn = Given<'company'>;

/** Settings that are given together, or not at all: their values by other names. */
const together = <Name extends string>(read: Read, names: Readonly<Record<Name, keyof Read>>) => {
  const given = Object.values<keyof Read>(names).find((name) => read[name] !== undefined);
  if (given === undefined) return undefined;
  const values = Object.entries<keyof Read>(names).map(([as, name]) => [
    as,
    read[name] ?? refuse(name, undefined, `given with "${given}"`),
  ]);
  return Object.fromEntries(values) as Readonly<Record<Name, string>>;
};

/** Calls from code of each API key: ten times as many in any ten seconds. */
const PUBLISH_RATE = 10;

const LOG_PERIODS = Object.values(RetentionDays).filter((days) => typeof days === 'number');

/**
 * Reads the settings from CDK context or props. Errors: `SettingError` that names the setting for a value that is out of
 * range.
 */
export const readSettings = (given: (name: string) => unknown) => {
  const context = (name: string): unknown => {
    const value = given(name);
    return Array.isArray(value) ? value.join() : value;
  };
  const read = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, reader]) => [name, reader(name, context(name))]),
  ) as Read;
  const { stage, auditDays, accessDays, adminWebAclArn } = read;
  const { adminCertificateArn, apiCertificateArn, webhookUrl, webhookSecret, ...others } = read;
  const { signInIssuer, signInClientId, signInSecretArn, ...rest } = others;
  return {
    ...DEFAULT_SETTINGS,
    publishRate: PUBLISH_RATE,
    ...rest,
    production: read.production ?? stage === 'prod',
    readDays: Math.min(DEFAULT_SETTINGS.readDays, auditDays),
    logDays: Math.min(...LOG_PERIODS.filter((days) => days >= accessDays)),
    signingKeys: read.signingKeys ?? [1],
    originSecrets: read.originSecrets ?? (adminWebAclArn === undefined ? undefined : [1]),
    adminDomain: together(read, { name: 'adminDomain', certificateArn: 'adminCertificateArn' }),
    apiDomain: together(read, { name: 'apiDomain', certificateArn: 'apiCertificateArn' }),
    webhook: together(read, { url: 'webhookUrl', secret: 'webhookSecret' }),
    company: together(read, {
      issuer: 'signInIssuer',
      clientId: 'signInClientId',
      secretArn: 'signInSecretArn',
    }),
  };
};

/** Settings as they were given, by name. */
export type GivenSettings = Readonly<Record<string, string>>;

/** The key of a template's metadata under which a stack carries its settings. */
export const SETTINGS_METADATA = 'cuevault:settings';

/** The environment variable with the settings of the deployed stack, as JSON. */
export const DEPLOYED_SETTINGS = 'CUEVAULT_DEPLOYED_SETTINGS';

/** The stage of a deployment that nobody has named. */
export const TRIAL_STAGE = 'dev';

export const isSetting = (name: string): boolean => Object.hasOwn(SETTINGS, name);

/**
 * The settings as given, otherwise as deployed. An empty text removes a setting. One that this release does not know is
 * dropped.
 */
export const mergeSettings = (given: (name: string) => unknown, deployed: GivenSettings): GivenSettings =>
  Object.fromEntries(
    Object.keys(SETTINGS).flatMap((name) => {
      const value = given(name) ?? deployed[name] ?? '';
      return value === '' ? [] : [[name, String(value)]];
    }),
  );

/**
 * The settings of a template from CDK context, and the metadata under which the stack carries them. From `npm run deploy`,
 * those of the deployed stack are in the environment. Without a stage, the template is that of a trial. Errors: those of
 * `readSettings`.
 */
export const synthesisSettings = (given: (name: string) => unknown) => {
  const deployed = JSON.parse(process.env[DEPLOYED_SETTINGS] ?? '{}') as GivenSettings;
  const carried = { stage: TRIAL_STAGE, ...mergeSettings(given, deployed) };
  return {
    settings: { ...carried, adopt: given(ADOPT) === 'true' },
    metadata: { [SETTINGS_METADATA]: carried },
  };
};

// More differences than this are another word.
const MOST_DIFFERENCES = 3;

/**
 * Checks the names in CDK context. Names with punctuation, such as `@aws-cdk/core:checkSecretUsage` and `cli-telemetry`,
 * are CDK's own unless they resemble a setting. Errors: `SettingError` for a name that is not a setting.
 */
export const assertKnownSettings = (names: readonly string[]): void => {
  const known = [...Object.keys(SETTINGS), ADOPT];
  for (const name of names.filter((each) => !known.includes(each))) {
    const nearest = closestMatch(name, known, { maxDistance: MOST_DIFFERENCES });
    if (nearest === undefined && !/^\w+$/.test(name)) continue;
    const hint =
      nearest === undefined
        ? 'It comes from -c, cdk.json or ~/.cdk.json; lib/settings.ts has all settings.'
        : `Did you mean "${nearest}"?`;
    throw new SettingError(`There is no setting "${name}". ${hint}`);
  }
};

/**
 * Checks settings and region of a deployment; undefined is a template for no particular region. Errors: `SettingError` for
 * a region outside the commercial partition: Cognito's sign-in domains and passkeys, and CloudFront, are missing or
 * different there, and nothing has been tested; for a certificate of the API or a secret of company sign-in in another
 * region, which API Gateway and CloudFormation refuse.
 */
export const assertRegion = ({ apiDomain, company }: StackSettings, region: string | undefined): void => {
  if (region === undefined) return;
  const { partition } = RegionInfo.get(region);
  if (partition !== undefined && partition !== 'aws')
    throw new SettingError(
      `Cuevault cannot be deployed to "${region}": it belongs to the partition "${partition}". Choose a commercial region such as eu-central-1.`,
    );
  const arns = { apiCertificateArn: apiDomain?.certificateArn, signInSecretArn: company?.secretArn };
  for (const [name, arn] of Object.entries(arns))
    if (arn !== undefined && arn.split(':')[3] !== region)
      refuse(name, arn, `an ARN in the region of the stack, ${region}`);
};
