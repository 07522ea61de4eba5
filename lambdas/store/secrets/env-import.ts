import type { ReplyTo } from '../../../contract/documentation.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { secretsImport } from '../../../contract/endpoints/secrets.ts';
import { type EnvPair, type EnvRemark, parseEnv } from '../../../contract/env-file.ts';
import { LIMITS, utf8Bytes } from '../../../contract/limits.ts';
import { CuevaultError } from '../../core/errors.ts';
import { distinctTags } from '../../core/tags.ts';
import { checkRoom } from '../../core/vault/page-writes.ts';
import type { SecretEntry } from '../../core/vault/secrets.ts';
import { wideningOf } from '../api-keys/restrictions.ts';
import type { Change } from '../audit.ts';
import type { Vault } from '../vault/vault.ts';
import { importSecrets, retagged, sizeAfter, tagsAfter } from './import.ts';
import { readEntries } from './secret-lists.ts';

const NAMED_LINES = 100;
const SHOWN_REMARKS = 1_000;

type EnvContent = InputOf<(typeof secretsImport)['body']>;
type EnvPreview = Omit<ReplyTo<'secrets-import'>, 'stored'>;

const byLine = (a: EnvRemark, b: EnvRemark) => a.line - b.line;

/** The first remarks; the last one says how many more there are. */
const withinShown = (remarks: readonly EnvRemark[]): EnvRemark[] => {
  const shown = remarks.slice(0, SHOWN_REMARKS);
  const next = remarks[SHOWN_REMARKS];
  if (next === undefined) return shown;
  const more = remarks.length - SHOWN_REMARKS - 1;
  return [...shown, { line: next.line, message: `has one too, and so have ${more} lines after it` }];
};

const isOversized = ({ key, value }: EnvPair) =>
  utf8Bytes(key) > LIMITS.secretKeyBytes || utf8Bytes(value) > LIMITS.secretValueBytes;

const OVERSIZED = `has a key of more than ${LIMITS.secretKeyBytes} bytes, or a value of more than ${LIMITS.secretValueBytes}`;

/** What a text assigns, what of that is to be imported, and the remarks on the lines that are not skipped. */
const parseContent = ({ text, skip, skipLines }: EnvContent) => {
  const { pairs, problems, notes } = parseEnv(text);
  const all = pairs.filter((pair) => !isOversized(pair));
  const oversized = pairs.filter(isOversized).map(({ line }) => ({ line, message: OVERSIZED }));
  const keys = new Set(skip);
  const lines = new Set(skipLines);
  const wanted = all.filter(({ key, line }) => !keys.has(key) && !lines.has(line));
  const imported = new Set(wanted.map(({ line }) => line));
  return {
    all,
    wanted,
    problems: [...problems, ...oversized].filter(({ line }) => !lines.has(line)).sort(byLine),
    notes: withinShown(notes.filter(({ line }) => imported.has(line))),
  };
};

const invalidEnv = (problems: readonly EnvRemark[]) => {
  const named = problems.slice(0, NAMED_LINES).map(({ line, message }) => `line ${line} ${message}`);
  const more = problems.length - named.length;
  return new CuevaultError(
    'invalid_env',
    `Nothing was imported: ${named.join('; ')}${more > 0 ? `; and ${more} more lines` : ''}.`,
  );
};

/** Stores the secrets of a `.env` text, all or none, in one revision of the vault. */
export const importEnv = async (
  vault: Vault,
  change: Change,
  content: EnvContent,
): Promise<Pick<EnvPreview, 'created' | 'updated' | 'notes'>> => {
  const { wanted, problems, notes } = parseContent(content);
  if (problems.length > 0) throw invalidEnv(problems);
  const { created, updated } = await importSecrets(vault, change, wanted, content.tags);
  return { created: created.map(({ key }) => key), updated: updated.map(({ key }) => key), notes };
};

/** The problem of a line that gives an existing secret too many tags. */
const overTagged = (
  pairs: readonly EnvPair[],
  known: ReadonlyMap<string, SecretEntry>,
  tags: readonly string[],
): EnvRemark[] =>
  pairs.flatMap(({ line, key }) => {
    const { length } = tagsAfter(known.get(key)?.tags ?? [], tags);
    if (length <= LIMITS.tags) return [];
    return [
      { line, message: `sets a secret that would have ${length} tags; at most ${LIMITS.tags} are allowed` },
    ];
  });

/** A preview of importing a `.env` text with these tags at a time, with its problems. */
export const previewEnv = async (vault: Vault, content: EnvContent, at: Date): Promise<EnvPreview> => {
  const { all, wanted: pairs, problems, notes } = parseContent(content);
  const added = distinctTags(content.tags ?? []);
  const { head, entries } = await readEntries(vault);
  const known = new Map(entries.map((entry) => [entry.key, entry]));
  checkRoom(head, sizeAfter(head, known, pairs));
  const widening = await wideningOf(vault, at, retagged(known, pairs, added));
  return {
    created: pairs.filter(({ key }) => !known.has(key)).map(({ key }) => key),
    updated: pairs.filter(({ key }) => known.has(key)).map(({ key }) => key),
    assignments: all.map(({ line, key }) => ({ line, key, isNew: !known.has(key) })),
    problems: withinShown([...problems, ...overTagged(pairs, known, added)].sort(byLine)),
    notes,
    widened: widening.keys.map(({ name }) => name),
  };
};
