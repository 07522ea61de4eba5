import type { ReplyTo } from '../../../contract/documentation.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { secretsImport } from '../../../contract/endpoints/secrets.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { CuevaultError } from '../../core/errors.ts';
import { distinctTags } from '../../core/tags.ts';
import { type EnvPair, type EnvProblem, parseEnv } from '../../core/vault/dotenv.ts';
import { checkRoom } from '../../core/vault/page-writes.ts';
import type { SecretEntry } from '../../core/vault/secrets.ts';
import { wideningOf } from '../api-keys/restrictions.ts';
import type { Change } from '../audit.ts';
import type { Vault } from '../vault/vault.ts';
import { importSecrets, retagged, sizeAfter, tagsAfter } from './import.ts';
import { readEntries } from './secret-lists.ts';

const NAMED_LINES = 100;
const SHOWN_PROBLEMS = 1_000;

type EnvContent = InputOf<(typeof secretsImport)['body']>;
type EnvPreview = Omit<ReplyTo<'secrets-import'>, 'stored'>;

const without = (pairs: readonly EnvPair[], skip: readonly string[] = []): readonly EnvPair[] => {
  const skipped = new Set(skip);
  return pairs.filter(({ key }) => !skipped.has(key));
};

const invalidEnv = (problems: readonly EnvProblem[]): CuevaultError => {
  const named = problems.slice(0, NAMED_LINES).map(({ line, message }) => `line ${line} ${message}`);
  const more = problems.length - named.length;
  return new CuevaultError(
    'invalid_env',
    `Nothing was imported: ${named.join('; ')}${more > 0 ? `; and ${more} more lines` : ''}.`,
  );
};

/**
 * Stores the secrets of a `.env` text, all or none, in one revision of the vault. Errors: `invalid_env`, which names
 * each line with an error, `invalid_request`, `would_widen_access`, `vault_full`, `changed_meanwhile`, `unavailable`.
 */
export const importEnv = async (
  vault: Vault,
  change: Change,
  { text, tags = [], skip }: EnvContent,
): Promise<Pick<EnvPreview, 'created' | 'updated'>> => {
  const { pairs, problems } = parseEnv(text);
  if (problems.length > 0) throw invalidEnv(problems);
  const { created, updated } = await importSecrets(vault, change, without(pairs, skip), tags);
  return { created: created.map(({ key }) => key), updated: updated.map(({ key }) => key) };
};

/** The problem of a line that gives an existing secret too many tags. */
const overTagged = (
  pairs: readonly EnvPair[],
  known: ReadonlyMap<string, SecretEntry>,
  tags: readonly string[],
): EnvProblem[] =>
  pairs.flatMap(({ line, key }) => {
    const { length } = tagsAfter(known.get(key)?.tags ?? [], tags);
    if (length <= LIMITS.tags) return [];
    return [
      { line, message: `sets a secret that would have ${length} tags; at most ${LIMITS.tags} are allowed` },
    ];
  });

const byLine = (a: EnvProblem, b: EnvProblem): number => a.line - b.line;

/** The first problems; the last one says how many more there are. */
const first = (problems: readonly EnvProblem[]): EnvProblem[] => {
  const shown = problems.slice(0, SHOWN_PROBLEMS);
  const next = problems[SHOWN_PROBLEMS];
  if (next === undefined) return shown;
  const more = problems.length - SHOWN_PROBLEMS - 1;
  return [...shown, { line: next.line, message: `is wrong too, and so are ${more} lines after it` }];
};

/**
 * A preview of importing a `.env` text with these tags at a time, with its problems. Errors: `invalid_request`,
 * `vault_full`, `integrity`, `unavailable`.
 */
export const previewEnv = async (
  vault: Vault,
  { text, tags = [], skip }: EnvContent,
  at: Date,
): Promise<EnvPreview> => {
  const { pairs: all, problems } = parseEnv(text);
  const pairs = without(all, skip);
  const added = distinctTags(tags);
  const { head, entries } = await readEntries(vault);
  const known = new Map(entries.map((entry) => [entry.key, entry]));
  checkRoom(head, sizeAfter(head, known, pairs));
  const widening = await wideningOf(vault, at, retagged(known, pairs, added));
  return {
    created: pairs.filter(({ key }) => !known.has(key)).map(({ key }) => key),
    updated: pairs.filter(({ key }) => known.has(key)).map(({ key }) => key),
    assignments: all.map(({ line, key }) => ({ line, key, isNew: !known.has(key) })),
    problems: first([...problems, ...overTagged(pairs, known, added)].sort(byLine)),
    widened: widening.keys.map(({ name }) => name),
  };
};
