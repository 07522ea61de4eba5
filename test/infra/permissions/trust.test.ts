import { allResources, fullStack } from '../gate/full.ts';
import type { Json } from '../stack.ts';

/**
 * What AWS documents that it sends when a service acts for an account. A condition on a key that is absent never
 * matches, so any other may deny everything: API Gateway sends none when it assumes the role of an integration.
 */
const SENT: Readonly<Record<string, string>> = {
  'cloudfront.amazonaws.com AWS:SourceArn':
    'https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-s3.html',
  'cloudwatch.amazonaws.com aws:SourceAccount':
    'https://docs.aws.amazon.com/sns/latest/dg/sns-access-policy-use-cases.html',
  'cognito-idp.amazonaws.com AWS:SourceArn':
    'https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-trigger-permissions.html',
  'events.amazonaws.com AWS:SourceArn':
    'https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html',
};

// Lambda writes the source of a permission into a condition of the function's policy.
const conditionsOf = ({ Principal, Condition, SourceArn, SourceAccount }: Json): string[] => {
  const services = typeof Principal === 'string' ? Principal : (Principal?.Service ?? []);
  const ofPermission = {
    ...(SourceArn ? { 'AWS:SourceArn': 0 } : {}),
    ...(SourceAccount ? { 'AWS:SourceAccount': 0 } : {}),
  };
  const keys = Object.values<Json>({ ...Condition, ofPermission }).flatMap(Object.keys);
  return [services].flat().flatMap((service) => keys.map((key) => `${service} ${key}`));
};

const isService = ({ Principal }: Json): boolean =>
  typeof Principal === 'string' ? Principal.includes('.') : Principal?.Service !== undefined;

/** The statements and permissions in a value, at any depth, that trust a service. */
const trustingIn = (value: unknown): Json[] => {
  if (typeof value !== 'object' || value === null) return [];
  return [...(isService(value) ? [value] : []), ...Object.values(value).flatMap(trustingIn)];
};

test('a service is trusted only under conditions that AWS documents it to meet', () => {
  const trusting = trustingIn(allResources(fullStack()));
  expect(trusting.length).toBeGreaterThan(50);
  expect([...new Set(trusting.flatMap(conditionsOf))].sort()).toEqual(Object.keys(SENT).sort());
});
