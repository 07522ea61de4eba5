import { createHash } from 'node:crypto';
import { carriesAll, type SecretEntry } from './secrets.ts';

/** What a caller asked for, and what it may see. */
export interface ReleaseFilter {
  readonly key?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** The secrets that a filter asks for and a key's restriction lets through, in their order. */
export const chosenFrom = (
  entries: readonly SecretEntry[],
  { key, tags = [] }: ReleaseFilter,
  restriction: readonly string[],
): readonly SecretEntry[] => {
  const wanted = [...restriction, ...tags];
  if (key === undefined && wanted.length === 0) return entries;
  return entries.filter((entry) => (key === undefined || entry.key === key) && carriesAll(entry, wanted));
};

/** SHA-256 over the released keys and the ids of their secrets, in the order of the keys. */
export const digestOf = (entries: readonly SecretEntry[]): string => {
  let names = '';
  for (const { key, secretId } of entries) names += `${key}=${secretId}\n`;
  return createHash('sha256').update(names).digest('hex');
};
