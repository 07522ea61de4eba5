import { Button, Group, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { LIMITS } from '../../../../../contract/limits.ts';
import { useRole } from '../../../api/session-context.tsx';
import { counted } from '../../../components/count.ts';
import { ButtonLink } from '../../../components/link.tsx';
import { DataTable, type Sort } from '../../../components/tables/data-table.tsx';
import { useSelection } from '../../../components/tables/use-selection.tsx';
import type { PromptRow } from '../prompt-queries.ts';
import { promptColumns } from './prompts-columns.tsx';

const route = getRouteApi('/prompts');

const OF_PROMPTS = {
  idOf: ({ promptId }: PromptRow) => promptId,
  nameOf: ({ name }: PromptRow) => name,
  what: 'prompts',
};

interface PromptsTableProps {
  readonly rows: readonly PromptRow[];
  readonly folder: string | undefined;
  readonly onEnd: (() => void) | undefined;
}

/** The list of prompts, in which editors can select several. */
export const PromptsTable = ({ rows, folder, onEnd }: PromptsTableProps) => {
  const { sort = 'name', order = 'asc' } = route.useSearch();
  const navigate = route.useNavigate();
  const { can } = useRole();
  const { chosen, column, select } = useSelection(rows, OF_PROMPTS);
  const most = Math.max(0, ...rows.flatMap(({ fetches }) => fetches.byDay));
  const onSort = (next: Sort) =>
    void navigate({ search: (search) => ({ ...search, sort: next.by as typeof sort, order: next.order }) });
  return (
    <>
      {chosen.length > 0 && <SelectionBar prompts={chosen} clear={() => select([])} />}
      <DataTable
        label="Prompts"
        columns={[...(can('editor') ? [column] : []), ...promptColumns(folder, most)]}
        rows={rows}
        rowKey={OF_PROMPTS.idOf}
        sort={{ by: sort, order }}
        onSort={onSort}
        onEnd={onEnd}
      />
    </>
  );
};

/** What can be done with several prompts at once. */
const SelectionBar = ({ prompts, clear }: { prompts: readonly PromptRow[]; clear: () => void }) => (
  <Group gap="xs" mb="sm" role="group" aria-label="Selected prompts">
    <Text size="sm" fw={600} role="status">
      {counted(prompts.length, 'prompt')} selected
    </Text>
    {prompts.length > LIMITS.labelMoves ? (
      <Text size="sm" c="dimmed">
        Labels of at most {LIMITS.labelMoves} move at once.
      </Text>
    ) : (
      <ButtonLink
        to="/prompts/labels"
        search={{ prompts: prompts.map(OF_PROMPTS.idOf) }}
        size="xs"
        variant="default"
      >
        Move labels
      </ButtonLink>
    )}
    <Button size="xs" variant="subtle" onClick={clear}>
      Clear the selection
    </Button>
  </Group>
);
