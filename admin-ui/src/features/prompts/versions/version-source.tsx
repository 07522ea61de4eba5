import { Anchor } from '@mantine/core';
import { visible } from '../../../../../contract/content/visible.ts';
import { useSession } from '../../../api/session-context.tsx';
import type { Version } from '../prompt-queries.ts';
import { sourceUrl } from './source-url.ts';

/** Repository, commit and path of the file that a version was published from. */
export const VersionSource = ({ source }: { readonly source: NonNullable<Version['source']> }) => {
  const { repository, commit, path } = source;
  const { sourceHosts } = useSession().config;
  const text = visible(`${repository} · ${path} at ${commit.slice(0, 7)}`);
  const url = sourceUrl(source, sourceHosts);
  return (
    <>
      {' from '}
      {url === undefined ? (
        text
      ) : (
        <Anchor href={url} target="_blank" rel="noreferrer" underline="always" inherit>
          {text}
        </Anchor>
      )}
    </>
  );
};
