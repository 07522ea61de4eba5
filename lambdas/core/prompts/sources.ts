/** The file that a version was published from. */
export interface Source {
  /** Such as `acme/app`, or `gitlab.com/acme/app`. */
  readonly repository: string;
  /** Full hash of the commit. */
  readonly commit: string;
  /** Path of the file in the repository. */
  readonly path: string;
}

/** The last version of a prompt that a repository published, or that its file was equal to. */
export interface SourceState extends Pick<Source, 'repository' | 'commit'> {
  readonly version: string;
  readonly contentHash: string;
}

/** How many repositories the head of a prompt remembers. */
const REPOSITORIES = 5;

/** The states of all repositories after one of them has published a version, newest first. */
export const withSource = (
  sources: readonly SourceState[] | undefined,
  { repository, commit }: Source,
  { version, contentHash }: Pick<SourceState, 'version' | 'contentHash'>,
): readonly SourceState[] => [
  { repository, version, contentHash, commit },
  ...(sources ?? []).filter((each) => each.repository !== repository).slice(0, REPOSITORIES - 1),
];
