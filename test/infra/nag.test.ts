import { Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { Preflight } from 'cdk-preflight';
import { FULL_SETTINGS } from './gate/full.ts';
import { COMPANY_SETTINGS, type Json, newApp, newStack } from './stack.ts';

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
test.each<[string, Json]>([
  ['the defaults', {}],
  ['a company', { operatorEmail: 'ada@example.com', ...COMPANY_SETTINGS }],
  ['every setting', FULL_SETTINGS],
])(
  'cdk-preflight lets the stack with %s be deployed',
  (_, settings) => {
    const checked = newApp(settings);
    Preflight.apply(checked);
    newStack(checked);
    expect(() => checked.synth()).not.toThrow();
  },
  120_000,
);
