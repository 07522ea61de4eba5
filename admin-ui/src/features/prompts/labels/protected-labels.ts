import { useQuery } from '@tanstack/react-query';
import { labelsProtect, labelsUnprotect } from '../../../../../contract/endpoints/labels.ts';
import { call } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { sessionQuery, useRole } from '../../../api/session-context.tsx';
import { isReserved, RESERVED_REASON } from './label-names.ts';

/** Protects a label in every prompt, or removes the protection. */
export const setProtection = async (label: string, isProtected: boolean): Promise<void> => {
  const input = { params: { label } };
  await (isProtected ? call(labelsProtect, input) : call(labelsUnprotect, input));
  await queryClient.invalidateQueries(sessionQuery);
};

export interface Protection {
  readonly isProtected: (label: string) => boolean;
  /** Why the operator cannot set, move or remove a label, or undefined if they can. */
  readonly refusalOf: (label: string) => string | undefined;
  /** Whether the operator can point a label to another version. */
  readonly mayMove: (label: string) => boolean;
}

/** Which labels are protected, as far as it is known: the service decides. */
export const useProtection = (): Protection => {
  const { can } = useRole();
  const { data } = useQuery(sessionQuery);
  const isProtected = (label: string) =>
    data?.protectedLabels?.some((entry) => entry.label === label) ?? false;
  const refusalOf = (label: string) =>
    isProtected(label) && !can('admin')
      ? `Only administrators can set, move or remove the protected label ${label}.`
      : undefined;
  const mayMove = (label: string) => can('editor') && refusalOf(label) === undefined;
  return { isProtected, refusalOf, mayMove };
};

/** Why the operator cannot set a label of this name, or undefined if they can. */
export const useLabelProblem = (): ((label: string) => string | undefined) => {
  const { refusalOf } = useProtection();
  return (label) => (isReserved(label) ? RESERVED_REASON : refusalOf(label));
};
