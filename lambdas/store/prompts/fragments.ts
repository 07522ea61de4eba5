import { contentProblem } from '../../../contract/content/check.ts';
import { expandContent } from '../../../contract/content/fragments.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { invalidRequest } from '../../core/errors.ts';
import { promptIdOf } from '../../core/identifiers.ts';
import { inParallel } from '../../core/parallel.ts';
import { authoredContent, hashOf, noSuchInclude } from '../../core/prompts/contents.ts';
import type { Included, PromptContent } from '../../core/prompts/prompts.ts';
import { rowsFrom } from '../queries.ts';
import type { Key, Table } from '../table.ts';
import type { Write } from '../transactions.ts';
import { isAboveReserved, isLive, type PromptHead, readPromptHead } from './head.ts';
import { readLiveHeads } from './lookups.ts';
import { type PromptVersion, readVersion } from './versions.ts';

/** The ids of at most this many prompts that a prompt has included are kept in its head: a purge removes them in one transaction. */
const KEPT_IDS = 90;
/** A deletion looks for this many includers. */
export const MOST_INCLUDERS = 20;

/** Throws if the publisher of a content may not include a version. */
export type Require = (included: Included) => void;

const readFragment = async (table: Table, { name, version }: Included) => {
  const promptId = promptIdOf(name);
  const [head, found] = await Promise.all([
    readPromptHead(table, promptId),
    readVersion(table, promptId, version),
  ]);
  if (!isLive(head) || !isAboveReserved(head, version) || found === undefined)
    throw invalidRequest(noSuchInclude({ name, version }));
  if (found.type === 'chat')
    throw invalidRequest(
      `"includes" names "${name}@${version}", which is a chat. Only text prompts can be included.`,
    );
  return found;
};

const depthOf = (fragments: readonly PromptVersion[]) => {
  const depth = 1 + Math.max(...fragments.map(({ authored }) => authored?.depth ?? 0));
  if (depth > LIMITS.includeDepth)
    throw invalidRequest(
      `Fragments can include others at most ${LIMITS.includeDepth} deep. Include a flatter one.`,
    );
  return depth;
};

/**
 * A content as it is stored in a version: with the fragments that it declares expanded, beside what its author wrote.
 * Versions never change, so what is read now stays right, and no version can include itself.
 * @param allow - What the publisher may include. @default - operators may include everything
 */
export const withFragments = async (
  table: Table,
  content: PromptContent,
  allow: Require = () => undefined,
): Promise<PromptContent> => {
  const { includes, prompt, variables } = content;
  if (includes === undefined) return content;
  includes.forEach(allow);
  const fragments: PromptVersion[] = [];
  // One after the other: a refused one is the last that is read.
  for (const each of includes) fragments.push(await readFragment(table, each));
  const authored = { prompt, variables, depth: depthOf(fragments) };
  const written = authoredContent(content);
  const names = fragments.map((fragment, index) => [includes[index]?.name ?? '', fragment] as const);
  const expanded = expandContent(written, new Map(names));
  if ('problem' in expanded) throw invalidRequest(expanded.problem);
  const { expansion } = expanded;
  const problem = contentProblem(written, expansion);
  if (problem !== undefined) throw invalidRequest(problem);
  return {
    ...content,
    authored,
    variables: expansion.variables,
    prompt: expansion.type === 'chat' ? JSON.stringify(expansion.messages) : expansion.prompt,
    includes: names.map(([name, { version, ...stored }]) => ({ name, version, contentHash: hashOf(stored) })),
  };
};

/** The ids of prompts in the head of one that has a new version, those of this version first. */
export const fragmentsAfter = (
  earlier: readonly string[] | undefined,
  { includes }: Pick<PromptContent, 'includes'>,
): Pick<PromptHead, 'fragments'> => {
  if (includes === undefined) return {};
  const ids = [...includes.map(({ name }) => promptIdOf(name)), ...(earlier ?? [])];
  return { fragments: [...new Set(ids)].slice(0, KEPT_IDS) };
};

const servedVersions = ({ latest, labels }: PromptHead) => [
  ...new Set([latest, ...labels.map(({ version }) => version)]),
];

const includerKey = (included: string, includer: string): Key => ({
  pk: PARTITIONS.includedBy + included,
  sk: includer,
});

/** Records which prompts a new head includes, except those that the head before has recorded. */
export const recordIncluded = ({ promptId, fragments = [] }: PromptHead, before: PromptHead | undefined) => {
  const recorded = new Set(isLive(before) ? before.fragments : []);
  return fragments
    .filter((id) => !recorded.has(id))
    .map((id) => ({ put: { Item: { ...includerKey(id, promptId) } } }));
};

/** Removes what `recordIncluded` recorded. */
export const forgetIncluded = ({ promptId, fragments = [] }: PromptHead): Write[] =>
  fragments.map((id) => ({ remove: { Key: includerKey(id, promptId) } }));

/**
 * The versions, latest or with a label, that include a version of a prompt; without a version, those of other prompts
 * that include any of its versions. Reads until it has found `MOST_INCLUDERS`.
 */
export const includersOf = async (
  table: Table,
  { promptId, name }: PromptHead,
  version: string | undefined,
): Promise<string[]> => {
  const found: string[] = [];
  const rows = rowsFrom(table, PARTITIONS.includedBy + promptId);
  // With a prompt, all its versions go.
  const isOther = (id: string) => id !== promptId || version !== undefined;
  const servedIncludes = async (head: PromptHead) => {
    const served = await inParallel(servedVersions(head), async (each) => {
      const includes = (await readVersion(table, head.promptId, each))?.includes ?? [];
      return includes.some((one) => one.name === name && (version ?? one.version) === one.version)
        ? [`version ${each} of "${head.name}"`]
        : [];
    });
    return served.flat();
  };
  for (;;) {
    const ids: string[] = [];
    for (; ids.length < MOST_INCLUDERS - found.length; ) {
      const { value, done } = await rows.next();
      if (done === true) break;
      if (isOther(String(value.sk))) ids.push(String(value.sk));
    }
    if (ids.length === 0) return found;
    const heads = await readLiveHeads(table, ids);
    found.push(...(await inParallel(heads.values(), servedIncludes)).flat());
    if (found.length >= MOST_INCLUDERS) return found.slice(0, MOST_INCLUDERS);
  }
};
