import {
  CloudFormationClient,
  GetTemplateCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import {
  DynamoDBClient,
  GetResourcePolicyCommand,
  PolicyNotFoundException,
  PutResourcePolicyCommand,
} from '@aws-sdk/client-dynamodb';
import { GetKeyPolicyCommand, KMSClient, PutKeyPolicyCommand } from '@aws-sdk/client-kms';
import { GetBucketPolicyCommand, PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';
import { isChanged, protectingPolicies, putBack } from '../../scripts/aws/policies.ts';
import { synthesize } from '../infra/stack.ts';
import { mockClient } from '../support/aws/mock-client.ts';
import { listed } from '../support/aws/stack.ts';

process.env.AWS_REGION = 'eu-central-1';

const cloudFormation = mockClient(CloudFormationClient);
const dynamodb = mockClient(DynamoDBClient);
const kms = mockClient(KMSClient);
const s3 = mockClient(S3Client);

const id = 'arn:aws:cloudformation:eu-central-1:123456789012:stack/cuevault-prod/1';
const stack = { name: 'cuevault-prod', id, status: 'UPDATE_COMPLETE', output: String };

/** What is attached: that of the real template, as if CloudFormation had just deployed it. */
const attached = new Map<string, string>();
let refusals = 0;

beforeAll(async () => {
  const template = synthesize().template.toJSON() as { Resources: Record<string, { Type: string }> };
  const StackResourceSummaries = Object.entries(template.Resources)
    .filter(([, { Type }]) => Type !== 'AWS::CloudFormation::Stack')
    .map(([id, { Type }]) => listed(Type, id, `the-${id}`));
  cloudFormation.on(ListStackResourcesCommand).resolves({ StackResourceSummaries });
  cloudFormation.on(GetTemplateCommand).resolves({ TemplateBody: JSON.stringify(template) });
  dynamodb.on(GetResourcePolicyCommand).callsFake(({ ResourceArn }) => {
    if (!attached.has(ResourceArn)) throw new PolicyNotFoundException({ message: '', $metadata: {} });
    return { Policy: attached.get(ResourceArn) };
  });
  dynamodb.on(PutResourcePolicyCommand).callsFake(({ ResourceArn, Policy }) => {
    refusals -= 1;
    if (refusals >= 0) throw Object.assign(new Error('wait'), { name: 'LimitExceededException' });
    attached.set(ResourceArn, Policy);
  });
  kms.on(GetKeyPolicyCommand).callsFake(({ KeyId }) => ({ Policy: attached.get(KeyId) }));
  kms.on(PutKeyPolicyCommand).callsFake(({ KeyId, Policy }) => attached.set(KeyId, Policy));
  s3.on(GetBucketPolicyCommand).callsFake(({ Bucket }) => ({ Policy: attached.get(Bucket) }));
  s3.on(PutBucketPolicyCommand).callsFake(({ Bucket, Policy }) => attached.set(Bucket, Policy));
  for (const policy of await protectingPolicies(stack)) await policy.put();
});

const changed = async (): Promise<string[]> => {
  const policies = await protectingPolicies(stack);
  const verdicts = await Promise.all(policies.map(isChanged));
  return policies.flatMap((policy, at) => (verdicts[at] === true ? [policy.id] : []));
};

test('policies are compared with all their references resolved, whatever the order of their lists', async () => {
  expect((await protectingPolicies(stack)).map((each) => each.id)).toEqual(
    expect.arrayContaining(['Table', 'VaultKey', 'SigningKey', 'SealedLogPolicy']),
  );
  const table = [...attached.keys()].find((key) => key.endsWith('table/the-Table')) ?? '';
  const policy = JSON.parse(attached.get(table) ?? '');
  expect(JSON.stringify([...attached.values()])).not.toMatch(/Ref|Fn::/);
  expect(policy.Statement[0].Condition.ArnNotEquals['aws:PrincipalArn']).toContainEqual(
    expect.stringMatching(/^arn:aws:iam::123456789012:role\/the-promptscreateRole/),
  );
  for (const list of [
    policy.Statement[0].Condition.ArnNotEquals['aws:PrincipalArn'],
    policy.Statement[0].Action,
  ])
    list.reverse();
  attached.set(table, JSON.stringify(policy));
  expect(await changed()).toEqual([]);
});

test.each([
  ['the-VaultKey', 'VaultKey'],
  ['the-SealedLog', 'SealedLogPolicy'],
  ['arn:aws:dynamodb:eu-central-1:123456789012:table/the-Table', 'Table'],
])(
  'a policy of %s that somebody opened is found and put back, also if AWS lets it wait',
  async (resource, found) => {
    const policy = JSON.parse(attached.get(resource) ?? '');
    policy.Statement = policy.Statement.slice(0, -1);
    attached.set(resource, JSON.stringify(policy));
    expect(await changed()).toEqual([found]);
    refusals = 2;
    for (const each of await protectingPolicies(stack)) if (each.id === found) await putBack(each, 0);
    expect(await changed()).toEqual([]);
  },
);

test('a removed policy is found, and one that does not stay is an error', async () => {
  attached.delete('arn:aws:dynamodb:eu-central-1:123456789012:table/the-Table');
  expect(await changed()).toEqual(['Table']);
  refusals = 100;
  const [table] = (await protectingPolicies(stack)).filter((each) => each.id === 'Table');
  await expect(table && putBack(table, 0)).rejects.toThrow('The policy of Table could not be put back.');
});
