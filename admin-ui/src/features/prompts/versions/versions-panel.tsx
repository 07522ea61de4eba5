import { Box, Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { visible } from '../../../../../contract/content/visible.ts';
import { counted } from '../../../components/count.ts';
import { Panel } from '../../../components/layout/panel.tsx';
import { Small } from '../../../components/small.tsx';
import { pagesOf } from '../../../components/tables/list-body.tsx';
import { When } from '../../../components/when.tsx';
import { VersionBadges } from '../labels/label-badge.tsx';
import { moreVersionsQuery, type PromptDetails } from '../prompt-queries.ts';
import classes from './versions-panel.module.css';

/** The versions, highest first; each is a link that selects it. */
export const VersionsPanel = ({ selected, ...found }: PromptDetails & { selected: string }) => {
  const { prompt, versions, cursor } = found;
  const more = useInfiniteQuery(moreVersionsQuery(prompt.promptId, cursor));
  const rows = [...versions, ...pagesOf(more).flatMap((page) => page.versions)];
  return (
    <Panel title="Versions" count={prompt.versions}>
      <Box
        component="ol"
        className="cv-list"
        mx="-0.5rem"
        mah={{ base: '17rem', md: 'none' }}
        style={{ overflowY: 'auto' }}
      >
        {rows.map((row) => (
          <li key={row.version}>
            <Link
              from="/prompts/$promptId"
              to="."
              search={(search) => ({ ...search, version: row.version })}
              resetScroll={false}
              className={classes.link ?? ''}
              aria-current={row.version === selected ? 'true' : undefined}
            >
              <Group gap={6}>
                <VersionBadges {...row} isLatest={row.version === prompt.latest} />
              </Group>
              {row.note && (
                <Text lineClamp={2} className="cv-break">
                  {visible(row.note)}
                </Text>
              )}
              <Small className="cv-break">
                <When at={row.publishedAt} short /> ·{' '}
                {row.fetches === 0 ? 'not fetched' : counted(row.fetches, 'fetch', 'fetches')} ·{' '}
                {row.publishedBy}
              </Small>
            </Link>
          </li>
        ))}
      </Box>
      {(more.data ? more.hasNextPage : cursor !== undefined) && (
        <Button
          variant="subtle"
          fullWidth
          loading={more.isFetching}
          onClick={() => void more.fetchNextPage()}
        >
          {more.isError ? 'Try again' : 'Show more'}
        </Button>
      )}
    </Panel>
  );
};
