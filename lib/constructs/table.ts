import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Lazy, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENVIRONMENT, type Settings } from '../../contract/functions/environment.ts';
import type { Grant } from '../../contract/functions/grants.ts';
import { INDEX_PARTITIONS, leadingKeyPattern, PARTITIONS, TABLE } from '../../contract/table.ts';
import { roleArn } from './functions/role-arn.ts';

type TableGrant = Extract<Grant, { on: 'table' | 'index' }>;

/** Everything that writes an item: a transaction needs the action of each of its parts, PartiQL has its own. */
const WRITES = [
  ...['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
  ...['PartiQLInsert', 'PartiQLUpdate', 'PartiQLDelete'],
];

const text = (name: string): dynamodb.Attribute => ({ name, type: dynamodb.AttributeType.STRING });

const leadingKeys = (grant: TableGrant): string[] =>
  grant.on === 'index'
    ? grant.partitions.map((partition) => leadingKeyPattern(INDEX_PARTITIONS[partition]))
    : grant.partitions.map((partition) => leadingKeyPattern(PARTITIONS[partition]));

export interface TableProps {
  /** Settings for the functions that use the table. */
  readonly settings: Settings;
  /**
   * A role that may repair rows by hand.
   * @default - none
   */
  readonly repairRoleArn?: string | undefined;
}

/**
 * The single table. It outlives the stack and can be restored to any second of the last 35 days. Its policy denies every
 * write to everyone but the functions whose grants include one.
 */
export class Table extends Construct {
  readonly resource: dynamodb.TableV2;
  readonly #settings: Settings;
  readonly #writers = new Set<string>();

  constructor(scope: Construct, id: string, { settings, repairRoleArn }: TableProps) {
    super(scope, id);
    this.#settings = settings;
    if (repairRoleArn !== undefined) this.#writers.add(repairRoleArn);
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
      globalSecondaryIndexes: [
        {
          indexName: index.name,
          partitionKey: text(index.partitionKey),
          sortKey: text(index.sortKey),
          projectionType: dynamodb.ProjectionType.ALL,
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
    const exempt = Lazy.list({ produce: () => [...this.#writers, replication] });
    return new iam.PolicyDocument({
      statements: [
        new iam.PolicyStatement({
          effect: iam.Effect.DENY,
          principals: [new iam.AnyPrincipal()],
          actions: WRITES.map((action) => `dynamodb:${action}`),
          // The table: a policy cannot refer to the resource that it is a property of.
          resources: ['*'],
          conditions: { ArnNotEquals: { 'aws:PrincipalArn': exempt } },
        }),
      ],
    });
  }

  /** The stream of all changes, with the item before and after each. */
  get streamArn(): string {
    const { tableStreamArn } = this.resource;
    if (tableStreamArn === undefined) throw new Error('The table has no stream.');
    return tableStreamArn;
  }

  /** Grants a function the actions of one grant, only on its partitions, and passes it the name of the table. */
  grant(fn: LambdaFunction, grant: TableGrant): void {
    const actions: readonly string[] = grant.on === 'index' ? ['Query'] : grant.actions;
    if (actions.some((action) => WRITES.includes(action))) this.#writers.add(roleArn(fn));
    fn.addToRolePolicy(
      new iam.PolicyStatement({
        actions: actions.map((action) => `dynamodb:${action}`),
        resources: [
          grant.on === 'index'
            ? `${this.resource.tableArn}/index/${TABLE.index.name}`
            : this.resource.tableArn,
        ],
        conditions: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': leadingKeys(grant) },
          // ForAllValues is also true for a request without any leading key.
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      }),
    );
    fn.addEnvironment(ENVIRONMENT.table, this.resource.tableName)
      .addEnvironment(ENVIRONMENT.stage, this.#settings.stage)
      .addEnvironment(ENVIRONMENT.shards, String(this.#settings.shards))
      .addEnvironment(ENVIRONMENT.accessDays, String(this.#settings.accessDays))
      .addEnvironment(ENVIRONMENT.auditDays, String(this.#settings.auditDays))
      .addEnvironment(ENVIRONMENT.readDays, String(this.#settings.readDays))
      .addEnvironment(ENVIRONMENT.compiledBytes, String(this.#settings.compiledBytes))
      .addEnvironment(ENVIRONMENT.requestMetadataBytes, String(this.#settings.requestMetadataBytes));
  }
}
