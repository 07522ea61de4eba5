// npm run smoke [-- --stage prod] [--alarm]: checks a deployment. The report contains no secrets.
import { parseArgs } from 'node:util';
import { CloudWatchClient, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { type Check, hasFailure, ok, report, runChecks } from './checks.ts';
import { runCommand } from './command.ts';
import { openDeployment, smokeChecks } from './smoke-checks.ts';
import { requireStack } from './stack.ts';

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

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string', default: 'prod' },
      alarm: { type: 'boolean', default: false },
      // For an API at another address, such as an emulator.
      'api-url': { type: 'string' },
    },
  });
  const { stage } = values;
  const deployment = await openDeployment(stage, await requireStack(stage));
  const apiUrl = values['api-url'] ?? deployment.apiUrl;
  const checks = smokeChecks({ ...deployment, apiUrl });
  const results = await runChecks(values.alarm ? [...checks, alarm(stage)] : checks);
  if (hasFailure(results)) process.exitCode = 1;
  return `Cuevault, ${stage}, ${new Date().toISOString()}\n${report(results)}`;
});
