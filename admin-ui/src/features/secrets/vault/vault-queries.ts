import { revisionsList, revisionsRestore, vaultGet } from '../../../../../contract/endpoints/vault.ts';
import type { ReplyOf } from '../../../api/client.ts';
import { listQuery, replyQuery } from '../../../api/queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { SECRETS_KEY } from '../../../components/environments.tsx';
import { changeSecrets } from '../secret-changes.ts';

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

/** Restores a revision, if `current` still is. API keys gain access only if `confirm` is true. */
export const restoreRevision = (environment: string, revision: number, confirm: boolean, current: number) =>
  changeSecrets(revisionsRestore, {
    params: { revision: String(revision) },
    query: { confirm },
    body: { environment, current },
  });
