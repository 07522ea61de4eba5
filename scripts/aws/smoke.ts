// npm run smoke [-- --stage NAME] [--alarm]: checks a deployment. The report contains no secrets.
import { CloudWatchClient, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { type Check, hasFailure, ok, report, runChecks } from './checks.ts';
import { runWithArguments } from './command.ts';
import { openDeployment, smokeChecks } from './smoke-checks.ts';
import { requireStack, requireStage } from './stack.ts';

// CloudWatch resets the alarm at its next evaluation.
const alarm = (stage: string): Check => ({
  title: 'alarm',
  run: async () => {
    const AlarmName = `cuevault-${stage}-api-server-errors`;
    const StateReason = 'Test by npm run smoke.';
    await new CloudWatchClient({}).send(
      new SetAlarmStateCommand({ AlarmName, StateValue: 'ALARM', StateReason }),
    );
    return ok(`${AlarmName} was raised briefly; a mail must arrive at the address in the setting alarmEmail`);
  },
});

const USAGE = `Usage: npm run smoke [-- --stage NAME] [--alarm] [--api-url URL]

Checks a deployment. The report contains no secrets.

  --stage NAME   the deployment; without it, the only one
  --alarm        raise an alarm briefly, to check that its mail arrives
  --api-url URL  an API at another address, such as an emulator`;

const OPTIONS = {
  stage: { type: 'string' },
  alarm: { type: 'boolean', default: false },
  'api-url': { type: 'string' },
} as const;

await runWithArguments({ usage: USAGE, options: OPTIONS }, async ({ values }) => {
  const stage = await requireStage(values.stage);
  const deployment = await openDeployment(stage, await requireStack(stage));
  const apiUrl = values['api-url'] ?? deployment.apiUrl;
  const checks = smokeChecks({ ...deployment, apiUrl });
  const results = await runChecks(values.alarm ? [...checks, alarm(stage)] : checks);
  if (hasFailure(results)) process.exitCode = 1;
  return `Cuevault, ${stage}, ${new Date().toISOString()}\n${report(results)}`;
});
