// npm run doctor [-- --stage prod]: checks the account before a deployment. Exit status 1 if it would fail.
import { parseArgs } from 'node:util';
import { runCommand } from './command.ts';
import { examine, stageOf } from './preflight.ts';

await runCommand(async () => {
  // A misspelled option must not check another stage.
  parseArgs({
    options: { context: { type: 'string', short: 'c', multiple: true }, stage: { type: 'string' } },
  });
  const { text, failed } = await examine(stageOf(process.argv.slice(2)));
  if (failed) process.exitCode = 1;
  return text;
});
