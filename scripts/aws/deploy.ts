// npm run deploy [-- arguments of cdk deploy]: checks the account, then deploys.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { runCommand } from './command.ts';
import { examine, qualifierOf, settingOf, stageOf } from './preflight.ts';
import { CommandError } from './stack.ts';

const args = process.argv.slice(2);

const useProfile = (): void => {
  const { values } = parseArgs({ args, strict: false, options: { profile: { type: 'string' } } });
  if (typeof values.profile === 'string') process.env.AWS_PROFILE = values.profile;
};

await runCommand(async () => {
  useProfile();
  if (String(settingOf(args, 'adopt') ?? false) !== 'false')
    throw new CommandError(
      'A deployment with the setting "adopt" would take the keys from all functions. Leave it out: it is for cdk import only.',
    );
  const { text, failed } = await examine(stageOf(args), qualifierOf(args));
  if (failed) throw new CommandError(`${text}\n\nNothing was deployed.`);
  console.log(`${text}\n`);
  const { status } = spawnSync('cdk', ['deploy', ...args], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new CommandError('The deployment failed. See the output above.');
  const silent =
    settingOf(args, 'alarmEmail') === undefined
      ? '\nAlarms notify nobody: deploy with -c alarmEmail=you@example.com.'
      : '';
  return `Deployed. Run "npm run smoke" to check it.${silent}`;
});
