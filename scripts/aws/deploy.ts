// npm run deploy [-- --stage NAME] [-c name=value]: checks account and settings, asks, deploys, and checks the deployment.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
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
import { ask, COMMAND, OF_SETTINGS, runCommand, say, usageOf } from './command.ts';
import { bootstrapVersion, examine, qualifierOf, stageOf } from './doctor-checks.ts';
import {
  contextOf,
  deployedSettings,
  givenContext,
  monthlyDollars,
  nextSettings,
  nextStage,
  settingsReport,
} from './settings.ts';
import { checkDeployment } from './smoke-checks.ts';
import { CommandError, type DeployedStack, findStack, requireStack } from './stack.ts';

const USAGE = `Usage: npm run deploy -- [options] [options of cdk deploy]

Checks the account and the settings, says what will be deployed, asks once, bootstraps the account for CDK if it is not,
deploys, and checks the deployment. The same line upgrades.`;

const OPTIONS = {
  email: { type: 'string', says: ['--email ADDRESS', 'the first operator, who is invited by mail'] },
  stage: {
    type: 'string',
    says: ['--stage NAME', 'the deployment; without it, dev if there is no other in account and region'],
  },
  ...OF_SETTINGS,
  'accept-removal': {
    type: 'string',
    multiple: true,
    says: ['--accept-removal NAME', 'a setting that is removed or lowered knowingly'],
  },
  yes: { type: 'boolean', short: 'y', says: ['--yes', 'do not ask, as in CI'] },
  'skip-smoke': { type: 'boolean', says: ['--skip-smoke', 'do not check the deployment'] },
  profile: { type: 'string', says: ['--profile NAME', 'credentials of ~/.aws/config'] },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Options that the CDK CLI has, too. */
const PASSED_ON: readonly string[] = ['profile', 'context'];

/** The arguments of the CDK CLI, and those of this command. */
const readArguments = (all: string[]) => {
  const { values, tokens } = parseArgs({ args: all, strict: false, tokens: true, options: OPTIONS });
  const own = tokens.flatMap((token) => {
    if (token.kind !== 'option' || PASSED_ON.includes(token.name)) return [];
    if (!Object.hasOwn(OPTIONS, token.name)) return [];
    return token.inlineValue === false ? [token.index, token.index + 1] : [token.index];
  });
  const invited = typeof values.email === 'string' ? ['-c', `operatorEmail=${values.email}`] : [];
  return {
    args: [...all.filter((_, index) => !own.includes(index)), ...invited],
    profile: typeof values.profile === 'string' ? values.profile : undefined,
    removals: (values['accept-removal'] ?? []).map(String),
    accepted: (values.accept ?? []).map(String),
    smokes: values['skip-smoke'] !== true,
    asks: values.yes !== true,
    help: values.help === true,
  };
};

const placeOf = async () => {
  const { Account: account = '' } = await new STSClient({}).send(new GetCallerIdentityCommand({}));
  return { account, region: await new CloudFormationClient({}).config.region() };
};

type Place = Awaited<ReturnType<typeof placeOf>>;

/** What somebody should know before a deployment. */
const announcement = ({ account, region }: Place, settings: StackSettings): string =>
  [
    `This deploys the stage ${settings.stage} to account …${account.slice(-4)}, region ${region}${settings.production ? ', for production' : ''}.`,
    `Without a call, it costs about ${monthlyDollars(settings).toFixed(2)} US dollars a month.`,
    settings.production
      ? `Nobody can delete the sealed audit log for ${settings.auditDays} days, and the stack is protected from deletion.`
      : 'It is for a trial: an administrator can delete all of it.',
    "CDK's bootstrap stack, which it goes through, gives CloudFormation the role of an administrator.",
  ].join('\n');

/** Never by the template: a first stack that failed could not be deleted. */
const protect = async (StackName: string, EnableTerminationProtection: boolean): Promise<void> => {
  await new CloudFormationClient({}).send(
    new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection }),
  );
};

/** A new folder, in which the CLI finds no settings of another project. */
const newFolder = (): string => mkdtempSync(path.join(tmpdir(), 'cuevault-deploy-'));

const runNode = (file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): boolean =>
  spawnSync(process.execPath, [file, ...args], { stdio: 'inherit', cwd, env: { ...process.env, ...env } })
    .status === 0;

/** Runs the CDK CLI of this release, whatever is on the PATH; returns whether it succeeded. */
const runCdk = (args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): boolean => {
  const file = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk');
  return runNode(file, ['--no-notices', ...args], cwd, { CDK_DISABLE_CLI_TELEMETRY: 'true', ...env });
};

/**
 * Writes the template and its files into a folder with the app of the package; in a clone, the CLI runs that of `cdk.json`.
 * Errors: `CommandError`.
 */
const synthesize = (folder: string, context: object, region: string): void => {
  const app = fileURLToPath(new URL('../bin/cuevault.mjs', import.meta.url));
  const env = { CDK_OUTDIR: folder, CDK_CONTEXT_JSON: JSON.stringify(context), CDK_DEFAULT_REGION: region };
  if (!runNode(app, [], folder, env)) throw new CommandError('Nothing was deployed. See the output above.');
};

/** Whether this is a package that has an app of its own. */
const HAS_APP = COMMAND !== undefined;

// Where the app and its settings are not those of another project in this folder.
const bootstrap = ({ account, region }: Place, qualifier: string): void => {
  const folder = newFolder();
  try {
    if (!runCdk(['bootstrap', `aws://${account}/${region}`, '--qualifier', qualifier], folder))
      throw new CommandError('The account could not be bootstrapped for CDK. Nothing was deployed.');
  } finally {
    rmSync(folder, { recursive: true });
  }
};

interface Run {
  readonly deployed: GivenSettings;
  readonly next: GivenSettings;
  readonly region: string;
}

/** Runs `cdk deploy`: in a package, on a folder into which its own app was synthesized. Errors: `CommandError`. */
const run = (args: string[], { deployed, next, region }: Run): void => {
  const all = ['deploy', '--require-approval', 'never', ...args];
  const folder = HAS_APP ? newFolder() : undefined;
  try {
    if (folder !== undefined)
      synthesize(folder, { ...Object.fromEntries(givenContext(args)), ...next }, region);
    const env = { [DEPLOYED_SETTINGS]: JSON.stringify(deployed) };
    if (!runCdk(folder === undefined ? all : [...all, '--app', folder], folder ?? process.cwd(), env))
      throw new CommandError('The deployment failed. See the output above.');
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true });
  }
};

const outcome = ({ output }: DeployedStack, invited: string | undefined, isMailed: boolean): string =>
  [
    'Deployed.',
    `  AdminUrl  ${output('AdminUrl')}`,
    `  ApiUrl    ${output('ApiUrl')}`,
    ...(invited === undefined ? [] : [`  The invitation of ${invited} is mailed.`]),
    ...(isMailed ? [] : ['  Alarms notify nobody: deploy with -c alarmEmail=you@example.com.']),
    'Create a prompt "greeting", a secret and an API key there, then:',
    `  curl -s '${output('ApiUrl')}/api/prompt/get-compiled' -H "Authorization: Bearer $KEY" -d '{"name": "greeting"}'`,
    `  curl -s '${output('ApiUrl')}/api/vault/get-secrets' -H "Authorization: Bearer $KEY" -d '{}'`,
  ].join('\n');

const deploy = async (all: string[]): Promise<string | undefined> => {
  const { args, profile, removals, accepted, smokes, asks, help } = readArguments(all);
  if (help) return usageOf({ usage: USAGE, options: OPTIONS });
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
  const qualifier = qualifierOf(args);
  const { text, failed } = await examine(stage, { qualifier, production, accepted });
  if (failed) throw new CommandError(`${text}\n\nNothing was deployed.`);
  const place = await placeOf();
  say(`${text}\n\n${changes}\n\n${announcement(place, settings)}\n`);
  if (asks && !/^y(es)?$/i.test(await ask('Deploy? [y/N] ', 'To deploy, add --yes.')))
    throw new CommandError('Nothing was deployed.');
  if ((await bootstrapVersion(qualifier)) === undefined) bootstrap(place, qualifier);
  run([...args, '-c', `stage=${stage}`], { deployed, next, region: place.region });
  const done = await requireStack(stage);
  if (production || readSettings((each) => ({ stage, ...deployed })[each]).production)
    await protect(done.name, production);
  const checks = smokes ? await checkDeployment(stage) : undefined;
  if (checks !== undefined) say(`\n${checks.text}\n`);
  const invited = stack === undefined ? next.operatorEmail : undefined;
  say(outcome(done, invited, next.alarmEmail !== undefined));
  if (checks?.failed)
    throw new CommandError('Deployed, but checks failed. Repeat them with "npm run smoke".');
  return undefined;
};

await runCommand(() => deploy(process.argv.slice(2)));
