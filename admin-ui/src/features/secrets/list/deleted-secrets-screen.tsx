import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LIMITS } from '../../../../../contract/limits.ts';
import { DeletedList, deletedColumn, restorableColumn } from '../../../components/deleted/deleted-list.tsx';
import { RestoreButton } from '../../../components/deleted/restore-button.tsx';
import { Screen } from '../../../components/layout/screen.tsx';
import { TextLink } from '../../../components/link.tsx';
import type { Column } from '../../../components/tables/data-table.tsx';
import { pagesOf } from '../../../components/tables/list-body.tsx';
import { restoreSecret } from '../secret-changes.ts';
import { type DeletedSecret, deletedSecretsQuery } from '../secret-queries.ts';

/** The deleted secrets that can still be restored. */
export const DeletedSecretsScreen = () => {
  const list = useInfiniteQuery(deletedSecretsQuery);
  return (
    <Screen
      title="Deleted secrets"
      above={<TextLink to="/secrets">Secrets</TextLink>}
      subtitle={`A deleted secret can be restored for ${LIMITS.restoreDays} days.`}
    >
      <DeletedList
        kind="secret"
        list={list}
        rows={pagesOf(list).flatMap(({ secrets }) => secrets)}
        rowKey={({ secretId }) => secretId}
        columns={COLUMNS}
      />
    </Screen>
  );
};

const Restore = ({ secret: { secretId, key } }: { secret: DeletedSecret }) => {
  const navigate = useNavigate();
  return (
    <RestoreButton
      name={key}
      restore={(confirmed) => restoreSecret(secretId, confirmed)}
      show={() => navigate({ to: '/secrets/$secretId', params: { secretId } })}
    />
  );
};

const COLUMNS: readonly Column<DeletedSecret>[] = [
  { key: 'key', title: 'Key', cell: ({ key }) => <span className="cv-mono cv-break">{key}</span> },
  deletedColumn,
  restorableColumn,
  { key: 'actions', title: 'Actions', width: '6rem', cell: (secret) => <Restore secret={secret} /> },
];
