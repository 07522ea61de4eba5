// npm run doctor [-- --stage prod]: checks the account before a deployment. Exit status 1 if it would fail.
import { runWithArguments } from './command.ts';
import { examine, qualifierOf, stageOf } from './doctor-checks.ts';

const USAGE = `Usage: npm run doctor [-- --stage prod] [-c name=value]

Checks that the account is ready for a deployment.

  --stage NAME   the deployment; without it, the setting "stage", or prod
  -c NAME=VALUE  a setting, as for npm run deploy`;

const OPTIONS = {
  context: { type: 'string', short: 'c', multiple: true },
  stage: { type: 'string' },
} as const;

// A misspelled option must not check another stage.
await runWithArguments({ usage: USAGE, options: OPTIONS }, async () => {
  const args = process.argv.slice(2);
  const { text, failed } = await examine(stageOf(args), qualifierOf(args));
  if (failed) process.exitCode = 1;
  return text;
});
