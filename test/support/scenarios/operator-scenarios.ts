import { ask } from '../admin.ts';
import { uniqueName } from '../unique-name.ts';

/** A new operator, invited by the administrator of the tests. */
export const anOperator = async (group = 'editor') => {
  const body = { emails: [`${uniqueName('operator')}@example.com`], group };
  return (await ask('operators-invite', body)).operators[0] as { operatorId: string; email: string };
};

/** Makes one change of an operator, and returns the operator. */
export const changed = async ({ operatorId }: { readonly operatorId: string }, body: object) =>
  (await ask('operators-update', { operatorId, ...body })).operator;
