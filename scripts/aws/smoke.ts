// npm run smoke [-- --stage NAME] [--alarm]: checks a deployment. The report contains no secrets.
import { CloudWatchClient, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { type Check, ok } from './checks.ts';
import { OF_DEPLOYMENT, runWithArguments } from './command.ts';
import { answerQuestions } from './questions.ts';
import { checkDeployment, type Deployment, openDeployment } from './smoke-checks.ts';
import { requireStack, requireStage } from './stack.ts';

// CloudWatch resets the alarm at its next evaluation.
const alarm = ({ stage }: Deployment): Check => ({
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

const USAGE = `Usage: npm run smoke -- [options]

Checks a deployment. The report contains no secrets.`;

const OPTIONS = {
  ...OF_DEPLOYMENT,
  alarm: {
    type: 'boolean',
    default: false,
    says: ['--alarm', 'raise an alarm briefly: its mail must arrive'],
  },
  questions: {
    type: 'boolean',
    default: false,
    says: ['--questions', 'report what only a real account can show, instead; ten minutes, less than a cent'],
  },
  'api-url': { type: 'string', says: ['--api-url URL', 'an API at another address, such as an emulator'] },
} as const;

await runWithArguments({ usage: USAGE, options: OPTIONS }, async ({ values }) => {
  const stage = await requireStage(values.stage);
  if (values.questions) return answerQuestions(await openDeployment(stage, await requireStack(stage)));
  const others = (deployment: Deployment) => (values.alarm ? [alarm(deployment)] : []);
  const options = { apiUrl: values['api-url'], others };
  const { text, failed } = await checkDeployment(stage, options);
  if (failed) process.exitCode = 1;
  return text;
});
