import { isDeepStrictEqual } from 'node:util';
import { foreignText } from '../../../contract/content/visible.ts';
import type { SigningJwk } from '../../../contract/issuers.ts';
import { type ApiKey, statusOf } from '../../core/api-keys/rules.ts';
import { inParallel } from '../../core/parallel.ts';
import { putSigned } from '../signing/writes.ts';
import type { Table } from '../table.ts';
import { transactIf } from '../transactions.ts';
import { allApiKeys } from './api-keys.ts';
import { findIssuerKeys, ISSUER_KEYS } from './issuer-keys.ts';

/** The event of the job `issuer-keys`. */
export interface IssuersToRefresh {
  /** @default - every issuer that an active trust names */
  readonly issuer?: string;
}

/** Fetches the keys of an issuer. Throws an error with a sentence that says why it cannot. */
export type FetchKeys = (issuer: string) => Promise<readonly SigningJwk[]>;

const fetched = async (fetchKeys: FetchKeys, issuer: string, known: readonly SigningJwk[]) => {
  try {
    return { keys: await fetchKeys(issuer) };
  } catch (error) {
    // An issuer that does not answer for a while must not stop its jobs.
    return { keys: known, problem: foreignText((error as Error).message) };
  }
};

const refresh = async (table: Table, fetchKeys: FetchKeys, issuer: string, now: Date) => {
  const seen = await findIssuerKeys(table, issuer);
  const { keys, problem } = await fetched(fetchKeys, issuer, seen?.keys ?? []);
  if (seen !== undefined && isDeepStrictEqual(seen.keys, keys) && seen.problem === problem) return { issuer };
  const row = { issuer, revision: (seen?.revision ?? 0) + 1, at: now.toISOString(), keys, problem };
  const before = seen && { revision: seen.revision };
  // If another run was faster, its keys are as recent.
  await transactIf(table, [await putSigned(table, ISSUER_KEYS, row, before)]);
  return { issuer, problem };
};

const isRefreshed = (apiKey: ApiKey, now: Date) =>
  apiKey.issuer !== undefined && apiKey.jwks === undefined && statusOf(apiKey, now) === 'active';

/**
 * Fetches the keys of an issuer, or of all that active trusts name, and writes those that changed. What an issuer no
 * longer publishes is gone; an issuer that cannot be reached keeps its keys, with the problem. Returns the issuers with
 * their problems.
 */
export const refreshIssuers = async (
  table: Table,
  fetchKeys: FetchKeys,
  { issuer }: IssuersToRefresh,
  now: Date,
): Promise<readonly { readonly issuer: string; readonly problem?: string | undefined }[]> => {
  const inUse = async () =>
    (await allApiKeys(table)).flatMap((apiKey) =>
      isRefreshed(apiKey, now) ? [apiKey.issuer as string] : [],
    );
  const issuers = new Set(issuer === undefined ? await inUse() : [issuer]);
  return inParallel([...issuers], (each) => refresh(table, fetchKeys, each, now));
};
