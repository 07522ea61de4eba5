import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { log } from '../log.ts';
import { fetchIssuerKeys } from '../store/api-keys/fetch-keys.ts';
import { type IssuersToRefresh, refreshIssuers } from '../store/api-keys/refresh-issuers.ts';
import { connectSigningTable } from '../store/signing/kms.ts';

const table = connectSigningTable();
const localIssuer = process.env[ENVIRONMENT.localIssuer];

/** Fetches the public keys of issuers. One that cannot be reached keeps its keys; its trusts show the problem. */
export const handler = async (event: IssuersToRefresh): Promise<void> => {
  const issuers = await refreshIssuers(
    table,
    (issuer) => fetchIssuerKeys(issuer, localIssuer),
    event,
    new Date(),
  );
  for (const { issuer, problem } of issuers)
    if (problem !== undefined) log('warn', 'keys of an issuer not fetched', { issuer, problem });
};
