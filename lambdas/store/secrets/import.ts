import { LIMITS, utf8Bytes } from '../../../contract/limits.ts';
import { type TagsChange, widenedDetails } from '../../core/api-keys/restrictions.ts';
import { assertValid } from '../../core/errors.ts';
import { randomBase62 } from '../../core/identifiers.ts';
import { replyBytes } from '../../core/reply-size.ts';
import { distinctTags, withoutSampleTag } from '../../core/tags.ts';
import { checkRoom, pageOf, type Tally, type VaultPage } from '../../core/vault/pages.ts';
import { earlierAfter, type SecretEntry, type SecretSummary, summaryOf } from '../../core/vault/secrets.ts';
import type { Change } from '../audit.ts';
import type { Table } from '../table.ts';
import { changeVault } from '../vault/changes.ts';
import type { VaultHead } from '../vault/head.ts';
import { readPages } from '../vault/pages.ts';
import { type Encryptor, encryptorFor } from './encryption.ts';
import { nextNumber } from './secrets.ts';
import { requireMayWiden } from './widening.ts';

export interface ImportedSecret {
  readonly key: string;
  readonly value: string;
}

export interface ImportResult {
  readonly created: readonly SecretSummary[];
  readonly updated: readonly SecretSummary[];
}

/**
 * Stores many secrets in one revision of the vault, all or none. A new key becomes a new secret with these tags; an
 * existing secret gets the value as its next one, and the tags in addition to its own.
 * Errors: `invalid_request`, `would_widen_access`, `vault_full`, `changed_meanwhile`, `unavailable`.
 */
export const importSecrets = async (
  table: Table,
  change: Change,
  secrets: readonly ImportedSecret[],
  tags: readonly string[] = [],
): Promise<ImportResult> => {
  assertValid(secrets.length > 0, 'There is nothing to import.');
  const added = distinctTags(tags);
  return changeVault(table, change, async (head) => {
    const refs = [...new Set(secrets.map(({ key }) => pageOf(head.pages, key)))];
    const [before, encrypt] = await Promise.all([readPages(table, refs), encryptorFor(table, change, head)]);
    const known = new Map(before.flatMap(({ entries }) => entries.map((entry) => [entry.key, entry])));
    // Before anything is encrypted.
    checkRoom(head, sizeAfter(head, known, secrets));
    const widening = await requireMayWiden(table, change, retagged(known, secrets, added));
    const merged = merge(head, change, before, encrypt, secrets, added);
    return {
      before,
      after: merged.pages,
      replaced: merged.replaced,
      writes: widening.writes,
      audit: {
        action: 'secret.import',
        subject: 'vault',
        name: 'vault',
        details: { ...importDetails(merged, added), ...widenedDetails(widening.keys) },
      },
      result: { created: merged.created.map(summaryOf), updated: merged.updated.map(summaryOf) },
    };
  });
};

/** The size of the vault after an import; `known` must contain all secrets with imported keys. */
export const sizeAfter = (
  now: Tally,
  known: ReadonlyMap<string, Pick<SecretEntry, 'bytes'>>,
  secrets: readonly ImportedSecret[],
): Tally =>
  secrets.reduce(({ count, bytes }, { key, value }) => {
    const old = known.get(key);
    return {
      count: count + (old === undefined ? 1 : 0),
      bytes: bytes + utf8Bytes(value) - (old?.bytes ?? 0),
    };
  }, now);

/** The tags of a secret after an import that adds some. */
export const tagsAfter = (tags: readonly string[], added: readonly string[]): string[] => [
  ...new Set([...withoutSampleTag(tags), ...added]),
];

/** How an import that adds tags changes those of the secrets that exist. */
export const retagged = (
  known: ReadonlyMap<string, Pick<SecretEntry, 'tags'>>,
  secrets: readonly Pick<ImportedSecret, 'key'>[],
  added: readonly string[],
): TagsChange[] =>
  secrets.flatMap(({ key }) => {
    const before = known.get(key)?.tags;
    return before === undefined ? [] : [{ before, after: tagsAfter(before, added) }];
  });

/** A page of audit entries must always fit into a reply. */
const NAMED_BYTES = LIMITS.replyBytes / LIMITS.pageMost - 8 * 1024;

/** How many secrets an import created and updated, and as many of their keys as fit, updated ones first. */
export const importDetails = (
  {
    created,
    updated,
  }: { readonly created: readonly SecretEntry[]; readonly updated: readonly SecretEntry[] },
  tags: readonly string[],
) => {
  const secrets: Pick<SecretEntry, 'secretId' | 'key' | 'number'>[] = [];
  let bytes = 0;
  for (const { secretId, key, number } of [...updated, ...created]) {
    const secret = { secretId, key, number };
    bytes += replyBytes(JSON.stringify(secret));
    if (bytes > NAMED_BYTES) break;
    secrets.push(secret);
  }
  return { created: created.length, updated: updated.length, tags, secrets };
};

const merge = (
  head: VaultHead,
  change: Change,
  before: readonly VaultPage[],
  encrypt: Encryptor,
  secrets: readonly ImportedSecret[],
  tags: readonly string[],
) => {
  const entries = new Map(before.map(({ prefix }) => [prefix, new Map<string, SecretEntry>()]));
  for (const page of before) {
    for (const entry of page.entries) entries.get(page.prefix)?.set(entry.key, entry);
  }
  const created: SecretEntry[] = [];
  const updated: SecretEntry[] = [];
  const replaced: SecretEntry[] = [];
  for (const { key, value } of secrets) {
    const page = entries.get(pageOf(before, key).prefix);
    const old = page?.get(key);
    const entry =
      old === undefined ? fresh(encrypt, key, value, tags) : renewed(head, change, encrypt, old, value, tags);
    page?.set(key, entry);
    if (old !== undefined) replaced.push(old);
    (old === undefined ? created : updated).push(entry);
  }
  const pages = [...entries].map(([prefix, byKey]) => ({ prefix, entries: [...byKey.values()] }));
  return { pages, created, updated, replaced };
};

const fresh = (encrypt: Encryptor, key: string, value: string, tags: readonly string[]): SecretEntry => {
  const secretId = randomBase62(22);
  const encrypted = encrypt({ key, secretId }, 1, value);
  return {
    ...{ key, secretId, tags, highest: 1, earlier: [] },
    ...encrypted,
    ...{ createdAt: encrypted.changedAt, createdBy: encrypted.changedBy },
  };
};

const renewed = (
  head: VaultHead,
  change: Change,
  encrypt: Encryptor,
  old: SecretEntry,
  value: string,
  tags: readonly string[],
): SecretEntry => {
  const number = nextNumber(head, old);
  const all = tagsAfter(old.tags, tags);
  assertValid(
    all.length <= LIMITS.tags,
    `The secret "${old.key}" would have ${all.length} tags; at most ${LIMITS.tags} are allowed. Import it with fewer.`,
  );
  return {
    ...old,
    ...encrypt(old, number, value),
    highest: number,
    earlier: earlierAfter(old, number, change.at),
    tags: all,
  };
};
