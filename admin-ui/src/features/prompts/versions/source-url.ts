import type { Version } from '../prompt-queries.ts';

const pathOf = (text: string): string => text.split('/').map(encodeURIComponent).join('/');

/**
 * The address of the file that a version was published from: on the host that the repository names, else on GitHub.
 * Undefined if the repository is only a name. The host comes from the job that published, and the text of the link
 * shows it.
 */
export const sourceUrl = ({
  repository,
  commit,
  path,
}: NonNullable<Version['source']>): string | undefined => {
  const [first = '', ...rest] = repository.split('/');
  const hasHost = first.includes('.') && rest.length > 1;
  if (!hasHost && rest.length !== 1) return undefined;
  const [host, project] = hasHost ? [first, rest.join('/')] : ['github.com', repository];
  const blob = host.includes('gitlab') ? '-/blob' : 'blob';
  return `https://${host}/${pathOf(project)}/${blob}/${commit}/${pathOf(path)}`;
};
