import { LIMITS } from '../../../contract/limits.ts';
import { RefusedCall } from '../../core/api-keys/rules.ts';
import { createBoundedCache } from '../../core/bounded-cache.ts';
import { CuevaultError } from '../../core/errors.ts';
import {
  carriesAll,
  chosenFrom,
  digestOf,
  type SecretEntry,
  type SecretFilter,
} from '../../core/vault/secrets.ts';
import type { Table } from '../table.ts';
import { createPageCache } from '../vault/cache.ts';
import { findVaultHead, readVaultHead, requireHead, StaleHeadError, type VaultHead } from '../vault/head.ts';
import { type Vault, vaultIn } from '../vault/vault.ts';
import type { VaultUnwrap } from '../vault-keys/key-pairs.ts';
import { writeAuditRead } from './audit-read.ts';
import { createDecryptor, type Opened } from './opened.ts';

/** Who requests secrets, which ones, and from where. */
export interface ReadRequest {
  /** @default - `default` */
  readonly environment?: string | undefined;
  readonly caller: {
    readonly apiKeyId: string;
    readonly apiKeyName: string;
    /** The caller sees only secrets that have all of these tags. */
    readonly restriction: readonly string[];
  };
  readonly filter: SecretFilter;
  readonly at: Date;
  readonly requestId: string;
  readonly sourceIp: string;
  readonly userAgent: string;
}

/** What a container remembers of all environments: those that were read least recently are forgotten first. */
const MEMORY_BYTES = 3 * LIMITS.vaultBytes;
/** Of a secret, beside its value. */
const ENTRY_BYTES = 1_024;

/**
 * A reader of vaults that caches pages and, for at most five minutes, private keys and opened values. `now` is in
 * milliseconds, `random`, by which opened values are dropped, from 0 to 1.
 */
export const createVaultReader = (
  table: Table,
  kms: VaultUnwrap,
  { now = Date.now, random }: { readonly now?: () => number; readonly random?: () => number } = {},
) => {
  const remember = (vault: Vault) => ({
    vault,
    pages: createPageCache(vault),
    decryptor: createDecryptor(vault, kms, { now, random }),
  });
  const memories = createBoundedCache<ReturnType<typeof remember>>(MEMORY_BYTES);
  const memoryOf = ({ environment, count, bytes }: VaultHead) => {
    const memory = memories.get(environment) ?? remember(vaultIn(table, environment));
    memories.set(environment, memory, bytes + count * ENTRY_BYTES);
    return memory;
  };

  const gather = async (head: VaultHead, request: ReadRequest) => {
    if (head.stoppedAt !== undefined) throw stopped();
    const { pages, decryptor } = memoryOf(head);
    decryptor.prepare(head.keyVersion);
    const { key } = request.filter;
    const entries = key === undefined ? await pages.all(head) : await pages.one(head, key);
    const chosen = choose(entries, request);
    refuseAbove(chosen.reduce((sum, { bytes }) => sum + bytes, 0));
    const opened = await decryptor.open(chosen);
    refuseAbove(opened.reduce((sum, { replyBytes }) => sum + replyBytes, ENVELOPE_BYTES));
    return { head, chosen, opened };
  };

  const gatherFrom = async (head: VaultHead, request: ReadRequest) => {
    try {
      return await gather(head, request);
    } catch (error) {
      if (!(error instanceof StaleHeadError)) throw error;
      return gather(await readVaultHead(vaultIn(table, head.environment)), request);
    }
  };

  return {
    /** The current head of an environment, strongly consistent, if there is one. */
    head: (environment?: string) => findVaultHead(vaultIn(table, environment)),
    /**
     * Returns the secrets that match restriction and filter, values by key, all from one revision, after the read is
     * recorded in the audit log.
     */
    read: async (found: VaultHead | undefined, request: ReadRequest) => {
      const before = await requireHead(vaultIn(table, request.environment), found);
      const { head, chosen, opened } = await gatherFrom(before, request);
      await audit(table, request, head, chosen);
      return compose(opened);
    },
  };
};

const stopped = () =>
  new RefusedCall('stopped', 'An administrator has stopped serving secrets. Ask the operators of Cuevault.');

const choose = (entries: readonly SecretEntry[], { caller, filter }: ReadRequest) => {
  const chosen = chosenFrom(entries, filter, caller.restriction);
  const isRequired = filter.key !== undefined || filter.nonEmpty === true;
  if (isRequired && chosen.length === 0) throw notFound(entries, caller.restriction, filter);
  return chosen;
};

// The same message for a secret that does not exist and one that the key must not see. For a restricted key both are a
// refusal, so that not even the time to record it tells them apart.
const notFound = (
  entries: readonly SecretEntry[],
  restriction: readonly string[],
  { key, tags = [] }: ReadRequest['filter'],
) => {
  const named = key === undefined ? [] : [`the key ${JSON.stringify(key)}`];
  const tagged =
    tags.length === 0 ? [] : [`all of the tags ${tags.map((tag) => JSON.stringify(tag)).join(', ')}`];
  const wanted = [...named, ...tagged].join(' and ');
  const sentence = `There is no secret ${wanted && `with ${wanted} `}that this API key may read.`;
  const refused = restriction.length > 0 && !entries.some((entry) => carriesAll(entry, restriction));
  return refused ? new RefusedCall('tags', sentence) : new CuevaultError('secret_not_found', sentence);
};

/** The envelope around the secrets, and the reply around the body. */
const ENVELOPE_BYTES = 64;

const refuseAbove = (bytes: number) => {
  if (bytes <= LIMITS.replyBytes) return;
  throw new CuevaultError(
    'reply_too_large',
    'These secrets are too large for one reply. Request fewer at a time with "key" or "tags".',
  );
};

const audit = async (
  table: Table,
  { caller, filter, at, requestId, sourceIp, userAgent }: ReadRequest,
  { environment, revision }: VaultHead,
  chosen: readonly SecretEntry[],
) => {
  const { key, tags } = filter;
  const entry = { at, requestId, sourceIp, userAgent, ...caller, environment, filter: { key, tags } };
  try {
    await writeAuditRead(table, { ...entry, revision, count: chosen.length, digest: digestOf(chosen) });
  } catch (cause) {
    throw new CuevaultError(
      'unavailable',
      'The read could not be written to the audit log, so no secret was returned. Try again shortly.',
      { cause },
    );
  }
};

const compose = (opened: readonly Opened[]): Record<string, string> => {
  // Without a prototype, `__proto__` is an ordinary property.
  const values: Record<string, string> = Object.create(null);
  for (const { key, value } of opened) values[key] = value;
  return values;
};
