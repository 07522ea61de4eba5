import { useQuery } from '@tanstack/react-query';
import { breakingChanges } from '../../../../../contract/content/breaking.ts';
import type { Content } from '../../../../../contract/content/content.ts';
import { callersQuery } from '../prompt-queries.ts';
import { affectedKeys, neededBy, type Scope, verdictOf, working } from './impact.ts';

/**
 * How many callers a change breaks, as the sentence that a dangerous button needs above it. Undefined if it breaks none, as far as
 * is known.
 * @param change what the callers get now and afterwards; undefined as long as that is not known
 */
export const useBreaks = (
  promptId: string,
  scopes: readonly Scope[],
  change: { readonly before: Content; readonly after: Content } | undefined,
): string | undefined => {
  const { data } = useQuery(callersQuery(promptId));
  if (data === undefined || change === undefined) return undefined;
  const changes = breakingChanges(change.before, change.after);
  const keys = affectedKeys(working(data.callers), scopes, neededBy(change.after));
  const broken = keys.filter((key) => verdictOf(key, changes) === 'breaks').length;
  return broken === 0 ? undefined : `This breaks ${broken} of ${keys.length} callers.`;
};
