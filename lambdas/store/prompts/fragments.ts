import { contentProblem } from '../../../contract/content/check.ts';
import { expandContent } from '../../../contract/content/fragments.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { CuevaultError } from '../../core/errors.ts';
import { promptIdOf } from '../../core/identifiers.ts';
import { authoredContent, hashOf } from '../../core/prompts/contents.ts';
import type { Included, PromptContent } from '../../core/prompts/prompts.ts';
import type { Table } from '../table.ts';
import { allPrompts } from './all-prompts.ts';
import { isAboveReserved, isLive, type PromptHead, readHead } from './head.ts';
import { type PromptVersion, readVersion } from './versions.ts';

/** The ids of at most this many prompts that a prompt has included are kept in its head. */
const KEPT = 100;

const refused = (sentence: string): CuevaultError => new CuevaultError('invalid_request', sentence);

/** Whether the publisher of a content may read the prompt with a name. */
export type MaySee = (name: string) => boolean;

const readFragment = async (
  table: Table,
  { name, version }: Included,
  maySee: MaySee,
): Promise<PromptVersion> => {
  const promptId = promptIdOf(name);
  const [head, found] = await Promise.all([readHead(table, promptId), readVersion(table, promptId, version)]);
  // One sentence for all: a key must not learn which prompts outside its restriction exist.
  if (!isLive(head) || !isAboveReserved(head, version) || found === undefined || !maySee(name))
    throw refused(
      `"includes" names "${name}@${version}", but there is no such version. Check the name and the version.`,
    );
  if (found.type === 'chat')
    throw refused(
      `"includes" names "${name}@${version}", which is a chat. Only text prompts can be included.`,
    );
  return found;
};

const depthOf = (fragments: readonly PromptVersion[]): number => {
  const depth = 1 + Math.max(...fragments.map(({ authored }) => authored?.depth ?? 0));
  if (depth > LIMITS.includeDepth)
    throw refused(`Fragments can include others at most ${LIMITS.includeDepth} deep. Include a flatter one.`);
  return depth;
};

/**
 * A content as it is stored in a version: with the fragments that it declares expanded, beside what its author wrote.
 * Versions never change, so what is read now stays right, and no version can include itself.
 * @param maySee - Whether the publisher may read a prompt. @default - operators may read each of them
 * Errors: `invalid_request`, `integrity`, `unavailable`.
 */
export const withFragments = async (
  table: Table,
  content: PromptContent,
  maySee: MaySee = () => true,
): Promise<PromptContent> => {
  const { includes, prompt, variables } = content;
  if (includes === undefined) return content;
  const fragments = await Promise.all(includes.map((each) => readFragment(table, each, maySee)));
  const authored = { prompt, variables, depth: depthOf(fragments) };
  const written = authoredContent(content);
  const names = fragments.map((fragment, index) => [includes[index]?.name ?? '', fragment] as const);
  const expanded = expandContent(written, new Map(names));
  if ('problem' in expanded) throw refused(expanded.problem);
  const { expansion } = expanded;
  const problem = contentProblem(written, expansion);
  if (problem !== undefined) throw refused(problem);
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
): Pick<PromptHead, 'fragments'> =>
  includes === undefined
    ? {}
    : {
        fragments: [...new Set([...includes.map(({ name }) => promptIdOf(name)), ...(earlier ?? [])])].slice(
          0,
          KEPT,
        ),
      };

const servedVersions = ({ latest, labels }: PromptHead): string[] => [
  ...new Set([latest, ...labels.map(({ version }) => version)]),
];

/**
 * The versions, latest or with a label, that include a version of a prompt; without a version, those of other prompts
 * that include any of its versions.
 * Heads come from the index: a change can take a moment to appear. Errors: `integrity`, `unavailable`.
 */
export const includersOf = async (
  table: Table,
  { promptId, name }: PromptHead,
  version: string | undefined,
): Promise<string[]> => {
  const found: string[] = [];
  for await (const head of allPrompts(table)) {
    if (head.fragments?.includes(promptId) !== true) continue;
    // With a prompt, all its versions go.
    if (head.promptId === promptId && version === undefined) continue;
    for (const served of servedVersions(head)) {
      const includes = (await readVersion(table, head.promptId, served))?.includes ?? [];
      if (includes.some((each) => each.name === name && (version ?? each.version) === each.version))
        found.push(`version ${served} of "${head.name}"`);
    }
  }
  return found;
};
