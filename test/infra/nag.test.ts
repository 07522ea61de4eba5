import { Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { COMPANY_SETTINGS, newApp, newStack } from './stack.ts';

const app = newApp({
  alarmEmail: 'oncall@example.com',
  operatorEmail: 'ada@example.com',
  originSecrets: '1',
  ...COMPANY_SETTINGS,
});
const stack = newStack(app);

test.each([
  ['AWS Solutions', new AwsSolutionsChecks(app)],
  ['Serverless', new ServerlessChecks(app)],
])(
  'the %s rules find nothing, warnings included, that is not acknowledged with a reason',
  (_name, checks) => {
    expect(checks.validateScope(stack).violations).toEqual([]);
  },
);

test('nothing is acknowledged for the whole stack', () => {
  expect(
    stack.node.metadata.filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY),
  ).toEqual([]);
});
