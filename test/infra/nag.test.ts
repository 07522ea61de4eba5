import { Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { Preflight } from 'cdk-preflight';
import { FULL_SETTINGS } from './gate/full.ts';
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

// Each of its rules is a template that failed in a real account.
test('cdk-preflight lets the stack with every setting be deployed', () => {
  const full = newApp(FULL_SETTINGS);
  Preflight.apply(full);
  newStack(full);
  expect(() => full.synth()).not.toThrow();
}, 120_000);
