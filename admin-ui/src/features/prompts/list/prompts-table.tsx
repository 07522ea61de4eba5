import { Button, Group, Text } from '@mantine/core';
import { LIMITS } from '../../../../../contract/limits.ts';
import { useRole } from '../../../api/session-context.tsx';
import { formByNeed } from '../../../components/by-need.tsx';
import { counted } from '../../../components/count.ts';
import { openDialog } from '../../../components/dialogs/dialog.tsx';
import { ButtonLink } from '../../../components/link.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { useSorting } from '../../../components/tables/filters.tsx';
import type { PagedList } from '../../../components/tables/list-body.tsx';
import { useSelection } from '../../../components/tables/use-selection.tsx';
import type { PromptRow } from '../prompt-queries.ts';
import { promptColumns } from './prompts-columns.tsx';

const TagsOfPrompts = formByNeed('prompt-tags', () => import('./tags-of-prompts.tsx'));

const OF_PROMPTS = {
  idOf: ({ promptId }: PromptRow) => promptId,
  nameOf: ({ name }: PromptRow) => name,
  what: 'prompts',
};

interface PromptsTableProps {
  readonly rows: readonly PromptRow[];
  readonly tags: readonly string[];
  readonly folder: string | undefined;
  /** The list, if its next page is read near the end of the table. */
  readonly list: PagedList | undefined;
}

export const PromptsTable = ({ rows, tags, folder, list }: PromptsTableProps) => {
  const { can } = useRole();
  const { chosen, column, select } = useSelection(rows, OF_PROMPTS);
  const most = Math.max(0, ...rows.flatMap(({ fetches }) => fetches.byDay));
  return (
    <>
      {chosen.length > 0 && <SelectionBar prompts={chosen} known={tags} select={select} />}
      <DataTable
        label="Prompts"
        columns={[...(can('editor') ? [column] : []), ...promptColumns(folder, most)]}
        rows={rows}
        rowKey={OF_PROMPTS.idOf}
        {...useSorting({ by: 'name', order: 'asc' })}
        {...(list && { list })}
      />
    </>
  );
};

interface SelectionBarProps {
  readonly prompts: readonly PromptRow[];
  readonly known: readonly string[];
  readonly select: (promptIds: readonly string[]) => void;
}

const openTags = (change: 'add' | 'remove', { prompts, known, select }: SelectionBarProps): void =>
  openDialog({
    title: `${change === 'add' ? 'Add tags to' : 'Remove tags from'} ${counted(prompts.length, 'prompt')}`,
    content: <TagsOfPrompts {...{ prompts, known, change }} onDone={() => select([])} onFailed={select} />,
  });

/** What can be done with several prompts at once. */
const SelectionBar = (props: SelectionBarProps) => (
  <Group gap="xs" mb="sm" role="group" aria-label="Selected prompts">
    <Text fw={600} role="status">
      {counted(props.prompts.length, 'prompt')} selected
    </Text>
    {props.prompts.length > LIMITS.labelMoves ? (
      <Text c="dimmed">Labels of at most {LIMITS.labelMoves} move at once.</Text>
    ) : (
      <ButtonLink
        to="/prompts/labels"
        search={{ prompts: props.prompts.map(OF_PROMPTS.idOf) }}
        variant="default"
      >
        Move labels
      </ButtonLink>
    )}
    <Button variant="default" onClick={() => openTags('add', props)}>
      Add tags
    </Button>
    <Button
      variant="default"
      onClick={() => openTags('remove', props)}
      disabled={props.prompts.every(({ tags }) => tags.length === 0)}
    >
      Remove tags
    </Button>
    <Button variant="subtle" onClick={() => props.select([])}>
      Clear the selection
    </Button>
  </Group>
);
