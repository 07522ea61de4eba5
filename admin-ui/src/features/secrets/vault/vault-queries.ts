import { queryOptions } from '@tanstack/react-query';
import { revisionsList } from '../../../../../contract/endpoints/vault/revisions-list.ts';
import { revisionsRestore } from '../../../../../contract/endpoints/vault/revisions-restore.ts';
import { rotationStart } from '../../../../../contract/endpoints/vault/rotation-start.ts';
import { servingSet } from '../../../../../contract/endpoints/vault/serving-set.ts';
import type { vaultGet } from '../../../../../contract/endpoints/vault/vault-get.ts';
import { call, type ReplyOf } from '../../../api/client.ts';
import { changesOf, listQuery } from '../../../api/queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { SECRETS_KEY, vaultQuery } from '../../../components/stopped-mark.tsx';

export type VaultState = ReplyOf<typeof vaultGet>['vault'];
export type RevisionRow = ReplyOf<typeof revisionsList>['revisions'][number];

/** The state of the vault now, not from the cache. */
export const currentVault = () => queryClient.fetchQuery({ ...vaultQuery, staleTime: 0 });

/** The revisions of the last days, as of the current one: a rotation of the key pair makes some by itself. */
export const revisionsQuery = (current: number) =>
  listQuery([...SECRETS_KEY, 'revisions', current], revisionsList);

export const restorePreviewQuery = (revision: number) =>
  queryOptions({
    queryKey: [...SECRETS_KEY, 'restore-preview', revision],
    queryFn: ({ signal }) =>
      call(revisionsRestore, { params: { revision: String(revision) }, body: { dryRun: true }, signal }),
    gcTime: 0,
  });

const changing = changesOf(SECRETS_KEY);

export const stopServing = (reason: string) =>
  changing(call(servingSet, { body: { allowed: false, reason } }));

export const resumeServing = () => changing(call(servingSet, { body: { allowed: true } }));

/** Starts the replacement of the key pair of this version, and does not wait for it. */
export const startRotation = (keyVersion: number) => changing(call(rotationStart, { body: { keyVersion } }));

/** Restores a revision, if `current` still is. API keys gain access only if `confirm` is true. */
export const restoreRevision = (revision: number, confirm: boolean, current: number) =>
  changing(
    call(revisionsRestore, { params: { revision: String(revision) }, query: { confirm }, body: { current } }),
  );
