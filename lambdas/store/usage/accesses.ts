import type { ReplyOf } from '../../../contract/endpoint.ts';
import type { JsonObject } from '../../../contract/fields/fields.ts';
import { LIMITS, truncateUtf8 } from '../../../contract/limits.ts';
import type { accessShape } from '../../../contract/shapes/prompts.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import type { ApiKey } from '../../core/api-keys/rules.ts';
import { expiresAfter, monthOf } from '../../core/days.ts';
import { countMetric, describeError } from '../../log.ts';
import { entryPartition, putEntry } from '../entry-shards.ts';
import type { Table } from '../table.ts';

/** One fetch of a prompt, without the values of variables. */
export interface Access extends Omit<ReplyOf<typeof accessShape>, 'time'> {
  readonly at: Date;
  readonly promptId: string;
}

/** The entries of a prompt in a month (`YYYY-MM`): their partition key without the shard. */
export const sourceOf = (promptId: string, month: string): string =>
  `${PARTITIONS.access}${promptId}#${month}`;

/** An entry of the access history. `time` is ISO 8601 in UTC. */
export interface AccessEntry extends Omit<Access, 'at'> {
  readonly time: string;
}

const toItem = ({ settings }: Table, { at, metaProperties, ...access }: Access) => ({
  sk: `${at.toISOString()}#${access.requestId}`,
  time: at.toISOString(),
  ...access,
  metaProperties: JSON.stringify(metaProperties),
  ttl: expiresAfter(at, settings.accessDays),
});

/**
 * Writes an access entry; the consumer of the table's stream counts it. Never throws: an entry that could not be
 * written after the client's retries is counted and logged, so that it can be written later.
 */
export const recordAccess = async (table: Table, access: Access): Promise<void> => {
  const { promptId, at, requestId } = access;
  const entry = { requestId, source: sourceOf(promptId, monthOf(at)), item: toItem(table, access) };
  try {
    await putEntry(table, entry);
  } catch (cause) {
    countMetric({ name: 'AccessEntriesLost', level: 'error' }, 'access entry not written', {
      requestId,
      record: { pk: entryPartition(entry), ...entry.item },
      cause: describeError(cause),
    });
  }
};

/** What a caller asked for: neither for the latest version. */
type VersionChoice = Partial<Record<'version' | 'label', string | undefined>>;

/** A fetch of a prompt: what was asked for, and what was returned. */
export interface Fetch extends VersionChoice, Partial<Pick<Access, 'compiled' | 'variables' | 'missing'>> {
  readonly prompt: Pick<Access, 'promptId' | 'version'>;
  readonly metaProperties?: JsonObject | undefined;
}

/** How a caller chooses the version. */
export const askedFor = ({ version, label }: VersionChoice): 'latest' | 'version' | 'label' =>
  version !== undefined ? 'version' : label !== undefined ? 'label' : 'latest';

/** Names of placeholders that an entry keeps. */
const KEPT_PLACEHOLDERS = 5;

/** Writes the access entry of a fetch. */
export const noteAccess = (
  table: Table,
  { at, requestId, sourceIp, userAgent }: Pick<Access, 'at' | 'requestId' | 'sourceIp' | 'userAgent'>,
  { keyId, name }: ApiKey,
  { prompt, version, label, compiled = false, variables, missing = [], metaProperties = {} }: Fetch,
): Promise<void> =>
  recordAccess(table, {
    at,
    requestId,
    sourceIp,
    userAgent,
    label,
    compiled,
    variables,
    metaProperties,
    promptId: prompt.promptId,
    version: prompt.version,
    asked: askedFor({ version, label }),
    ...(missing.length > 0 && {
      missing: missing.slice(0, KEPT_PLACEHOLDERS).map((each) => truncateUtf8(each, LIMITS.labelBytes)),
    }),
    apiKeyId: keyId,
    apiKeyName: name,
  });
