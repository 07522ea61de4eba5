// npm run deploy [-- --stage NAME] [-c name=value]: checks account and settings, asks, deploys, and checks the deployment.
import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CloudFormationClient, UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import {
  ADOPT,
  assertKnownSettings,
  DEPLOYED_SETTINGS,
  type GivenSettings,
  readSettings,
  type StackSettings,
} from '../../lib/settings.ts';
import { runCommand } from './command.ts';
import { examine, qualifierOf, stageOf } from './doctor-checks.ts';
import {
  contextOf,
  deployedSettings,
  givenContext,
  nextSettings,
  nextStage,
  settingsReport,
} from './settings.ts';
import { CommandError, findStack, requireStack } from './stack.ts';

const USAGE = `Usage: npm run deploy [-- --stage NAME] [-c name=value] [options of cdk deploy]

Checks the account and the settings, says what will be deployed, asks once, deploys, and checks the deployment.

  --stage NAME           the deployment; without it, dev if there is no other in account and region
  -c NAME=VALUE          a setting, which the deployment keeps; README and docs/operations.md name them
  --accept-removal NAME  a setting that is removed or lowered knowingly
  --accept NAME          a check of production, Lambda or CloudTrail, whose failure is taken knowingly
  --yes                  do not ask, as in CI
  --skip-smoke           do not check the deployment
  --profile NAME         credentials of ~/.aws/config`;

const SMOKE = fileURLToPath(new URL('smoke.ts', import.meta.url));

const OWN = {
  profile: { type: 'string' },
  stage: { type: 'string' },
  'accept-removal': { type: 'string', multiple: true },
  accept: { type: 'string', multiple: true },
  'skip-smoke': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The arguments of the CDK CLI, and those of this command. */
const readArguments = (all: string[]) => {
  const { values, tokens } = parseArgs({ args: all, strict: false, tokens: true, options: OWN });
  const own = tokens.flatMap((token) => {
    if (token.kind !== 'option' || token.name === 'profile' || !Object.hasOwn(OWN, token.name)) return [];
    return token.inlineValue === false ? [token.index, token.index + 1] : [token.index];
  });
  return {
    args: all.filter((_, index) => !own.includes(index)),
    profile: typeof values.profile === 'string' ? values.profile : undefined,
    removals: (values['accept-removal'] ?? []).map(String),
    accepted: (values.accept ?? []).map(String),
    smokes: values['skip-smoke'] !== true,
    asks: values.yes !== true,
    help: values.help === true,
  };
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

const placeText = async (): Promise<string> => {
  const { Account = '' } = await new STSClient({}).send(new GetCallerIdentityCommand({}));
  return `account …${Account.slice(-4)}, region ${await new CloudFormationClient({}).config.region()}`;
};

/** What somebody should know before a deployment. */
const announcement = (place: string, settings: StackSettings): string =>
  [
    `This deploys the stage ${settings.stage} to ${place}${settings.production ? ', for production' : ''}.`,
    `Without a call, it costs about ${monthlyDollars(settings).toFixed(2)} US dollars a month.`,
    settings.production
      ? `Nobody can delete the sealed audit log for ${settings.auditDays} days, and the stack is protected from deletion.`
      : 'It is for a trial: an administrator can delete all of it.',
    "CDK's bootstrap stack, which it goes through, gives CloudFormation the role of an administrator.",
  ].join('\n');

const confirm = async (): Promise<void> => {
  if (!process.stdin.isTTY) throw new CommandError('Nobody can answer here. To deploy, add --yes.');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Deploy? [y/N] ').finally(() => terminal.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was deployed.');
};

/** Never by the template: a first stack that failed could not be deleted. */
const protect = async (StackName: string, EnableTerminationProtection: boolean): Promise<void> => {
  await new CloudFormationClient({}).send(
    new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection }),
  );
};

const deploy = async (all: string[]): Promise<string> => {
  const { args, profile, removals, accepted, smokes, asks, help } = readArguments(all);
  if (help) return USAGE;
  if (profile !== undefined) process.env.AWS_PROFILE = profile;
  if (String(contextOf(args, ADOPT) ?? false) !== 'false')
    throw new CommandError(
      'A deployment with the setting "adopt" would take the keys from all functions. Leave it out: it is for cdk import only.',
    );
  // Before AWS is asked: whatever is wrong there must not hide a misspelled setting.
  const given = givenContext(args);
  assertKnownSettings([...given.keys()]);
  readSettings((name) => given.get(name) || (name === 'stage' ? 'any' : undefined));
  const stage = await nextStage(stageOf(all));
  const stack = await findStack(stage);
  const deployed = await deployedSettings(stack);
  const next: GivenSettings = { ...nextSettings(args, deployed), stage };
  const changes = settingsReport({ exists: stack !== undefined, deployed, next, accepted: removals });
  const settings = readSettings((name) => next[name]);
  const { production } = settings;
  const { text, failed } = await examine(stage, { qualifier: qualifierOf(args), production, accepted });
  if (failed) throw new CommandError(`${text}\n\nNothing was deployed.`);
  console.log(`${text}\n\n${changes}\n\n${announcement(await placeText(), settings)}\n`);
  if (asks) await confirm();
  const { status } = spawnSync(
    'cdk',
    ['deploy', '--require-approval', 'never', ...args, '-c', `stage=${stage}`],
    {
      stdio: 'inherit',
      shell: process.platform === 'win32',
      env: { ...process.env, [DEPLOYED_SETTINGS]: JSON.stringify(deployed) },
    },
  );
  if (status !== 0) throw new CommandError('The deployment failed. See the output above.');
  if (smokes && spawnSync(process.execPath, [SMOKE, '--stage', stage], { stdio: 'inherit' }).status !== 0)
    throw new CommandError('Deployed, but checks failed. Repeat them with "npm run smoke".');
  if (production || readSettings((name) => ({ stage, ...deployed })[name]).production)
    await protect((await requireStack(stage)).name, production);
  const silent =
    next.alarmEmail === undefined ? '\nAlarms notify nobody: deploy with -c alarmEmail=you@example.com.' : '';
  return `Deployed.${silent}`;
};

if (import.meta.main) await runCommand(() => deploy(process.argv.slice(2)));
