import type { EnvPair } from '../../../contract/env-file.ts';
import { LIMITS, utf8Bytes } from '../../../contract/limits.ts';
import { type TagsChange, widenedDetails } from '../../core/api-keys/restrictions.ts';
import { assertValid } from '../../core/errors.ts';
import { distinctTags, withoutSampleTag } from '../../core/tags.ts';

import { checkRoom, type Tally } from '../../core/vault/page-writes.ts';
import { pageFor } from '../../core/vault/pages.ts';
import type { SecretEntry } from '../../core/vault/secrets.ts';
import { earlierAfter, summaryOf } from '../../core/vault/values.ts';
import { requireMayWiden } from '../api-keys/restrictions.ts';
import { type AuditChange, auditChange, type Change } from '../audit.ts';
import { changeVault } from '../vault/changes.ts';
import type { VaultHead } from '../vault/head.ts';
import { entriesByKey, withEntries } from '../vault/locations.ts';
import { readPages } from '../vault/page-rows.ts';
import type { Vault } from '../vault/vault.ts';
import { type Encryptor, encryptorFor, newEntry } from './encryption.ts';
import { nextNumber, requireMayName } from './secrets.ts';

type ImportedSecret = Pick<EnvPair, 'key' | 'value'>;

/**
 * Stores many secrets in one revision of the vault, all or none. A new key becomes a new secret with these tags; an
 * existing secret gets the value as its next one, and the tags in addition to its own.
 */
export const importSecrets = async (
  vault: Vault,
  change: Change,
  secrets: readonly ImportedSecret[],
  tags: readonly string[] = [],
) => {
  assertValid(secrets.length > 0, 'There is nothing to import.');
  const added = distinctTags(tags);
  return changeVault(vault, change, async (head) => {
    const refs = [...new Set(secrets.map(({ key }) => pageFor(head.pages, key)))];
    const [before, encrypt] = await Promise.all([readPages(vault, refs), encryptorFor(vault, change, head)]);
    const known = entriesByKey(before);
    // Before anything is encrypted.
    checkRoom(head, sizeAfter(head, known, secrets));
    const widening = await requireMayWiden(vault, change, retagged(known, secrets, added));
    const unknown = secrets.filter(({ key }) => !known.has(key));
    requireMayName(
      change,
      unknown.map(({ key }) => key),
    );
    const created = unknown.map(({ key, value }) => newEntry(encrypt, key, value, added));
    const replaced: SecretEntry[] = [];
    const updated = secrets.flatMap(({ key, value }) => {
      const old = known.get(key);
      if (old === undefined) return [];
      replaced.push(old);
      return [renewed(head, change, encrypt, old, value, added)];
    });
    const details = { tags: added, ...widenedDetails(widening.keys) };
    const [audit, ...others] = importEntries({ created, updated }, details);
    return {
      before,
      after: withEntries(before, [...created, ...updated]),
      replaced,
      writes: [...widening.writes, ...others.map((entry) => auditChange(vault, change, entry))],
      audit,
      result: {
        created: created.map((entry) => summaryOf(vault, entry)),
        updated: updated.map((entry) => summaryOf(vault, entry)),
      },
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

/** Size of the secrets that one audit entry names, as JSON. All entries of an import fit into one transaction. */
const NAMED_BYTES = 64 * 1024;

/** Divides values into groups of at most `NAMED_BYTES` as JSON; there is always one. */
const grouped = <Value>(values: readonly Value[]): Value[][] => {
  let group: Value[] = [];
  let bytes = 0;
  const groups = [group];
  for (const value of values) {
    const size = utf8Bytes(JSON.stringify(value));
    if (bytes > 0 && bytes + size > NAMED_BYTES) {
      group = [];
      bytes = 0;
      groups.push(group);
    }
    group.push(value);
    bytes += size;
  }
  return groups;
};

export interface Imported {
  readonly created: readonly SecretEntry[];
  readonly updated: readonly SecretEntry[];
}

/**
 * The audit entries of an import. The first counts its secrets; together they name all of them, updated ones first,
 * `each` as it returns them.
 */
export const importEntries = (
  { created, updated }: Imported,
  details: Readonly<Record<string, unknown>>,
  each: (entry: SecretEntry) => object = ({ secretId, key, number }) => ({ secretId, key, number }),
): [AuditChange, ...AuditChange[]] => {
  const about = { action: 'secret.import', subject: 'vault', name: 'vault' };
  const [first = [], ...others] = grouped([...updated, ...created].map(each));
  const counts = { created: created.length, updated: updated.length };
  return [
    { ...about, details: { ...counts, ...details, secrets: first } },
    ...others.map((secrets, index) => ({ ...about, details: { part: index + 2, secrets } })),
  ];
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
