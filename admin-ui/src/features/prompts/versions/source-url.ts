import { isPlainPath } from '../../../../../contract/content/visible.ts';
import type { ReplyOf } from '../../../../../contract/endpoint.ts';
import type { sourceShape } from '../../../../../contract/shapes/prompts.ts';

const pathOf = (text: string): string => text.split('/').map(encodeURIComponent).join('/');

/**
 * The address of the file that a version was published from: on the host that the repository names, else on GitHub.
 * Undefined if the repository is only a name, or its host is none of `hosts`, or a path is not plain: the job that
 * published chooses all of them.
 */
export const sourceUrl = (
  { repository, commit, path }: ReplyOf<typeof sourceShape>,
  hosts: readonly string[],
): string | undefined => {
  const [first = '', ...rest] = repository.split('/');
  const hasHost = first.includes('.') && rest.length > 1;
  if (!hasHost && rest.length !== 1) return undefined;
  const [host, project] = hasHost ? [first, rest.join('/')] : ['github.com', repository];
  if (!hosts.includes(host) || !isPlainPath(project) || !isPlainPath(path)) return undefined;
  const blob = host.includes('gitlab') ? '-/blob' : 'blob';
  return `https://${host}/${pathOf(project)}/${blob}/${commit}/${pathOf(path)}`;
};
