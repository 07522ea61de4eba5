import type { IndexPartition, Partition, TableAction } from '../table.ts';

export type VaultKeyAction = 'Decrypt' | 'GenerateDataKeyPairWithoutPlaintext';

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
  | { readonly on: 'signing-key'; readonly actions: readonly 'Sign'[] }
  | { readonly on: 'event-bus'; readonly actions: readonly 'PutEvents'[] }
  | { readonly on: 'sealed-log'; readonly actions: readonly ('GetObject' | 'PutObject' | 'ListBucket')[] }
  | { readonly on: 'user-pool'; readonly actions: readonly UserPoolAction[] }
  | { readonly on: 'metrics'; readonly actions: readonly 'GetMetricData'[] }
  | { readonly on: 'job'; readonly job: string; readonly actions: readonly 'InvokeFunction'[] };

/** The actions that a grant on something lists. */
export type ActionsOn<On extends 'signing-key' | 'event-bus' | 'sealed-log'> = Extract<
  Grant,
  { on: On }
>['actions'];

export interface StackFunction {
  readonly id: string;
  readonly summary: string;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly grants: readonly Grant[];
  /** Whether it also reads copies of the table. @default false */
  readonly readsCopies?: boolean;
}

/** The pattern for `dynamodb:LeadingKeys` that covers one entity and nothing else. */
export const leadingKeyPattern = (start: string): string => (start.endsWith('#') ? `${start}*` : start);
