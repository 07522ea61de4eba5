import type { ReplyOf } from '../../../contract/endpoint.ts';
import type { sourceShape, sourceState } from '../../../contract/shapes/prompts.ts';

/** The file that a version was published from. */
export type Source = ReplyOf<typeof sourceShape>;

/** The last version of a prompt that a repository published, or that its file was equal to. */
export type SourceState = ReplyOf<typeof sourceState>;

/** How many repositories the head of a prompt remembers. */
export const REPOSITORIES = 5;

/** The states of all repositories after one of them has published a version, newest first. */
export const withSource = (
  sources: readonly SourceState[] | undefined,
  { repository, commit }: Source,
  { version, contentHash }: Pick<SourceState, 'version' | 'contentHash'>,
): readonly SourceState[] => [
  { repository, version, contentHash, commit },
  ...(sources ?? []).filter((each) => each.repository !== repository).slice(0, REPOSITORIES - 1),
];
