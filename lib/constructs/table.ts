import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { DEFAULT_SETTINGS, ENVIRONMENT, type Settings } from '../../contract/functions/environment.ts';
import { type Grant, leadingKeyPattern } from '../../contract/functions/grants.ts';
import { INDEX_PARTITIONS, PARTITIONS, RESTORED, TABLE } from '../../contract/table.ts';
import { STAGE_TAG } from '../settings.ts';
import { allowed, deniedToAll, isNoneOf, roleArn } from './shared.ts';

export type TableGrant = Extract<Grant, { on: 'table' | 'index' }>;

/** Everything that writes an item: a transaction needs the action of each of its parts, PartiQL has its own. */
const WRITES = [
  ...['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
  ...['PartiQLInsert', 'PartiQLUpdate', 'PartiQLDelete'],
];

const text = (name: string): dynamodb.Attribute => ({ name, type: dynamodb.AttributeType.STRING });

/** What may be part of a transaction. */
const CHANGES: readonly string[] = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'];

/** The leading keys of each action that grants list, by action; `Query` on the index is apart. */
const leadingKeysOf = (grants: readonly TableGrant[]): Map<string, Set<string>> => {
  const keys = new Map<string, Set<string>>();
  for (const grant of grants) {
    if (grant.on === 'index') continue;
    for (const action of grant.actions) {
      const known = keys.get(action) ?? new Set();
      for (const partition of grant.partitions) known.add(leadingKeyPattern(PARTITIONS[partition]));
      keys.set(action, known);
    }
  }
  return keys;
};

const onlyKeys = (keys: Iterable<string>) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...keys] },
});

// ForAllValues is also true for a request without any leading key.
const HAS_LEADING_KEYS = { Null: { 'dynamodb:LeadingKeys': 'false' } };

/**
 * The single table. It outlives the stack and can be restored to any second of the last 35 days. Its policy denies every
 * write to everyone but the functions whose grants include one.
 */
export class Table extends Construct {
  readonly resource: dynamodb.TableV2;
  readonly #settings: Settings;
  readonly #writers = new Set<string>();

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    this.#settings = settings;
    const { index } = TABLE;
    this.resource = new dynamodb.TableV2(this, 'Resource', {
      partitionKey: text(TABLE.partitionKey),
      sortKey: text(TABLE.sortKey),
      timeToLiveAttribute: TABLE.ttl,
      dynamoStream: dynamodb.StreamViewType.NEW_AND_OLD_IMAGES,
      billing: dynamodb.Billing.onDemand(),
      // With a customer managed key, every function would need kms:Decrypt; secrets are sealed before they are stored.
      encryption: dynamodb.TableEncryptionV2.dynamoOwnedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
      resourcePolicy: this.#denyWrites(),
      // CloudFormation passes the tags of the stack to no replica.
      tags: [{ key: STAGE_TAG, value: settings.stage }],
      globalSecondaryIndexes: [
        {
          indexName: index.name,
          partitionKey: text(index.partitionKey),
          sortKey: text(index.sortKey),
          projectionType: dynamodb.ProjectionType.INCLUDE,
          nonKeyAttributes: [...index.included],
        },
      ],
    });
    (this.resource.node.defaultChild as dynamodb.CfnGlobalTable).overrideLogicalId('Table');
  }

  #denyWrites(): iam.PolicyDocument {
    // Creates and feeds replicas, if there ever are any. Only AWS can create a role with this path.
    const replication = Stack.of(this).formatArn({
      service: 'iam',
      region: '',
      resource: 'role/aws-service-role/replication.dynamodb.amazonaws.com',
      resourceName: 'AWSServiceRoleForDynamoDBReplication',
    });
    const writes = WRITES.map((action) => `dynamodb:${action}`);
    // Of the table alone: a policy cannot refer to the resource that it is a property of.
    return new iam.PolicyDocument({
      statements: [deniedToAll(writes, isNoneOf(this.#writers, replication))],
    });
  }

  /** The stream of all changes, with the item before and after each. */
  get streamArn(): string {
    const { tableStreamArn } = this.resource;
    if (tableStreamArn === undefined) throw new Error('The table has no stream.');
    return tableStreamArn;
  }

  /**
   * Grants a function what its grants list, only on their partitions, and passes it the name of the table. With
   * `readsCopies`, it reads copies of the table, too.
   *
   * AWS does not document what `dynamodb:LeadingKeys` holds in a transaction: the key of each item, those of all items,
   * or nothing. So each action has one statement; everything that can be part of a transaction may name the partitions
   * of all of it, and need not name any. The same holds for a query of the index. What is then denied again is each change
   * all of whose keys are in partitions that only the role's other changes are granted: under no reading does a call of ours
   * look like that, because the key of an item is among those of its own part.
   */
  grant(fn: LambdaFunction, grants: readonly TableGrant[], readsCopies = false): void {
    const keys = leadingKeysOf(grants);
    if (WRITES.some((action) => keys.has(action))) this.#writers.add(roleArn(fn));
    const { tableArn } = this.resource;
    const allow = (actions: readonly string[], conditions: Record<string, unknown>, on = tableArn) =>
      fn.addToRolePolicy(allowed('dynamodb', actions, [on], conditions));
    const changes = CHANGES.filter((action) => keys.has(action));
    const changed = new Set(changes.flatMap((action) => [...(keys.get(action) ?? [])]));
    if (changes.length > 0) allow(changes, onlyKeys(changed));
    const denied = Map.groupBy(changes, (action) =>
      [...changed.difference(keys.get(action) ?? new Set())].join(),
    );
    for (const [others, actions] of denied)
      if (others !== '')
        fn.addToRolePolicy(
          new iam.PolicyStatement({
            effect: iam.Effect.DENY,
            actions: actions.map((action) => `dynamodb:${action}`),
            resources: [tableArn],
            conditions: { ...onlyKeys(others.split(',')), ...HAS_LEADING_KEYS },
          }),
        );
    const listed = grants.flatMap((grant) =>
      grant.on === 'index' ? grant.partitions.map((name) => leadingKeyPattern(INDEX_PARTITIONS[name])) : [],
    );
    for (const arn of [tableArn, ...(readsCopies ? [`${tableArn}${RESTORED}*`] : [])]) {
      for (const [action, partitions] of keys)
        if (!changes.includes(action))
          allow([action], { ...onlyKeys(partitions), ...(action === 'Query' && HAS_LEADING_KEYS) }, arn);
      if (listed.length > 0) allow(['Query'], onlyKeys(listed), `${arn}/index/${TABLE.index.name}`);
    }
    if (readsCopies)
      for (const part of ['', `/index/${TABLE.index.name}`])
        Validations.of(fn.role ?? fn).acknowledge({
          id: `AwsSolutions-IAM5[Resource::<Table.Arn>${RESTORED}*${part}]`,
          reason: 'Copies of the table from a point in time, which it only reads, are named after the table.',
        });
    fn.addEnvironment(ENVIRONMENT.table, this.resource.tableName);
    for (const name of Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[])
      fn.addEnvironment(ENVIRONMENT[name], String(this.#settings[name]));
  }
}
