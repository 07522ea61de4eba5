import { keysCreate } from '../../../contract/endpoints/api-keys.ts';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { shownKey } from '../../http/serializers/api-keys.ts';
import { logFailure } from '../../log.ts';
import { createApiKey } from '../../store/api-keys/api-keys.ts';
import type { IssuersToRefresh } from '../../store/api-keys/refresh-issuers.ts';
import { connectJob } from '../../store/jobs.ts';

const refresh = connectJob<IssuersToRefresh>();

export const handler = changeEndpoint(keysCreate, async ({ table, body, at, change }) => {
  const localIssuer = process.env[ENVIRONMENT.localIssuer];
  const { apiKey, record, isRepeated } = await createApiKey(table, change, body, localIssuer);
  const { issuer, jwks } = record;
  // The trust exists: if the job cannot be started now, its next run fetches the keys.
  if (issuer !== undefined && jwks === undefined && !isRepeated)
    await refresh({ issuer }).catch((error: unknown) => logFailure('keys of an issuer not requested', error));
  return {
    apiKey: apiKey || undefined,
    repeated: isRepeated || undefined,
    key: shownKey(table, record, at),
  };
});
