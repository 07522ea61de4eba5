import { whoami } from '../../../contract/endpoints/api-keys.ts';
import { KEY_LIMITS } from '../../../contract/fields/key-limits.ts';
import { keyEndpoint } from '../../http/key-endpoint.ts';
import { connectTable } from '../../store/connect.ts';

const table = connectTable();

/** Returns the limits of the caller's key. Writes nothing: it is no use of the key. */
export const handler = keyEndpoint(whoami, table, async ({ at, sourceIp, admitted }) => {
  const [apiKey] = await admitted(Promise.resolve());
  const limits = Object.entries(apiKey).filter(([field]) => Object.hasOwn(KEY_LIMITS, field));
  const { keyId, name, permissions, tags, prompts, cidrs } = apiKey;
  const known = { keyId, name, permissions, tags, prompts, cidrs, ...Object.fromEntries(limits) };
  return { ...known, address: sourceIp, at: at.toISOString() };
});
