import { Stack, Text } from '@mantine/core';
import type { Content } from '../../../../../contract/content/content.ts';
import { byNeed } from '../../../components/by-need.tsx';
import type { Compared } from './version-text.ts';

const TextDiff = byNeed('text-diff', () => import('./text-diff-view.tsx'));

interface ContentChangesProps {
  readonly before: Compared;
  readonly after: Compared;
  /** The two with their fragments in place. */
  readonly expanded?: readonly [before: Content, after: Content];
  /** Label of the two for screen readers. */
  readonly labels: readonly [before: string, after: string];
  /** @default "inline" */
  readonly mode?: 'side' | 'inline';
}

export const ContentChanges = ({ before, after, expanded, labels, mode = 'inline' }: ContentChangesProps) => (
  <Stack gap="sm">
    <TextDiff before={before} after={after} labels={labels} mode={mode} />
    {expanded && !isEqual(before.content.includes, after.content.includes) && (
      <Stack component="section" gap="xs" aria-label="With fragments">
        <Text fw={600}>What applications get, with the fragments in place:</Text>
        <TextDiff
          before={{ content: expanded[0] }}
          after={{ content: expanded[1] }}
          labels={[`${labels[0]} with fragments`, `${labels[1]} with fragments`]}
          mode={mode}
        />
      </Stack>
    )}
  </Stack>
);

// Versions of fragments never change: without another one, the texts above say all.
const isEqual = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === b.length && a.every((include) => b.includes(include));
