import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  type CompanySignIn,
  type GivenSettings,
  isSetting,
  mergeSettings,
  readSettings,
  SETTINGS_METADATA,
  type StackSettings,
  TRIAL_STAGE,
} from '../../lib/settings.ts';
import { CommandError, type DeployedStack, deployedStages, templateOf } from './stack.ts';

type Context = Readonly<Record<string, unknown>>;

const contextIn = (file: string): Context => {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { context?: Context }).context ?? {};
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new CommandError(`${file} is not readable as JSON: ${(error as Error).message}`);
  }
};

/** The context given as `-c name=value`. */
export const givenContext = (args: string[]): Map<string, string> => {
  const options = { context: { type: 'string', short: 'c', multiple: true } } as const;
  const { values } = parseArgs({ args, strict: false, options });
  const given = (values.context ?? []).filter((each) => typeof each === 'string');
  return new Map(given.map((each) => [each.split('=', 1)[0] ?? '', each.slice(each.indexOf('=') + 1)]));
};

/**
 * A value of CDK's context: of the arguments (`-c name=value`), or of `cdk.json`, which has no settings. Errors:
 * `CommandError` for a setting in a file that only some commands read.
 */
export const contextOf = (args: string[], name: string): unknown => {
  const files = ['cdk.json', path.join(homedir(), '.cdk.json')];
  // In an app of someone else, the context is of that app.
  for (const file of process.env.CUEVAULT_STACK === undefined ? files : [])
    for (const setting of Object.keys(contextIn(file)).filter(isSetting))
      throw new CommandError(
        `The setting "${setting}" is in ${file}, where only some commands see it. Remove it there and give it once to npm run deploy (-c ${setting}=…): the stack keeps it.`,
      );
  return givenContext(args).get(name) ?? contextIn(files[0] ?? '')[name];
};

/** The settings that a stack carries; none without a stack. Errors: those of CloudFormation. */
export const deployedSettings = async (
  stack: Pick<DeployedStack, 'name'> | undefined,
): Promise<GivenSettings> =>
  (stack === undefined ? undefined : (await templateOf(stack)).Metadata?.[SETTINGS_METADATA]) ?? {};

/**
 * The stage to deploy or to check: as given; without it, `dev` if there is no deployment in account and region, or no other.
 * `only`: whether the only deployment is meant, too. Errors: `CommandError` that names the deployments.
 */
export const nextStage = async (given: string | undefined, only = false): Promise<string> => {
  if (given !== undefined) return given;
  const stages = await deployedStages();
  if (stages.every((stage) => stage === TRIAL_STAGE)) return TRIAL_STAGE;
  if (only && stages.length === 1) return stages[0] ?? TRIAL_STAGE;
  throw new CommandError(
    `This account and region already have ${stages.join(', ')}. Name the one that you mean, or a new one, with --stage.`,
  );
};

/** The settings of a deployment with these arguments: as given, otherwise as deployed. */
export const nextSettings = (args: string[], deployed: GivenSettings): GivenSettings =>
  mergeSettings((name) => contextOf(args, name), deployed);

type Values = { readonly [Name in keyof StackSettings]: unknown };

const isMissing = (before: unknown, now: unknown): boolean => before !== undefined && now === undefined;

const isLower = (before: unknown, now: unknown): boolean => Number(now) < Number(before);

const isDifferent = (before: unknown, now: unknown): boolean =>
  before !== undefined && JSON.stringify(now) !== JSON.stringify(before);

const isOtherCompany = (before: unknown, now: unknown): boolean => {
  const [was, is] = [before, now].map((company) => {
    const { issuer, clientId } = (company ?? {}) as Partial<CompanySignIn>;
    return company === undefined ? undefined : [issuer, clientId];
  });
  return isDifferent(was, is);
};

const itemsOf = (list: unknown): string[] =>
  String(list ?? '')
    .split(/[ ,]/)
    .filter((item) => item !== '');

const lacksItem = (before: unknown, now: unknown): boolean =>
  itemsOf(before).some((item) => !itemsOf(now).includes(item));

/** How each of these settings would take something away, and what breaks then. */
const REMOVALS: Readonly<
  Partial<Record<keyof StackSettings, readonly [(before: unknown, now: unknown) => boolean, string]>>
> = {
  signingKeys: [lacksItem, 'functions refuse every row that the key signed'],
  accessDays: [isLower, 'access entries expire earlier'],
  production: [
    isLower,
    'whoever may delete the stack can, and the sealed log is no longer locked for everybody',
  ],
  apiDomain: [isDifferent, 'applications that use the domain fail'],
  adminDomain: [isDifferent, 'operators that use the domain cannot sign in'],
  adminWebAclArn: [isMissing, 'nothing filters calls of the admin site'],
  originSecrets: [lacksItem, 'functions refuse calls with the secret'],
  alarmEmail: [isMissing, 'alarms notify nobody'],
  company: [isOtherCompany, 'nobody of the company who is an operator now can sign in'],
  webhook: [isMissing, 'the webhook gets no events'],
};

// The settings that a domain or a webhook is made of are accepted by either of their names.
const OWN_NAMES: Readonly<Record<string, string>> = { webhook: 'webhookUrl', company: 'signInIssuer' };

const removals = (before: Values, now: Values, accepted: readonly string[]): string[] =>
  Object.entries(REMOVALS).flatMap(([name, [removes, consequence]]) => {
    const was = before[name as keyof Values];
    const is = now[name as keyof Values];
    const setting = OWN_NAMES[name] ?? name;
    if (!removes(was, is) || accepted.includes(setting)) return [];
    return `"${setting}" would be removed or lowered: ${consequence}. If that is meant, add --accept-removal ${setting}.`;
  });

export interface Change {
  /** Whether the stack exists. */
  readonly exists: boolean;
  readonly deployed: GivenSettings;
  readonly next: GivenSettings;
  /** The settings whose removal is accepted. */
  readonly accepted: readonly string[];
}

const refusals = ({ exists, deployed, next, accepted }: Change): string[] => {
  if (!exists) return [];
  const before = readSettings((name) => deployed[name]);
  const now = readSettings((name) => next[name]);
  const never = [
    ...(before.signInPrefix === now.signInPrefix
      ? []
      : ['"signInPrefix" of a running deployment cannot change: passkeys are bound to the domain.']),
    ...(before.auditDays <= now.auditDays
      ? []
      : [
          `"auditDays" cannot be lowered: objects of the sealed log are locked for ${before.auditDays} days, and would be hidden before.`,
        ]),
  ];
  return [...removals(before, now, accepted), ...never];
};

/**
 * What a deployment would change of its settings, a line each. Errors: `CommandError` if it would take something away
 * that its caller did not accept; `SettingError` for a wrong value.
 */
export const settingsReport = (change: Change): string => {
  const { deployed, next } = change;
  const refused = refusals(change);
  if (refused.length > 0) throw new CommandError(`${refused.join('\n')}\n\nNothing was deployed.`);
  const names = [...new Set([...Object.keys(deployed), ...Object.keys(next)])].sort();
  const lineOf = (name: string): string => {
    const [was = 'the default', is = 'the default'] = [deployed[name], next[name]];
    if (!isSetting(name)) return `  ${name}: ${was} -> dropped, because this release has no such setting`;
    return was === is ? `  ${name}: ${is}` : `  ${name}: ${was} -> ${is}`;
  };
  return ['Settings:', ...names.map(lineOf)].join('\n');
};

const KEY_DOLLARS = 1;
const JOBS_DOLLARS = 0.28;
const ALARM_METRIC_DOLLARS = 0.1;
const SECRET_DOLLARS = 0.4;

/** What a month of a deployment costs without a call, in US dollars, without what an account has free of charge. */
export const monthlyDollars = (settings: StackSettings): number => {
  const { alarmEmail, webhook, signingKeys, originSecrets = [] } = settings;
  const metrics = alarmEmail === undefined ? 2 : 10 + (webhook === undefined ? 0 : 1);
  return (
    KEY_DOLLARS * (1 + signingKeys.length) +
    JOBS_DOLLARS +
    ALARM_METRIC_DOLLARS * metrics +
    SECRET_DOLLARS * originSecrets.length
  );
};
