import {
  environmentsSet,
  revisionsList,
  revisionsRestore,
  rotationStart,
  servingSet,
  vaultGet,
} from '../../../../../contract/endpoints/vault.ts';
import { call, type ReplyOf } from '../../../api/client.ts';
import { changesOf, listQuery, replyQuery } from '../../../api/queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { SECRETS_KEY } from '../../../components/environments.tsx';

export type VaultState = ReplyOf<typeof vaultGet>['vault'];
export type RevisionRow = ReplyOf<typeof revisionsList>['revisions'][number];

export const vaultQuery = (environment: string) =>
  replyQuery([...SECRETS_KEY, 'vault', environment], vaultGet, { query: { environment } });

/** The state of a vault now, not from the cache. */
export const currentVault = async (environment: string): Promise<VaultState> =>
  (await queryClient.fetchQuery({ ...vaultQuery(environment), staleTime: 0 })).vault;

/** The revisions of the last days, as of the current one: a rotation of the key pair makes some by itself. */
export const revisionsQuery = (environment: string, current: number) =>
  listQuery([...SECRETS_KEY, 'revisions', environment, current], revisionsList, { query: { environment } });

export const restorePreviewQuery = (environment: string, revision: number) => ({
  ...replyQuery([...SECRETS_KEY, 'restore-preview', environment, revision], revisionsRestore, {
    params: { revision: String(revision) },
    body: { environment, dryRun: true },
  }),
  gcTime: 0,
});

const changing = changesOf(SECRETS_KEY);

export const stopServing = (environment: string, reason: string) =>
  changing(call(servingSet, { body: { environment, allowed: false, reason } }));

export const resumeServing = (environment: string) =>
  changing(call(servingSet, { body: { environment, allowed: true } }));

/** Starts the replacement of the key pair of this version, and does not wait for it. */
export const startRotation = (environment: string, keyVersion: number) =>
  changing(call(rotationStart, { body: { environment, keyVersion } }));

/** Restores a revision, if `current` still is. API keys gain access only if `confirm` is true. */
export const restoreRevision = (environment: string, revision: number, confirm: boolean, current: number) =>
  changing(
    call(revisionsRestore, {
      params: { revision: String(revision) },
      query: { confirm },
      body: { environment, current },
    }),
  );

/** Makes these the environments, in this order, if the list of this revision still is current. */
export const setEnvironments = (environments: string[], revision: number) =>
  changing(call(environmentsSet, { body: { environments, revision } }));
