import { onTable, PARTITIONS, type Partition, TABLE } from '../table.ts';
import type { StackFunction } from './grants.ts';

/** A function that the table's stream invokes with batches of changed items. */
export interface Consumer extends StackFunction {
  /** The function is invoked for new items of these partitions. */
  readonly inserts: readonly Partition[];
  /** How many seconds records are gathered before the function is invoked: 0 to 300. */
  readonly windowSeconds: number;
  /** Maximum number of records per invocation. */
  readonly batchRecords: number;
}

export const CONSUMERS: readonly Consumer[] = [
  {
    id: 'usage-count',
    summary:
      'Counts fetches of prompts, those that fail, and reads of secrets, and keeps the last use of API keys.',
    inserts: ['access', 'failed', 'auditRead'],
    windowSeconds: 60,
    batchRecords: 5_000,
    timeoutSeconds: 60,
    memoryMb: 1769,
    grants: [
      onTable('UpdateItem', 'usage', 'failing', 'vaultUse', 'vaultUseNames', 'apiKeyUse'),
      onTable('GetItem', 'vault', 'vaultPage'),
      onTable('PutItem', 'vaultUseNames'),
    ],
  },
  {
    id: 'changes',
    summary:
      'Puts an event on the event bus for each change to prompts, secrets, API keys and the vault, and for failing calls.',
    inserts: ['auditChange', 'failing'],
    windowSeconds: 1,
    batchRecords: 100,
    timeoutSeconds: 30,
    memoryMb: 512,
    grants: [
      { on: 'event-bus', actions: ['PutEvents'] },
      onTable('GetItem', 'prompt'),
      onTable('UpdateItem', 'failingEvents'),
    ],
  },
];

/** A pattern that a record of the stream must match (Lambda Developer Guide, "Control which events Lambda sends"). */
export interface RecordPattern {
  readonly eventName: readonly string[];
  readonly dynamodb: object;
}

const startsWith = (start: string): unknown => (start.endsWith('#') ? { prefix: start } : start);

const keysIn = (partitions: readonly Partition[]): object => ({
  [TABLE.partitionKey]: { S: partitions.map((name) => startsWith(PARTITIONS[name])) },
});

/** The pattern of the records that invoke a consumer. */
export const patternOf = ({ inserts }: Pick<Consumer, 'inserts'>): RecordPattern => ({
  eventName: ['INSERT'],
  dynamodb: { NewImage: keysIn(inserts) },
});
