import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LIMITS } from '../../../../../contract/limits.ts';
import { DeletedList, deletedColumn, restorableColumn } from '../../../components/deleted/deleted-list.tsx';
import { RestoreButton } from '../../../components/deleted/restore-button.tsx';
import { Screen } from '../../../components/layout/screen.tsx';
import { TextLink } from '../../../components/link.tsx';
import type { Column } from '../../../components/tables/data-table.tsx';
import { pagesOf } from '../../../components/tables/list-body.tsx';
import { restorePrompt } from '../prompt-changes.ts';
import { type DeletedPrompt, deletedPromptsQuery } from '../prompt-queries.ts';

/** The deleted prompts that can still be restored. */
export const DeletedPromptsScreen = () => {
  const list = useInfiniteQuery(deletedPromptsQuery);
  return (
    <Screen
      title="Deleted prompts"
      above={<TextLink to="/prompts">Prompts</TextLink>}
      subtitle={`A deleted prompt can be restored for ${LIMITS.restoreDays} days.`}
    >
      <DeletedList
        kind="prompt"
        list={list}
        rows={pagesOf(list).flatMap(({ prompts }) => prompts)}
        rowKey={({ promptId, deletedAt }) => promptId + deletedAt}
        columns={COLUMNS}
      />
    </Screen>
  );
};

const Restore = ({ prompt: { promptId, name } }: { prompt: DeletedPrompt }) => {
  const navigate = useNavigate();
  return (
    <RestoreButton
      name={name}
      restore={() => restorePrompt(promptId)}
      show={() => navigate({ to: '/prompts/$promptId', params: { promptId } })}
    />
  );
};

const COLUMNS: readonly Column<DeletedPrompt>[] = [
  { key: 'name', title: 'Name', cell: ({ name }) => <span className="cv-break">{name}</span> },
  { key: 'versions', title: 'Versions', width: '6rem', visibleFrom: 'sm', cell: ({ versions }) => versions },
  deletedColumn,
  restorableColumn,
  { key: 'actions', title: 'Actions', width: '6rem', cell: (prompt) => <Restore prompt={prompt} /> },
];
