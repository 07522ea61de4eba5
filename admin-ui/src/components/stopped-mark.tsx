import { Badge } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { vaultGet } from '../../../contract/endpoints/vault/vault-get.ts';
import { call } from '../api/client.ts';

/** The query key of everything about secrets: a change invalidates all of it. Values are never read. */
export const SECRETS_KEY = ['secrets'];

export const vaultQuery = queryOptions({
  queryKey: [...SECRETS_KEY, 'vault'],
  queryFn: async ({ signal }) => (await call(vaultGet, { signal })).vault,
});

/** Stands beside the title of a screen about what applications can read, while they get no secrets. */
export const StoppedMark = () =>
  useQuery(vaultQuery).data?.stopped ? (
    <Badge size="md" color="brick">
      secrets are not served
    </Badge>
  ) : null;
