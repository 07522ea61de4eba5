import { PARTITIONS, type Partition, TABLE } from '../table.ts';
import type { Grant } from './grants.ts';

/** A function that the table's stream invokes with batches of changed items. */
export interface Consumer {
  readonly id: string;
  readonly summary: string;
  /** The function is invoked only for new items of these partitions, not when they change or expire. */
  readonly inserts: readonly Partition[];
  /** How many seconds records are gathered before the function is invoked: 0 to 300. */
  readonly windowSeconds: number;
  /** Maximum number of records per invocation. */
  readonly batchRecords: number;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly grants: readonly Grant[];
}

export const CONSUMERS: readonly Consumer[] = [
  {
    id: 'usage-count',
    summary: 'Counts fetches of prompts and releases of secrets, and keeps the last use of API keys.',
    inserts: ['access', 'auditRead'],
    windowSeconds: 60,
    batchRecords: 5_000,
    timeoutSeconds: 60,
    memoryMb: 512,
    grants: [
      {
        on: 'table',
        actions: ['UpdateItem'],
        partitions: ['usage', 'vaultUse', 'vaultUseNames', 'apiKeyUse'],
      },
      { on: 'table', actions: ['GetItem'], partitions: ['vault', 'vaultPage'] },
      { on: 'table', actions: ['PutItem'], partitions: ['vaultUseNames'] },
    ],
  },
  {
    id: 'changes',
    summary: 'Puts an event on the event bus for each change to prompts, secrets, API keys and the vault.',
    inserts: ['auditChange'],
    windowSeconds: 1,
    batchRecords: 100,
    timeoutSeconds: 30,
    memoryMb: 256,
    grants: [{ on: 'event-bus', actions: ['PutEvents'] }],
  },
];

/** A pattern that a record of the stream must match (Lambda Developer Guide, "Control which events Lambda sends"). */
export interface RecordPattern {
  readonly eventName: readonly string[];
  readonly dynamodb: object;
}

const startsWith = (start: string): unknown => (start.endsWith('#') ? { prefix: start } : start);

/** The patterns of the records that invoke a consumer: a record must match one of them. */
export const patternsOf = ({ inserts }: Pick<Consumer, 'inserts'>): RecordPattern[] => [
  {
    eventName: ['INSERT'],
    dynamodb: {
      NewImage: { [TABLE.partitionKey]: { S: inserts.map((name) => startsWith(PARTITIONS[name])) } },
    },
  },
];
