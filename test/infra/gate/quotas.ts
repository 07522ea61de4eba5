import { resolver } from '../permissions/resolved.ts';
import { invokerPolicies, type Json } from '../stack.ts';
import { allResources, fullStack, templateOf } from './full.ts';

/** The stack with every setting. */
export const stack = fullStack();
const template = templateOf(stack);
const nested = Object.values(stack.nested).map(templateOf);
const resources = allResources(stack);

const count = (...types: string[]): number =>
  Object.values(resources).filter(({ Type }) => types.includes(Type)).length;

// As long as a name of CloudFormation's and an alias make it.
const LONGEST_ARN = `arn:aws:lambda:ap-southeast-1:123456789012:function:${'n'.repeat(64)}:live`;

const resolvedLength = (value: unknown): number =>
  JSON.stringify(value, (_, part) => (part?.Ref === undefined && !part?.['Fn::GetAtt'] ? part : LONGEST_ARN))
    .length;

const sizes = (type: string, measure: (properties: Json) => number): number =>
  Math.max(...stack.all(type).map(measure));

const jsonLength = (value: unknown): number => JSON.stringify(value ?? '').length;

// Names of roles have at most 64 characters; CloudFormation fills them with the name of the stack.
const resolve = resolver(stack);
const deployedLength = (policy: unknown): number =>
  JSON.stringify(resolve(policy)).replaceAll(/(?<=:role\/)[\w-]+(?=")/g, 'r'.repeat(64)).length;

/**
 * What the stack with every setting takes of quotas that cannot be raised or that new accounts have, from the quota page of
 * each service in the AWS documentation: what, how much, of at most.
 */
export const QUOTAS: readonly (readonly [what: string, used: number, most: number])[] = [
  // CloudFormation allows 500. The others are for what comes after this release.
  ['resources in the stack', Object.keys(template.Resources).length, 440],
  [
    'resources in a nested stack',
    Math.max(...nested.map(({ Resources }) => Object.keys(Resources).length)),
    440,
  ],
  [
    'parameters of a nested stack',
    Math.max(...nested.map(({ Parameters = {} }) => Object.keys(Parameters).length)),
    200,
  ],
  // IAM allows 10,240. Beyond this, a second role has to be made first.
  [
    "characters of the policy of the API's role",
    Math.max(...invokerPolicies(stack).map(({ PolicyDocument }) => resolvedLength(PolicyDocument))),
    9_500,
  ],
  ['bytes of a template', Buffer.byteLength(JSON.stringify(template)), 1_048_576],
  ['outputs of a stack', Object.keys(template.Outputs).length, 200],
  ['routes of an API', count('AWS::ApiGatewayV2::Route'), 300],
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
    sizes('AWS::DynamoDB::GlobalTable', ({ Replicas }) =>
      deployedLength(Replicas[0].ResourcePolicy.PolicyDocument),
    ),
    20_480,
  ],
  [
    'characters of a key policy',
    sizes('AWS::KMS::Key', ({ KeyPolicy }) => deployedLength(KeyPolicy)),
    32_768,
  ],
];

// npm run resources
if (import.meta.main)
  for (const [what, used, most] of QUOTAS) process.stdout.write(`${used} ${what}, of at most ${most}\n`);
