import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  DynamoDBClient,
  GetResourcePolicyCommand,
  PolicyNotFoundException,
  PutResourcePolicyCommand,
} from '@aws-sdk/client-dynamodb';
import { GetKeyPolicyCommand, KMSClient, PutKeyPolicyCommand } from '@aws-sdk/client-kms';
import { GetBucketPolicyCommand, PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';
import { type Finding, failure, ok } from './checks.ts';
import { resourcesOf } from './functions.ts';
import { CommandError, type DeployedStack, type Template, templateOf } from './stack.ts';

/** A policy that protects data: as the template declares it, and how to read and replace what is attached. */
export interface ProtectingPolicy {
  /** Logical id of the table, key or bucket. */
  readonly id: string;
  readonly declared: unknown;
  readonly attached: () => Promise<unknown>;
  readonly put: () => Promise<unknown>;
}

interface Deployed {
  readonly id: string;
  readonly type: string;
}

/** Physical ids and types by logical id, with account and region. */
interface Place {
  readonly resources: ReadonlyMap<string, Deployed>;
  readonly account: string;
  readonly region: string;
}

const arnOf = ({ resources, account, region }: Place, logicalId: string): string => {
  const { id = '', type } = resources.get(logicalId) ?? {};
  switch (type) {
    case 'AWS::IAM::Role':
      return `arn:aws:iam::${account}:role/${id}`;
    case 'AWS::S3::Bucket':
      return `arn:aws:s3:::${id}`;
    case 'AWS::DynamoDB::GlobalTable':
    case 'AWS::DynamoDB::Table':
      return `arn:aws:dynamodb:${region}:${account}:table/${id}`;
    default:
      throw new CommandError(
        `A policy refers to ${logicalId} (${type ?? 'not deployed'}), whose ARN is unknown.`,
      );
  }
};

const pseudo = ({ account, region }: Place): Readonly<Record<string, string>> => ({
  'AWS::AccountId': account,
  'AWS::Region': region,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
});

/** A part of a template with the values that CloudFormation inserts. */
const resolve = (part: unknown, place: Place): unknown => {
  if (Array.isArray(part)) return part.map((each) => resolve(each, place));
  if (typeof part !== 'object' || part === null) return part;
  const [[name, value] = ['', undefined], ...more] = Object.entries(part);
  if (more.length === 0 && name === 'Ref')
    return pseudo(place)[String(value)] ?? place.resources.get(String(value))?.id;
  if (more.length === 0 && name === 'Fn::GetAtt') return arnOf(place, String([value].flat()[0]));
  if (more.length === 0 && name === 'Fn::Join') {
    const [separator, parts] = value as [string, unknown[]];
    return parts.map((each) => String(resolve(each, place))).join(separator);
  }
  return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, resolve(each, place)]));
};

/** A policy without what does not matter: the order of lists, and whether one value is a list. */
const normalize = (part: unknown): unknown => {
  if (Array.isArray(part)) {
    const items = part.map(normalize).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    return items.length === 1 ? items[0] : items;
  }
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, normalize(each)]));
};

type Properties = Readonly<Record<string, unknown>>;

const ABSENT = [PolicyNotFoundException.name, 'NoSuchBucketPolicy'];

type Reading = Promise<{ readonly Policy?: string | undefined }>;

const attachedBy = async (read: Reading): Promise<unknown> => {
  try {
    return JSON.parse((await read).Policy ?? 'null');
  } catch (error) {
    if (error instanceof Error && ABSENT.includes(error.name)) return undefined;
    throw error;
  }
};

/** The policy that a resource of the template protects, if it is of such a type. */
const policyOf = (
  logicalId: string,
  { Type, Properties }: Template['Resources'][string],
  place: Place,
): ProtectingPolicy | undefined => {
  const of = (part: unknown, read: () => Reading, write: (Policy: string) => Promise<unknown>) => {
    const declared = resolve(part, place);
    const put = () => write(JSON.stringify(declared));
    return { id: logicalId, declared, attached: () => attachedBy(read()), put };
  };
  if (Type === 'AWS::KMS::Key') {
    const client = new KMSClient({});
    const { id: KeyId } = place.resources.get(logicalId) ?? { id: '' };
    const read = () => client.send(new GetKeyPolicyCommand({ KeyId }));
    return of(Properties.KeyPolicy, read, (Policy) =>
      client.send(new PutKeyPolicyCommand({ KeyId, Policy })),
    );
  }
  if (Type === 'AWS::S3::BucketPolicy') {
    const client = new S3Client({});
    const Bucket = String(resolve(Properties.Bucket, place));
    const read = () => client.send(new GetBucketPolicyCommand({ Bucket }));
    const write = (Policy: string) => client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
    return of(Properties.PolicyDocument, read, write);
  }
  if (Type !== 'AWS::DynamoDB::GlobalTable' && Type !== 'AWS::DynamoDB::Table') return undefined;
  const [replica = Properties] = (Properties.Replicas ?? []) as Properties[];
  const { PolicyDocument } = (replica.ResourcePolicy ?? {}) as Properties;
  const client = new DynamoDBClient({});
  const ResourceArn = arnOf(place, logicalId);
  const read = () => client.send(new GetResourcePolicyCommand({ ResourceArn }));
  return of(PolicyDocument, read, (Policy) =>
    client.send(new PutResourcePolicyCommand({ ResourceArn, Policy })),
  );
};

/** The policies of the table, the keys and the buckets of a stack. Errors: those of AWS. */
export const protectingPolicies = async (stack: DeployedStack): Promise<ProtectingPolicy[]> => {
  const [, , , region = '', account = ''] = stack.id.split(':');
  const found = (await resourcesOf(stack.name)).map(
    ({ LogicalResourceId = '', PhysicalResourceId: id = '', ResourceType: type = '' }) =>
      [LogicalResourceId, { id, type }] as const,
  );
  const place = { resources: new Map(found), account, region };
  const { Resources } = await templateOf(stack);
  return Object.entries(Resources).flatMap(([id, resource]) => policyOf(id, resource, place) ?? []);
};

/** Whether what is attached is not what the template declares. Errors: those of AWS. */
export const isChanged = async ({ declared, attached }: ProtectingPolicy): Promise<boolean> =>
  !isDeepStrictEqual(normalize(await attached()), normalize(declared));

// DynamoDB accepts one change of a table's policy in 15 seconds, and may answer a read with the former for as long.
const PAUSE_MS = 15_000;
const ATTEMPTS = 5;

/**
 * Attaches the policy that the template declares. Errors: `CommandError` if it does not stay attached; those of AWS. Between
 * attempts, it pauses for `pauseMs` milliseconds.
 */
export const putBack = async (policy: ProtectingPolicy, pauseMs = PAUSE_MS): Promise<void> => {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      await policy.put();
    } catch (error) {
      const { name = '' } = error as Error;
      if (!/^(LimitExceeded|ResourceInUse|Throttling)Exception$/.test(name)) throw error;
    }
    if (!(await isChanged(policy))) return;
    await sleep(pauseMs);
  }
  throw new CommandError(
    `The policy of ${policy.id} could not be put back. Somebody may be changing it: see CloudTrail.`,
  );
};

/** Compares the policies of table, keys and buckets with those of the deployed template. */
export const attachedPolicies = async (stack: DeployedStack): Promise<Finding> => {
  const changed: string[] = [];
  for (const policy of await protectingPolicies(stack)) if (await isChanged(policy)) changed.push(policy.id);
  return changed.length === 0
    ? ok('of table, keys and buckets are those of the template')
    : failure(
        `Somebody changed the policy of ${changed.join(', ')}. Deploying again does not repair it: npm run protect -- --stage ${stack.name.replace('cuevault-', '')}`,
      );
};
