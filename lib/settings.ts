import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { closestMatch } from 'leven';
import { DEFAULT_SETTINGS, type Settings } from '../contract/functions/environment.ts';
import { LIMITS } from '../contract/limits.ts';
import type { Webhook } from './constructs/event-bus.ts';

/** A wrong setting of a deployment. `message` is one sentence that says how to fix it. */
export class SettingError extends Error {}

/** A custom domain. You create its DNS record, an alias of the distribution or of the output `ApiDomainTarget`. */
export interface Domain {
  readonly name: string;
  /** ARN of its certificate, which must be in us-east-1 for the admin site, and in the region of the stack for the API. */
  readonly certificateArn: string;
}

/** The settings of a deployment. Each is set with `-c <name>=<value>` or in the context of `cdk.json`. */
export interface StackSettings extends Settings {
  /** Maximum age of the vault's key pair, in days. */
  readonly vaultKeyDays: number;
  /** Number of the key that signs rows. See the runbook before you change it. */
  readonly signingKeyNumber: number;
  /**
   * Numbers of all keys whose signatures are valid, separated by commas; a new number creates a new key.
   * @default - the number of the key that signs
   */
  readonly signingKeys?: readonly number[];
  /**
   * Public keys of former signing keys whose signatures are still valid, as base64, separated by spaces.
   * @default - none
   */
  readonly formerPublicKeys?: string;
  /** Days that logs are kept; one of the periods that CloudWatch Logs offers. */
  readonly logDays: number;
  /**
   * Whether API Gateway logs each request, 0.23 dollars per million. Without the log, requests that only API Gateway
   * refuses (a bad access token, a throttled route) appear in its metrics alone.
   */
  readonly accessLog: boolean;
  /** Whether CloudWatch has metrics for each route; up to 59 dollars a month in addition. */
  readonly routeMetrics: boolean;
  /** Requests per second that each route accepts on average. */
  readonly throttleRate: number;
  /** Requests that each route accepts at once. */
  readonly throttleBurst: number;
  /**
   * Whether a deployment shifts the calls of applications to the new version of a function step by step, and back if an
   * alarm fires. Without it, all calls move at once.
   */
  readonly gradualDeployment: boolean;
  /**
   * ARN of a role that may write to the table directly, for `npm run recount` and for repairs by hand. Everyone else
   * but the stack's own functions is denied, administrators of the account included.
   * @default - none
   */
  readonly repairRoleArn?: string;
  /**
   * Address that alarms are mailed to.
   * @default - alarms notify nobody
   */
  readonly alarmEmail?: string;
  /** Address that alarms are mailed to that can wait until the next working day. @default - `alarmEmail` */
  readonly noticeEmail?: string;
  /** Whether there are alarms that can wait until the next working day. */
  readonly noticeAlarms: boolean;
  /** Whether there is a dashboard, 3 dollars a month. */
  readonly dashboard: boolean;
  /**
   * Address of the first operator, who is invited by mail as long as no administrator has signed in. Changing or
   * removing it later has no effect on existing operators. Add others with `npm run operator`.
   * @default - nobody is invited
   */
  readonly operatorEmail?: string;
  /**
   * Whether the template is for `cdk import`, which brings what a removed stack left behind into a new stack. See the
   * runbook. Never deploy with it.
   */
  readonly adopt: boolean;
  /** Whether operators may sign in with a passkey instead of a password and a one-time code. */
  readonly passkeys: boolean;
  /**
   * Prefix of the sign-in domain, for a stack that adopts the user pool of another. See the runbook.
   * @default - a new one
   */
  readonly signInPrefix?: string;
  /**
   * Containers of each endpoint for applications that are always warm, so that fewer calls wait for a start; about nine
   * dollars a month for each and each GB of its memory.
   * @default - none
   */
  readonly provisionedConcurrency?: number;
  /** Hours after which operators must sign in again, however active they are. */
  readonly sessionHours: number;
  /**
   * Domain of the admin site, set by `adminDomain` and `adminCertificateArn` together.
   * @default - the domain name that CloudFront assigns
   */
  readonly adminDomain?: Domain;
  /**
   * Domain of the API, set by `apiDomain` and `apiCertificateArn` together. Applications keep their address if the stack is
   * ever replaced, and the address that API Gateway assigns is turned off.
   * @default - the address that API Gateway assigns
   */
  readonly apiDomain?: Domain;
  /**
   * Webhook that receives every change, set by `webhookUrl` and `webhookSecret` together. A few regions, which
   * `docs/events/README.md` names, cannot have one.
   * @default - no webhook; add rules to the event bus
   */
  readonly webhook?: Webhook;
  /**
   * ARN of the AWS WAF web ACL of the admin site; its scope must be CLOUDFRONT.
   * @default - none
   */
  readonly adminWebAclArn?: string;
  /**
   * Numbers of the secrets with which calls of the admin API show that they came through the admin site, separated by commas.
   * CloudFront sends the first; functions accept all, and refuse calls without one at the API's own address. A new
   * number creates a new secret, 0.40 dollars a month. See the runbook before you change it.
   * @default - 1 with `adminWebAclArn`; otherwise none, and operators may call either address
   */
  readonly originSecrets?: readonly number[];
}

export const DEFAULT_STACK_SETTINGS: StackSettings = {
  ...DEFAULT_SETTINGS,
  vaultKeyDays: 90,
  signingKeyNumber: 1,
  logDays: RetentionDays.THREE_MONTHS,
  accessLog: false,
  routeMetrics: false,
  throttleRate: 200,
  throttleBurst: 400,
  gradualDeployment: true,
  noticeAlarms: true,
  dashboard: true,
  adopt: false,
  passkeys: true,
  sessionHours: 12,
};

const STAGE = /^[a-z][a-z0-9-]{0,19}$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const SIGN_IN_PREFIX = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const HTTPS = /^https:\/\/\S+$/;
const SECRET_NAME = /^[\w/+=.@-]{1,512}$/;
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
// CloudFront only accepts certificates and web ACLs of this region.
const CERTIFICATE_ARN = /^arn:[a-z-]+:acm:us-east-1:\d{12}:certificate\/\S+$/;
const REGIONAL_CERTIFICATE_ARN = /^arn:[a-z-]+:acm:[a-z0-9-]+:\d{12}:certificate\/\S+$/;
const WEB_ACL_ARN = /^arn:[a-z-]+:wafv2:us-east-1:\d{12}:global\/webacl\/\S+$/;
const ROLE_ARN = /^arn:aws:iam::\d{12}:role\/[\w+=,.@/-]+$/;

// SubjectPublicKeyInfo of a P-256 key: 91 bytes.
const PUBLIC_KEYS = /^[A-Za-z0-9+/]{122}==( [A-Za-z0-9+/]{122}==)*$/;

const NUMBERS = /^[1-9]\d{0,2}(,[1-9]\d{0,2})*$/;

const refuse = (name: string, value: unknown, wanted: string): never => {
  throw new SettingError(
    `The setting "${name}" must be ${wanted}, not ${JSON.stringify(value) ?? 'absent'}.`,
  );
};

type Present<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

const present = <T extends object>(values: T): Present<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>;

const webhookOf = (url: string | undefined, secret: string | undefined): Webhook | undefined => {
  if (url === undefined && secret === undefined) return undefined;
  if (secret === undefined) return refuse('webhookSecret', secret, 'given with "webhookUrl"');
  if (url === undefined) return refuse('webhookUrl', url, 'given with "webhookSecret"');
  return { url, secret };
};

const numbersIn = (text: string | undefined): number[] | undefined =>
  text === undefined ? undefined : [...new Set(text.split(',').map(Number))];

const signingKeysOf = (text: string | undefined, signing: number): number[] | undefined => {
  const numbers = numbersIn(text);
  if (numbers === undefined || numbers.includes(signing)) return numbers;
  return refuse('signingKeys', text, `a list with the signing key ${signing}`);
};

const domainOf = (
  of: 'admin' | 'api',
  name: string | undefined,
  certificateArn: string | undefined,
): Domain | undefined => {
  if (name === undefined && certificateArn === undefined) return undefined;
  if (certificateArn === undefined)
    return refuse(`${of}CertificateArn`, certificateArn, `given with "${of}Domain"`);
  if (name === undefined) return refuse(`${of}Domain`, name, `given with "${of}CertificateArn"`);
  return { name, certificateArn };
};

/**
 * Reads the settings from CDK context; values from the command line are text. Errors: `SettingError` that names the
 * setting for a value that is out of range.
 */
export const readSettings = (context: (name: string) => unknown): StackSettings => {
  const wholeNumber = (
    name: keyof StackSettings,
    most: number,
    { byDefault, least = 1 }: { readonly byDefault?: number; readonly least?: number } = {},
  ): number => {
    const value = context(name) ?? byDefault ?? DEFAULT_STACK_SETTINGS[name];
    const number = Number(value);
    const fits = Number.isInteger(number) && number >= least && number <= most;
    return fits ? number : refuse(name, value, `a whole number from ${least} to ${most}`);
  };
  const text = (name: string, pattern: RegExp, wanted: string): string | undefined => {
    const value = context(name);
    if (value === undefined) return undefined;
    return typeof value === 'string' && pattern.test(value) ? value : refuse(name, value, wanted);
  };
  const flag = (name: keyof StackSettings): boolean => {
    const value = context(name) ?? DEFAULT_STACK_SETTINGS[name];
    return ['true', 'false'].includes(String(value))
      ? String(value) === 'true'
      : refuse(name, value, 'true or false');
  };
  const auditDays = wholeNumber('auditDays', 3_650);
  const logDays = wholeNumber('logDays', RetentionDays.TEN_YEARS);
  if (!(logDays in RetentionDays)) refuse('logDays', logDays, 'a period that CloudWatch Logs offers');
  const adminWebAclArn = text('adminWebAclArn', WEB_ACL_ARN, 'the ARN of a web ACL of the scope CLOUDFRONT');
  const originSecrets = text('originSecrets', NUMBERS, 'numbers separated by commas');
  const signingKeyNumber = wholeNumber('signingKeyNumber', 999);
  const optional = {
    signingKeys: signingKeysOf(text('signingKeys', NUMBERS, 'numbers separated by commas'), signingKeyNumber),
    formerPublicKeys: text(
      'formerPublicKeys',
      PUBLIC_KEYS,
      'public keys of P-256 as base64, separated by spaces',
    ),
    repairRoleArn: text('repairRoleArn', ROLE_ARN, 'the ARN of an IAM role'),
    alarmEmail: text('alarmEmail', EMAIL, 'an e-mail address'),
    noticeEmail: text('noticeEmail', EMAIL, 'an e-mail address'),
    operatorEmail: text('operatorEmail', EMAIL, 'an e-mail address'),
    provisionedConcurrency:
      context('provisionedConcurrency') === undefined
        ? undefined
        : wholeNumber('provisionedConcurrency', 1_000),
    signInPrefix: text('signInPrefix', SIGN_IN_PREFIX, 'the prefix of a sign-in domain'),
    apiDomain: domainOf(
      'api',
      text('apiDomain', DOMAIN, 'a domain name in lower case'),
      text('apiCertificateArn', REGIONAL_CERTIFICATE_ARN, 'the ARN of an ACM certificate'),
    ),
    adminDomain: domainOf(
      'admin',
      text('adminDomain', DOMAIN, 'a domain name in lower case'),
      text('adminCertificateArn', CERTIFICATE_ARN, 'the ARN of an ACM certificate in us-east-1'),
    ),
    webhook: webhookOf(
      text('webhookUrl', HTTPS, 'an https address'),
      text('webhookSecret', SECRET_NAME, 'the name of a secret in AWS Secrets Manager'),
    ),
    adminWebAclArn,
    originSecrets: numbersIn(originSecrets ?? (adminWebAclArn && '1')),
  };
  return {
    stage:
      text('stage', STAGE, 'up to 20 lower-case letters, digits and hyphens') ?? DEFAULT_STACK_SETTINGS.stage,
    shards: wholeNumber('shards', 100),
    accessDays: wholeNumber('accessDays', 3_650),
    auditDays,
    readDays: wholeNumber('readDays', auditDays, {
      byDefault: Math.min(DEFAULT_STACK_SETTINGS.readDays, auditDays),
    }),
    // Whatever can be published compiles without variables.
    compiledBytes: wholeNumber('compiledBytes', LIMITS.compiledBytes, { least: LIMITS.textBytes }),
    requestMetadataBytes: wholeNumber('requestMetadataBytes', LIMITS.requestMetadataBytes),
    vaultKeyDays: wholeNumber('vaultKeyDays', 3_650),
    signingKeyNumber,
    logDays,
    accessLog: flag('accessLog'),
    routeMetrics: flag('routeMetrics'),
    throttleRate: wholeNumber('throttleRate', 100_000),
    throttleBurst: wholeNumber('throttleBurst', 100_000),
    gradualDeployment: flag('gradualDeployment'),
    noticeAlarms: flag('noticeAlarms'),
    dashboard: flag('dashboard'),
    adopt: flag('adopt'),
    passkeys: flag('passkeys'),
    // Cognito's maximum lifetime of a refresh token is ten years.
    sessionHours: wholeNumber('sessionHours', 87_600),
    ...present(optional),
  };
};

/** The names that `readSettings` reads. */
const settingNames = (): string[] => {
  const names = new Set<string>();
  readSettings((name) => {
    names.add(name);
    return undefined;
  });
  return [...names];
};

// More differences than this are another word.
const MOST_DIFFERENCES = 3;

/**
 * Checks the names in CDK context. Names with punctuation, such as `@aws-cdk/core:checkSecretUsage` and `cli-telemetry`,
 * are CDK's own unless they resemble a setting. Errors: `SettingError` for a name that is not a setting.
 */
export const assertKnownSettings = (names: readonly string[]): void => {
  const known = settingNames();
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
