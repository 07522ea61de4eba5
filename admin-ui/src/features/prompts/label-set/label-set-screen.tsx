import { Group, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { LIMITS } from '../../../../../contract/limits.ts';
import { counted } from '../../../components/count.ts';
import { Screen } from '../../../components/layout/screen.tsx';
import { TextLink } from '../../../components/link.tsx';
import { QueryBoundary, screenFor } from '../../../components/states.tsx';
import { Choice } from '../../../components/tables/filters.tsx';
import { pagesOf } from '../../../components/tables/list-body.tsx';
import { LATEST, PRODUCTION, suggestedFor } from '../labels/label-names.ts';
import { promptListQuery } from '../prompt-queries.ts';
import { Moves } from './label-set-preview.tsx';
import { candidatesQuery, type SetQuery } from './label-set-queries.ts';

const route = getRouteApi('/prompts/labels');

const LabelSet = () => {
  const { folder, prompts, source = LATEST, target = PRODUCTION } = route.useSearch();
  const query = { folder, prompts, source, target };
  return (
    <Screen
      title="Move labels of many prompts"
      above={<TextLink to="/prompts">Prompts</TextLink>}
      subtitle={`Up to ${LIMITS.labelMoves} labels move in one step: all of them, or none.`}
    >
      <RuleFields {...query} />
      <QueryBoundary query={useQuery(candidatesQuery(query))}>
        {(found) => <Moves key={JSON.stringify(query)} query={query} prompts={found} />}
      </QueryBoundary>
    </Screen>
  );
};

export const LabelSetScreen = screenFor('editor', 'move labels', LabelSet);

/** A folder with the folders around it, outermost first. */
const trailOf = (folder: string): string[] => {
  const parts = folder.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
};

const RuleFields = ({ folder, prompts, source, target }: SetQuery) => {
  const list = useInfiniteQuery(promptListQuery({ view: 'folders', ...(folder && { folder }) }));
  const [{ folders = [], labels = [] } = {}] = pagesOf(list);
  const within = [...(folder ? trailOf(folder) : []), ...folders.map((each) => each.folder)];
  return (
    <Group gap="sm" mb="md" align="flex-end">
      {prompts ? (
        <Text pb={6}>
          {counted(prompts.length, 'selected prompt')},{' '}
          <TextLink
            from="/prompts/labels"
            to="."
            search={({ prompts: _, ...search }) => search}
            size="sm"
            underline="always"
            replace
          >
            choose a folder instead
          </TextLink>
        </Text>
      ) : (
        <Choice
          name="folder"
          label="Folder"
          placeholder="All prompts"
          labelAbove
          width={220}
          options={within}
        />
      )}
      <Choice
        name="target"
        label="Label to move"
        labelAbove
        clearable={false}
        width={170}
        options={suggestedFor(labels).filter((label) => label !== source)}
        value={target}
      />
      <Choice
        name="source"
        label="To the version of"
        labelAbove
        clearable={false}
        width={190}
        options={[
          { value: LATEST, label: 'no label: the latest' },
          ...labels.filter((each) => each !== target),
        ]}
        value={source}
      />
    </Group>
  );
};
