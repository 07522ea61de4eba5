import type { IndexPartition, Partition } from '../table.ts';

export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';

export type VaultKeyAction = 'Decrypt' | 'GenerateDataKeyPairWithoutPlaintext';

export type SigningKeyAction = 'Sign';

export type EventBusAction = 'PutEvents';

export type JobAction = 'InvokeFunction';

export type MetricsAction = 'GetMetricData';

export type SealedLogAction = 'GetObject' | 'PutObject' | 'ListBucket';

/** Actions of Cognito on the user pool of the operators. */
export type UserPoolAction =
  | 'ListUsers'
  | `Admin${'Get' | 'Create' | 'Enable' | 'Disable' | 'Delete'}User`
  | 'AdminUserGlobalSignOut'
  | 'AdminSetUserPassword'
  | 'AdminSetUserMFAPreference';

/**
 * What one function may do, as data. The stack turns them into IAM statements. A transaction needs the
 * action of each of its operations. No row allows a scan.
 */
export type Grant =
  | {
      readonly on: 'table';
      readonly actions: readonly TableAction[];
      readonly partitions: readonly Partition[];
    }
  | { readonly on: 'index'; readonly partitions: readonly IndexPartition[] }
  | { readonly on: 'vault-key'; readonly actions: readonly VaultKeyAction[] }
  | { readonly on: 'signing-key'; readonly actions: readonly SigningKeyAction[] }
  | { readonly on: 'event-bus'; readonly actions: readonly EventBusAction[] }
  | { readonly on: 'sealed-log'; readonly actions: readonly SealedLogAction[] }
  | { readonly on: 'user-pool'; readonly actions: readonly UserPoolAction[] }
  | { readonly on: 'metrics'; readonly actions: readonly MetricsAction[] }
  | { readonly on: 'job'; readonly job: string; readonly actions: readonly JobAction[] };

export interface StackFunction {
  readonly id: string;
  readonly summary: string;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly grants: readonly Grant[];
}
