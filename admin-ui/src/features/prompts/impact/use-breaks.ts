import { useQuery } from '@tanstack/react-query';
import { callersQuery } from '../prompt-queries.ts';
import { type ContentChange, harmOf, impactOf, type Scope } from './impact.ts';

/**
 * How many callers a change breaks, as `harmOf` says it.
 * @param change undefined as long as it is not known
 */
export const useBreaks = (
  promptId: string,
  scopes: readonly Scope[],
  change: ContentChange | undefined,
): string | undefined => {
  const { data } = useQuery(callersQuery(promptId));
  return data && change && harmOf(impactOf(data.callers, scopes, change).keys);
};
