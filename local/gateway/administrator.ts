import type { IncomingMessage } from 'node:http';
import { ADMIN_SCOPE } from '../../contract/sign-in.ts';
import { isCuevaultError } from '../../lambdas/core/errors.ts';
import { admitOperator, type Operator, operatorIdIn } from '../../lambdas/core/operators.ts';
import type { JwtAuthorizer } from './jwt-authorizer.ts';

/** What tells administrators from others: their tokens, and their records. */
export interface Admission {
  readonly authorize: JwtAuthorizer;
  readonly operatorOf: (operatorId: string) => Promise<Operator | undefined>;
}

/** Who makes a request, if they are an operator of the group `admin`. */
export const administratorOf = async (
  { authorize, operatorOf }: Admission,
  { headers }: IncomingMessage,
): Promise<{ readonly operator: string } | { readonly refused: 401 | 403 }> => {
  const judged = await authorize(headers.authorization, ADMIN_SCOPE);
  if ('refused' in judged) return judged;
  try {
    const operator = await operatorOf(operatorIdIn(judged.claims));
    return { operator: admitOperator(operator, 'admin').email };
  } catch (error) {
    if (isCuevaultError(error, 'forbidden')) return { refused: 403 };
    throw error;
  }
};
