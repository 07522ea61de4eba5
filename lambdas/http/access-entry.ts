import type { JsonObject } from '../../contract/fields/fields.ts';
import type { ApiKey } from '../core/api-keys/rules.ts';
import { countMetric, describeError } from '../log.ts';
import type { Table } from '../store/table.ts';
import { recordAccess } from '../store/usage/accesses.ts';
import type { Facts } from './call.ts';

/** A fetch of a prompt: what was asked for, and what was returned. */
interface Fetch {
  readonly prompt: { readonly promptId: string; readonly version: string };
  /** The requested version or label; neither for the latest. */
  readonly version?: string | undefined;
  readonly label?: string | undefined;
  /** @default false */
  readonly compiled?: boolean;
  /** Names of the variables that were sent. */
  readonly variables?: readonly string[] | undefined;
  readonly metaProperties?: JsonObject | undefined;
}

/** Writes the access entry of a fetch. If that fails, the entry is logged and counted, and the prompt is served. */
export const noteAccess = async (
  table: Table,
  { at, requestId, sourceIp, userAgent }: Facts,
  { keyId, name }: ApiKey,
  { prompt, version, label, compiled = false, variables, metaProperties = {} }: Fetch,
): Promise<void> => {
  const lost = await recordAccess(table, {
    ...{ at, requestId, sourceIp, userAgent, label, compiled, variables, metaProperties },
    promptId: prompt.promptId,
    version: prompt.version,
    asked: version !== undefined ? 'version' : label !== undefined ? 'label' : 'latest',
    apiKeyId: keyId,
    apiKeyName: name,
  });
  if (lost === undefined) return;
  countMetric({ name: 'AccessEntriesLost', level: 'error' }, 'access entry not written', {
    requestId,
    record: lost.record,
    cause: describeError(lost.cause),
  });
};
