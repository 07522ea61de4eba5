import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { DeletedScreen } from '../../../components/deleted/deleted-screen.tsx';
import { promptPage, TextLink } from '../../../components/link.tsx';
import type { Column } from '../../../components/tables/data-table.tsx';
import { pagesOf } from '../../../components/tables/data-table.tsx';
import { type DeletedPrompt, deletedPromptsQuery, restorePrompt } from '../prompt-queries.ts';

export const DeletedPromptsScreen = () => {
  const list = useInfiniteQuery(deletedPromptsQuery);
  const navigate = useNavigate();
  return (
    <DeletedScreen
      kind="prompt"
      above={<TextLink to="/prompts">Prompts</TextLink>}
      list={list}
      rows={pagesOf(list).flatMap(({ prompts }) => prompts)}
      rowKey={({ promptId, deletedAt }) => promptId + deletedAt}
      columns={COLUMNS}
      restoring={({ promptId, name }) => ({
        name,
        restore: () => restorePrompt(promptId),
        show: () => navigate(promptPage(promptId)),
      })}
    />
  );
};

const COLUMNS: readonly Column<DeletedPrompt>[] = [
  { title: 'Name', cell: ({ name }) => <span className="cv-break">{name}</span> },
  { title: 'Versions', width: '6rem', visibleFrom: 'sm', cell: ({ versions }) => versions },
];
