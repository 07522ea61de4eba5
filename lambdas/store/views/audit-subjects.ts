import { DEFAULT_ENVIRONMENT } from '../../../contract/fields/patterns.ts';
import { holds } from '../../core/lists/lists.ts';
import { carriesAll } from '../../core/vault/secrets.ts';
import type { SecretSummary } from '../../core/vault/values.ts';
import { inEveryVault, listDeletedSecrets, listSecrets } from '../secrets/secret-lists.ts';
import type { Table } from '../table.ts';
import type { SecretRead } from '../usage/entries.ts';
import { createReadSecrets } from '../usage/secret-reads.ts';
import type { AuditEntry } from './audit-entries.ts';

/** Whether an entry is about the subject, given by its id or a part of its name. True for all without a subject. */
export type AuditSubjects = (sought: string | undefined) => (entry: AuditEntry) => Promise<boolean>;

const textsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [String(value)];

/** Whether an entry names the subject, or has each word of the text somewhere, such as a label or an environment in its details. */
const mentions = ({ subject, name, action, details }: AuditEntry, sought: string) => {
  const texts = [subject, name, action, ...textsIn(details)];
  return holds(texts, sought) || sought.split(/\s+/).every((word) => holds(texts, word));
};

/** Matching secrets that are in the vault, or can still be restored. */
const secretsLike = async (table: Table, sought: string): Promise<readonly SecretSummary[]> => {
  const secrets = await Promise.all([
    inEveryVault(table, listSecrets),
    inEveryVault(table, (vault) => listDeletedSecrets(vault, new Date())),
  ]);
  return secrets.flat().filter(({ secretId, key }) => secretId === sought || holds([key], sought));
};

/**
 * Matches entries by subject. A read of many secrets does not name them: they are looked up by the digest of the entry
 * or, if it is unknown, by the current tags. A secret that can no longer be restored is found only by its id.
 */
export const createAuditSubjects = (table: Table): AuditSubjects => {
  const readSecretsOf = createReadSecrets(table);
  return (sought) => {
    if (sought === undefined) return async () => true;
    let found: ReturnType<typeof secretsLike> | undefined;
    const isRead = async (read: Partial<SecretRead>) => {
      const { filter = {}, restriction = [], digest = '', environment = DEFAULT_ENVIRONMENT } = read;
      found ??= secretsLike(table, sought);
      const secrets = (await found).filter((secret) => secret.environment === environment);
      if (filter.key !== undefined) return secrets.some(({ key }) => key === filter.key);
      const ids = await readSecretsOf(digest);
      if (ids.length > 0) {
        return ids.includes(sought) || secrets.some(({ secretId }) => ids.includes(secretId));
      }
      const tags = [...restriction, ...(filter.tags ?? [])];
      return secrets.some((secret) => carriesAll(secret, tags));
    };
    return async (entry) =>
      mentions(entry, sought) ||
      (entry.kind === 'read' && (await isRead(entry.details as Partial<SecretRead>)));
  };
};
