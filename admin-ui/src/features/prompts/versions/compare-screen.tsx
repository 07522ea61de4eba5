import { Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { visible } from '../../../../../contract/content/visible.ts';
import { useCan } from '../../../api/session-context.tsx';
import { dateOf, PromptLink, RowButton, When } from '../../../components/basics.tsx';
import { joined } from '../../../components/locale.ts';
import { authored, served } from '../../../components/prompt-content.ts';
import { Screen } from '../../../components/screen.tsx';
import { Notice, QueryBoundary } from '../../../components/states.tsx';
import { useFilter } from '../../../components/tables/filters.tsx';
import { beforePrompt } from '../deleted-prompts.tsx';
import { breakingOf, useEffects } from '../impact/impact-panel.tsx';
import { openLabelForm } from '../labels/label-dialogs.tsx';
import { promptQuery, type VersionRow, versionsQuery } from '../prompt-queries.ts';
import { BreakingWarning, ContentChanges, TwoVersions } from './content-changes.tsx';

const route = getRouteApi('/prompts/$promptId/compare');

/** What differs between two versions of a prompt. The address says which. */
export const CompareScreen = () => {
  const { promptId } = route.useParams();
  const details = useQuery(promptQuery(promptId));
  const versions = useQuery(versionsQuery(promptId));
  return (
    <QueryBoundary query={details} {...beforePrompt(promptId)}>
      {({ prompt }) => (
        <Screen above={<PromptLink {...prompt} />}>
          <QueryBoundary query={versions}>
            {(list) => <Comparison promptId={promptId} versions={list} />}
          </QueryBoundary>
        </Screen>
      )}
    </QueryBoundary>
  );
};

const Comparison = ({ promptId, versions }: { promptId: string; versions: readonly VersionRow[] }) => {
  const can = useCan();
  const search = route.useSearch();
  const set = useFilter();
  const numbers = versions.map(({ version }) => version);
  const data = versions.map(({ version, labels, publishedAt }, at) => {
    const names = joined([at === 0 && 'latest', ...labels], ', ');
    return { value: version, label: joined([version, names, dateOf(publishedAt)], ' · ') };
  });
  const field = { data, size: 'xs', w: '22rem', maw: '100%', searchable: true } as const;
  const { to = numbers[0] ?? '' } = search;
  // The version below, or above the lowest.
  const index = numbers.indexOf(to);
  const { from = numbers[index + 1] ?? numbers[index - 1] ?? '' } = search;
  const breaking = breakingOf(useEffects({ changes: [{ promptId, version: from, to }] }, numbers.length > 1));
  if (numbers.length < 2) {
    return (
      <Notice title="Nothing to compare yet">
        <Text>Publish a second version first.</Text>
      </Notice>
    );
  }
  return (
    <Stack>
      <Group align="flex-end" gap="sm">
        <Select label="From" value={from} {...field} onChange={(next) => set({ from: next, to })} />
        <Select label="To" value={to} {...field} onChange={(next) => set({ from, to: next })} />
      </Group>
      <TwoVersions promptId={promptId} numbers={[from, to]}>
        {(older, newer) => (
          <>
            <BreakingWarning version={from} breaking={breaking} part="major" />
            <Group justify="space-between">
              <Text>
                {to}, published <When at={newer.publishedAt} short /> by {newer.publishedBy}
                {newer.note && `: ${visible(newer.note)}`}
              </Text>
              {can('editor') && (
                <RowButton onClick={() => openLabelForm({ promptId, version: to })}>
                  Move a label to {to}
                </RowButton>
              )}
            </Group>
            <ContentChanges
              before={authored(older)}
              after={authored(newer)}
              expanded={[served(older), served(newer)]}
            />
          </>
        )}
      </TwoVersions>
    </Stack>
  );
};
