// npm run deploy [-- arguments of cdk deploy] [--skip-smoke]: checks account and settings, deploys, and checks the deployment.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DEPLOYED_SETTINGS } from '../../lib/settings.ts';
import { runCommand } from './command.ts';
import { examine, qualifierOf, stageOf } from './doctor-checks.ts';
import { contextOf, deployedSettings, nextSettings, settingsReport } from './settings.ts';
import { CommandError, findStack } from './stack.ts';

const SMOKE = fileURLToPath(new URL('smoke.ts', import.meta.url));

const OWN = {
  profile: { type: 'string' },
  'accept-removal': { type: 'string', multiple: true },
  'skip-smoke': { type: 'boolean' },
} as const;

/** The arguments of the CDK CLI, without those of this command. */
const readArguments = (all: string[]) => {
  const { values, tokens } = parseArgs({ args: all, strict: false, tokens: true, options: OWN });
  const own = tokens.flatMap((token) => {
    if (token.kind !== 'option' || !['accept-removal', 'skip-smoke'].includes(token.name)) return [];
    return token.name === 'skip-smoke' || token.inlineValue ? [token.index] : [token.index, token.index + 1];
  });
  if (typeof values.profile === 'string') process.env.AWS_PROFILE = values.profile;
  return {
    args: all.filter((_, index) => !own.includes(index)),
    accepted: (values['accept-removal'] ?? []).map(String),
    smokes: values['skip-smoke'] !== true,
  };
};

await runCommand(async () => {
  const { args, accepted, smokes } = readArguments(process.argv.slice(2));
  if (String(contextOf(args, 'adopt') ?? false) !== 'false')
    throw new CommandError(
      'A deployment with the setting "adopt" would take the keys from all functions. Leave it out: it is for cdk import only.',
    );
  const { text, failed } = await examine(stageOf(args), qualifierOf(args));
  if (failed) throw new CommandError(`${text}\n\nNothing was deployed.`);
  const stack = await findStack(stageOf(args));
  const deployed = await deployedSettings(stack);
  const next = nextSettings(args, deployed);
  const settings = settingsReport({ exists: stack !== undefined, deployed, next, accepted });
  console.log(`${text}\n\n${settings}\n`);
  const { status } = spawnSync('cdk', ['deploy', ...args], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, [DEPLOYED_SETTINGS]: JSON.stringify(deployed) },
  });
  if (status !== 0) throw new CommandError('The deployment failed. See the output above.');
  const silent =
    next.alarmEmail === undefined ? '\nAlarms notify nobody: deploy with -c alarmEmail=you@example.com.' : '';
  if (
    smokes &&
    spawnSync(process.execPath, [SMOKE, '--stage', stageOf(args)], { stdio: 'inherit' }).status !== 0
  )
    throw new CommandError('Deployed, but checks failed. Repeat them with "npm run smoke".');
  return `Deployed.${silent}`;
});
