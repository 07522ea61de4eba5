import { Badge, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { visible } from '../../../../../contract/content/visible.ts';
import { counted } from '../../../components/count.ts';
import { Small } from '../../../components/small.tsx';
import { isNew, When } from '../../../components/when.tsx';
import { LabelBadge } from '../labels/label-badge.tsx';
import type { VersionRow } from '../prompt-queries.ts';
import { ChatBadge } from './chat-badge.tsx';
import classes from './versions-timeline.module.css';

const STEP = 50;

export interface VersionsTimelineProps {
  readonly versions: readonly VersionRow[];
  readonly selected: string;
  readonly latest: string;
}

/** The versions, highest first; each is a link that selects it. */
export const VersionsTimeline = ({ versions, selected, latest }: VersionsTimelineProps) => {
  const [shown, setShown] = useState(STEP);
  return (
    <>
      <ol className={`cv-list ${classes.list}`}>
        {versions.slice(0, shown).map((row) => (
          <li key={row.version} className={classes.item}>
            <Link
              from="/prompts/$promptId"
              to="."
              search={(search) => ({ ...search, version: row.version })}
              resetScroll={false}
              className={classes.link ?? ''}
              aria-current={row.version === selected ? 'true' : undefined}
            >
              <Entry row={row} isLatest={row.version === latest} />
            </Link>
          </li>
        ))}
      </ol>
      {versions.length > shown && (
        <Button variant="subtle" fullWidth onClick={() => setShown(shown + STEP)}>
          Show {Math.min(STEP, versions.length - shown)} more
        </Button>
      )}
    </>
  );
};

const Entry = ({ row, isLatest }: { row: VersionRow; isLatest: boolean }) => (
  <>
    <Group gap={6}>
      <Text size="md" span fw={600} className="cv-mono">
        {row.version}
      </Text>
      {isLatest && <Badge color="slate">latest</Badge>}
      {row.type === 'chat' && <ChatBadge />}
      {row.labels.map((label) => (
        <LabelBadge key={label} label={label} />
      ))}
    </Group>
    {row.note && (
      <Text lineClamp={2} className="cv-break">
        {visible(row.note)}
      </Text>
    )}
    <Small className="cv-break">
      <When at={row.publishedAt} short /> · {row.publishedBy}
    </Small>
    <Small>
      {row.fetches === 0
        ? isNew(row.publishedAt)
          ? 'not fetched yet'
          : 'not fetched in 30 days'
        : `${counted(row.fetches, 'fetch', 'fetches')} in 30 days`}
    </Small>
  </>
);
