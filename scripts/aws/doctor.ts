// npm run doctor [-- --stage prod]: checks the account before a deployment. Exit status 1 if it would fail.
import { runCommand } from './command.ts';
import { examine, stageOf } from './preflight.ts';

await runCommand(async () => {
  const { text, failed } = await examine(stageOf(process.argv.slice(2)));
  if (failed) process.exitCode = 1;
  return text;
});
