import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { type ApiKey, statusOf } from '../../core/api-keys/rules.ts';
import { DAY_MS, daysAfter, expiresAfter } from '../../core/days.ts';
import { isRotationUnfinished } from '../../core/vault/values.ts';
import { allApiKeys } from '../api-keys/api-keys.ts';
import { auditChange, SYSTEM } from '../audit.ts';
import { rowsFrom } from '../queries.ts';
import { openVaults, type PlacedEntry } from '../secrets/secret-lists.ts';
import type { Key, Table } from '../table.ts';
import { transactIf } from '../transactions.ts';
import { readSecretReads } from '../usage/days.ts';
import { createReadSecrets, type ReadsByKey, readsOfSecrets } from '../usage/secret-reads.ts';
import { vaultIn } from '../vault/vault.ts';
import { createJudge } from './secret-readers.ts';

/** How often to look: all secrets are read, and nobody waits for minutes. */
const EVERY_MS = 3_600_000;
/** How long every reader has had the value: the processes that share an API key read one after the other. */
const QUIET_MS = DAY_MS;
/** Silent API keys that an event names. */
const NAMED = 100;

// Beside the rows of days, after them: a value is announced once.
const ANNOUNCED = 'RECEIVED#';
const announcedKey = ({ secretId }: PlacedEntry): Key => ({
  pk: PARTITIONS.usageDays,
  sk: ANNOUNCED + secretId,
});

/** The new values that are still to be announced, and that readers can have had for long enough. */
const candidatesOf = async (table: Table, now: Date): Promise<PlacedEntry[]> => {
  const readEntries = await openVaults(table);
  const from = daysAfter(now, -table.settings.accessDays).toISOString();
  const to = new Date(now.getTime() - QUIET_MS).toISOString();
  const recent = (await readEntries()).filter(
    (entry) => isRotationUnfinished(entry) && entry.changedAt >= from && entry.changedAt <= to,
  );
  if (recent.length === 0) return [];
  const rows = await Array.fromAsync(rowsFrom(table, PARTITIONS.usageDays, ANNOUNCED));
  const known = new Map(rows.map(({ sk, changedAt }) => [String(sk), String(changedAt)]));
  return recent.filter((entry) => (known.get(announcedKey(entry).sk) ?? '') < entry.changedAt);
};

/** Who reads a secret, by whether they have its value. */
const sorted = (
  keys: readonly ApiKey[],
  reads: ReadsByKey | undefined,
  judge: Awaited<ReturnType<typeof createJudge>>,
  now: Date,
) => {
  const silentSince = daysAfter(now, -LIMITS.silentDays).toISOString();
  return Map.groupBy(
    keys.flatMap(({ keyId, name }) => {
      const own = reads?.get(keyId);
      const last = own?.at(-1);
      if (last === undefined) return [];
      const firstAt = own?.find((read) => judge(read).certain)?.lastAt ?? '';
      const isSettled = Date.parse(firstAt) <= now.getTime() - QUIET_MS;
      const state = !judge(last).last ? 'late' : isSettled ? 'received' : 'fresh';
      const isSilent = state === 'late' && last.lastAt < silentSince;
      return { apiKeyId: keyId, apiKeyName: name, lastAt: last.lastAt, state: isSilent ? 'silent' : state };
    }),
    ({ state }) => state,
  );
};

/** Records that all have received a value, unless another run did. */
const record = (table: Table, now: Date, entry: PlacedEntry, details: object) => {
  const { secretId, key, number, changedAt, environment } = entry;
  const change = { at: now, actor: SYSTEM, requestId: `received-${secretId}-${number}`, isAdmin: true };
  return transactIf(table, [
    {
      put: {
        Item: {
          ...announcedKey(entry),
          changedAt,
          ttl: expiresAfter(now, table.settings.accessDays),
        },
        ConditionExpression: 'attribute_not_exists(pk) OR changedAt < :changedAt',
        ExpressionAttributeValues: { ':changedAt': changedAt },
      },
    },
    auditChange(table, change, {
      action: 'secret.received_by_all',
      subject: secretId,
      name: key,
      environment,
      details: { number, ...details },
    }),
  ]);
};

/**
 * Looks once an hour for the new values that every active API key and trust has received which read the secret within
 * the days that reads are kept, and records each once: the event follows from the audit entry. Those that have not read it
 * for some days are named, and do not hold it up. Returns the ids of the secrets.
 */
export const createReceivedByAll = (table: Table) => {
  const readSecretsOf = createReadSecrets(table);
  let lookedAt = 0;
  return async (now: Date): Promise<readonly string[]> => {
    if (now.getTime() - lookedAt < EVERY_MS) return [];
    const entries = await candidatesOf(table, now);
    const announced: string[] = [];
    if (entries.length > 0) {
      const [all, reads] = await Promise.all([
        allApiKeys(table),
        readSecretReads(table, table.settings.accessDays, now),
      ]);
      const keys = all.filter((key) => statusOf(key, now) === 'active');
      const ofSecret = await readsOfSecrets(
        readSecretsOf,
        reads,
        entries.map(({ secretId }) => secretId),
      );
      // An import changes many at once.
      const together = Map.groupBy(entries, ({ environment, changedAt }) => `${environment} ${changedAt}`);
      for (const [value, ...others] of together.values()) {
        if (value === undefined) continue;
        const judge = await createJudge(vaultIn(table, value.environment), value);
        for (const entry of [value, ...others]) {
          const readers = sorted(keys, ofSecret.get(entry.secretId), judge, now);
          if (readers.has('late') || readers.has('fresh') || !readers.has('received')) continue;
          const silent = (readers.get('silent') ?? []).map(({ state: _, ...reader }) => reader);
          const details = { received: readers.get('received')?.length, silent: silent.slice(0, NAMED) };
          if (await record(table, now, entry, details)) announced.push(entry.secretId);
        }
      }
    }
    lookedAt = now.getTime();
    return announced;
  };
};
