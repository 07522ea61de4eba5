// npm run doctor [-- --stage NAME]: checks the account before a deployment. Exit status 1 if it would fail.
import { readSettings } from '../../lib/settings.ts';
import { OF_DEPLOYMENT, OF_SETTINGS, runWithArguments } from './command.ts';
import { examine, qualifierOf, stageOf } from './doctor-checks.ts';
import { deployedSettings, nextSettings, nextStage } from './settings.ts';
import { findStack } from './stack.ts';

const USAGE = `Usage: npm run doctor -- [options]

Checks that the account is ready for a deployment: the only one, or that of dev if there is none.`;

const OPTIONS = {
  ...OF_DEPLOYMENT,
  ...OF_SETTINGS,
} as const;

// A misspelled option must not check another stage.
await runWithArguments({ usage: USAGE, options: OPTIONS }, async ({ values }) => {
  const args = process.argv.slice(2);
  const stage = await nextStage(stageOf(args), true);
  const next = nextSettings(args, await deployedSettings(await findStack(stage)));
  const { production } = readSettings((name) => ({ ...next, stage })[name]);
  const options = { qualifier: qualifierOf(args), production, accepted: values.accept ?? [] };
  const { text, failed } = await examine(stage, options);
  if (failed) process.exitCode = 1;
  return `Cuevault, ${stage}\n${text}`;
});
