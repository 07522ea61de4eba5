import { KEY_ARNS } from '../../../local/aws/account.ts';
import { resolver } from '../../../local/template/values.ts';
import type { Json } from '../stack.ts';
import { fullStack, templateOf } from './full.ts';

const stack = fullStack();
const template = templateOf(stack);

const count = (...types: string[]): number =>
  Object.values(template.Resources).filter(({ Type }) => types.includes(Type)).length;

const sizes = (type: string, measure: (properties: Json) => number): number =>
  Math.max(...Object.values(stack.resources(type)).map(({ Properties }) => measure(Properties)));

const jsonLength = (value: unknown): number => JSON.stringify(value ?? '').length;

// Names of roles have at most 64 characters; CloudFormation fills them with the name of the stack.
const resolve = resolver(template, { arns: KEY_ARNS, publicKey: '' });
const deployedLength = (policy: unknown): number =>
  JSON.stringify(resolve(policy)).replaceAll(/(?<=:role\/)[\w-]+(?=")/g, 'r'.repeat(64)).length;

const alarms = Object.values(stack.resources('AWS::CloudWatch::Alarm'));

// Quotas that cannot be raised or that new accounts have, from the quota page of each service in the AWS documentation.
test.each([
  ['resources in a stack', Object.keys(template.Resources).length, 500],
  ['bytes of a template', Buffer.byteLength(JSON.stringify(template)), 1_048_576],
  ['outputs of a stack', Object.keys(template.Outputs).length, 200],
  ['routes of an API', count('AWS::ApiGatewayV2::Route'), 300],
  ['integrations of an API', count('AWS::ApiGatewayV2::Integration'), 300],
  ['authorizers of an API', count('AWS::ApiGatewayV2::Authorizer'), 10],
  ['roles in an account', count('AWS::IAM::Role'), 1_000],
  ['rules on an event bus', count('AWS::Events::Rule'), 100],
  [
    'characters of the environment of a function',
    sizes('AWS::Lambda::Function', ({ Environment }) => jsonLength(Environment)),
    4_096,
  ],
  [
    'characters of the description of a function',
    sizes('AWS::Lambda::Function', ({ Description = '' }) => String(Description).length),
    256,
  ],
  [
    'characters of the inline policy of a role',
    sizes('AWS::IAM::Policy', ({ PolicyDocument }) => deployedLength(PolicyDocument)),
    10_240,
  ],
  [
    'bytes of the policy of the table',
    sizes('AWS::DynamoDB::GlobalTable', ({ Replicas }) => {
      const [{ ResourcePolicy }] = Replicas as [{ ResourcePolicy: { PolicyDocument: unknown } }];
      return deployedLength(ResourcePolicy.PolicyDocument);
    }),
    20_480,
  ],
  [
    'characters of a key policy',
    sizes('AWS::KMS::Key', ({ KeyPolicy }) => deployedLength(KeyPolicy)),
    32_768,
  ],
  [
    'metrics of an alarm',
    Math.max(...alarms.map(({ Properties }) => ((Properties.Metrics ?? []) as unknown[]).length)),
    10,
  ],
])('%s: %i, of at most %i', (_, used, most) => {
  expect(used).toBeGreaterThan(0);
  expect(used).toBeLessThanOrEqual(most);
});
