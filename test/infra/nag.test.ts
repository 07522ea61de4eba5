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
Preflight.apply(app);
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
const checked = (settings: Json) => {
  const app = newApp(settings);
  Preflight.apply(app);
  newStack(app);
  return app;
};

test.each([
  ['the defaults', () => checked({})],
  ['a company', () => app],
  ['every setting', () => checked(FULL_SETTINGS)],
])(
  'cdk-preflight lets the stack with %s be deployed',
  (_, appOf) => {
    expect(() => appOf().synth()).not.toThrow();
  },
  120_000,
);
