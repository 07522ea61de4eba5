import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { DEFAULT_SETTINGS, type Settings } from '../contract/environment.ts';

/** A domain of one's own for the admin site. Its DNS record, an alias of the distribution, is yours to make. */
export interface SiteDomain {
  readonly name: string;
  /** ARN of its certificate, which must lie in us-east-1. */
  readonly certificateArn: string;
}

/** Everything that a deployment may choose. Each is set with `-c <name>=<value>` or in the context of `cdk.json`. */
export interface StackSettings extends Settings {
  /** Days until the key pair that secrets are sealed to is replaced. */
  readonly vaultKeyDays: number;
  /** Days that logs are kept; one of the periods that CloudWatch Logs offers. */
  readonly logDays: number;
  /** Requests per second that each route takes on average. */
  readonly throttleRate: number;
  /** Requests that each route takes at once. */
  readonly throttleBurst: number;
  /**
   * Where alarms are mailed to.
   * @default - alarms notify nobody
   */
  readonly alarmEmail?: string;
  /**
   * Address of the first operator, who is invited by mail. Later ones are added with
   * `aws cognito-idp admin-create-user` and `admin-add-user-to-group`, or in the console.
   * @default - nobody is invited
   */
  readonly operatorEmail?: string;
  /**
   * Domain of the admin site, set by `adminDomain` and `adminCertificateArn` together.
   * @default - the name that CloudFront gives
   */
  readonly adminDomain?: SiteDomain;
  /**
   * ARN of the AWS WAF web ACL in front of the admin site; it must have the scope CLOUDFRONT.
   * @default - none
   */
  readonly adminWebAclArn?: string;
}

export const DEFAULT_STACK_SETTINGS: StackSettings = {
  ...DEFAULT_SETTINGS,
  vaultKeyDays: 90,
  logDays: RetentionDays.THREE_MONTHS,
  throttleRate: 200,
  throttleBurst: 400,
};

const STAGE = /^[a-z][a-z0-9-]{0,19}$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
// CloudFront takes certificates and web ACLs of this region alone.
const CERTIFICATE_ARN = /^arn:[a-z-]+:acm:us-east-1:\d{12}:certificate\/\S+$/;
const WEB_ACL_ARN = /^arn:[a-z-]+:wafv2:us-east-1:\d{12}:global\/webacl\/\S+$/;

const refuse = (name: string, value: unknown, wanted: string): never => {
  throw new Error(`The setting "${name}" must be ${wanted}, not ${JSON.stringify(value) ?? 'absent'}.`);
};

type Present<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

const present = <T extends object>(values: T): Present<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>;

const siteDomain = (name: string | undefined, certificateArn: string | undefined): SiteDomain | undefined => {
  if (name === undefined && certificateArn === undefined) return undefined;
  if (certificateArn === undefined)
    return refuse('adminCertificateArn', certificateArn, 'given with "adminDomain"');
  if (name === undefined) return refuse('adminDomain', name, 'given with "adminCertificateArn"');
  return { name, certificateArn };
};

/**
 * Reads the settings from CDK context, where the command line leaves numbers as text. Throws for a value that is out
 * of range, naming the setting.
 */
export const readSettings = (context: (name: string) => unknown): StackSettings => {
  const wholeNumber = (name: keyof typeof DEFAULT_STACK_SETTINGS, most: number): number => {
    const value = context(name) ?? DEFAULT_STACK_SETTINGS[name];
    const number = Number(value);
    const fits = Number.isInteger(number) && number >= 1 && number <= most;
    return fits ? number : refuse(name, value, `a whole number from 1 to ${most}`);
  };
  const text = (name: string, pattern: RegExp, wanted: string): string | undefined => {
    const value = context(name);
    if (value === undefined) return undefined;
    return typeof value === 'string' && pattern.test(value) ? value : refuse(name, value, wanted);
  };
  const logDays = wholeNumber('logDays', RetentionDays.TEN_YEARS);
  if (!(logDays in RetentionDays)) refuse('logDays', logDays, 'a period that CloudWatch Logs offers');
  const optional = {
    alarmEmail: text('alarmEmail', EMAIL, 'an e-mail address'),
    operatorEmail: text('operatorEmail', EMAIL, 'an e-mail address'),
    adminDomain: siteDomain(
      text('adminDomain', DOMAIN, 'a domain name in lower case'),
      text('adminCertificateArn', CERTIFICATE_ARN, 'the ARN of an ACM certificate in us-east-1'),
    ),
    adminWebAclArn: text('adminWebAclArn', WEB_ACL_ARN, 'the ARN of a web ACL of the scope CLOUDFRONT'),
  };
  return {
    stage:
      text('stage', STAGE, 'up to 20 lower-case letters, digits and hyphens') ?? DEFAULT_STACK_SETTINGS.stage,
    shards: wholeNumber('shards', 100),
    accessDays: wholeNumber('accessDays', 3_650),
    auditDays: wholeNumber('auditDays', 3_650),
    vaultKeyDays: wholeNumber('vaultKeyDays', 3_650),
    logDays,
    throttleRate: wholeNumber('throttleRate', 10_000),
    throttleBurst: wholeNumber('throttleBurst', 10_000),
    ...present(optional),
  };
};
