import { createHash } from 'node:crypto';
import { carriesAll, type SecretEntry } from './secrets.ts';

/** What a caller requested, and what it may see. */
export interface SecretFilter {
  readonly key?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Whether finding nothing is an error; with `key` it always is. @default false */
  readonly nonEmpty?: boolean | undefined;
}

/** The secrets that match a filter and a key's restriction, in order. */
export const chosenFrom = (
  entries: readonly SecretEntry[],
  { key, tags = [] }: SecretFilter,
  restriction: readonly string[],
): readonly SecretEntry[] => {
  const wanted = [...restriction, ...tags];
  if (key === undefined && wanted.length === 0) return entries;
  return entries.filter((entry) => (key === undefined || entry.key === key) && carriesAll(entry, wanted));
};

/** SHA-256 of the released keys and the ids of their secrets, ordered by key. */
export const digestOf = (entries: readonly SecretEntry[]): string => {
  let names = '';
  for (const { key, secretId } of entries) names += `${key}=${secretId}\n`;
  return createHash('sha256').update(names).digest('hex');
};
