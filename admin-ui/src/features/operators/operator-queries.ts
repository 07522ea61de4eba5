import { queryOptions } from '@tanstack/react-query';
import { operatorsInvite, operatorsList, operatorsUpdate } from '../../../../contract/endpoints/service.ts';
import { type CallInput, call, type ReplyOf } from '../../api/client.ts';
import { reloaderOf } from '../../api/queries.ts';

export type OperatorRow = ReplyOf<typeof operatorsList>['operators'][number];
export type Invitation = NonNullable<CallInput<typeof operatorsInvite>['body']>;
export type OperatorChange = NonNullable<CallInput<typeof operatorsUpdate>['body']>;

export const operatorsQuery = queryOptions({
  queryKey: ['operators'],
  queryFn: async ({ signal }) => (await call(operatorsList, { signal })).operators,
});

const reloadAfter = reloaderOf(operatorsQuery.queryKey);

export const inviteOperators = (body: Invitation) => reloadAfter(call(operatorsInvite, { body }));

export const updateOperator = ({ operatorId }: OperatorRow, body: OperatorChange) =>
  reloadAfter(call(operatorsUpdate, { params: { operatorId }, body }));
