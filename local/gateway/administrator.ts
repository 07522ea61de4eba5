import type { IncomingMessage } from 'node:http';
import { ADMIN_SCOPE } from '../../contract/sign-in.ts';
import { isCuevaultError } from '../../lambdas/core/errors.ts';
import { admitOperator } from '../../lambdas/core/operators.ts';
import type { JwtAuthorizer } from './jwt-authorizer.ts';

/** Who makes a request, if its token is that of an operator of the group `admin`. */
export const administratorOf = async (
  authorize: JwtAuthorizer,
  { headers }: IncomingMessage,
): Promise<{ readonly operator: string } | { readonly refused: 401 | 403 }> => {
  const judged = await authorize(headers.authorization, ADMIN_SCOPE);
  if ('refused' in judged) return judged;
  try {
    return { operator: admitOperator(judged.claims, 'admin').actor };
  } catch (error) {
    if (isCuevaultError(error)) return { refused: 403 };
    throw error;
  }
};
