import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ENVIRONMENT, type Settings } from '../../contract/functions/environment.ts';
import type { Grant } from '../../contract/functions/grants.ts';
import { INDEX_PARTITIONS, leadingKeyPattern, PARTITIONS, TABLE } from '../../contract/table.ts';

type TableGrant = Extract<Grant, { on: 'table' | 'index' }>;

const text = (name: string): dynamodb.Attribute => ({ name, type: dynamodb.AttributeType.STRING });

const leadingKeys = (grant: TableGrant): string[] =>
  grant.on === 'index'
    ? grant.partitions.map((partition) => leadingKeyPattern(INDEX_PARTITIONS[partition]))
    : grant.partitions.map((partition) => leadingKeyPattern(PARTITIONS[partition]));

export interface TableProps {
  /** Settings for the functions that use the table. */
  readonly settings: Settings;
}

/** The single table. It outlives the stack and can be restored to any second of the last 35 days. */
export class Table extends Construct {
  readonly resource: dynamodb.TableV2;
  readonly #settings: Settings;

  constructor(scope: Construct, id: string, { settings }: TableProps) {
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

  /** The stream of all changes, with the item before and after each. */
  get streamArn(): string {
    const { tableStreamArn } = this.resource;
    if (tableStreamArn === undefined) throw new Error('The table has no stream.');
    return tableStreamArn;
  }

  /** Grants a function the actions of one grant, only on its partitions, and passes it the name of the table. */
  grant(fn: LambdaFunction, grant: TableGrant): void {
    const actions = grant.on === 'index' ? ['Query' as const] : grant.actions;
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
      .addEnvironment(ENVIRONMENT.auditDays, String(this.#settings.auditDays));
  }
}
