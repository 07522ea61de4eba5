import { Button, Group, VisuallyHidden } from '@mantine/core';
import { useRole } from '../../../api/session-context.tsx';
import { Breakable } from '../../../components/breakable.tsx';
import { counted } from '../../../components/count.ts';
import { EnvironmentMark, secretPage, useEnvironments } from '../../../components/environments.tsx';
import { IconPlus } from '../../../components/icons.tsx';
import { TextLink } from '../../../components/link.tsx';
import { Small } from '../../../components/small.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import type { PagedList } from '../../../components/tables/list-body.tsx';
import { When } from '../../../components/when.tsx';
import { openNewSecret } from '../dialogs.tsx';
import { NameMark } from '../name-warning.tsx';
import type { SecretRow } from '../secret-queries.ts';
import { notRead } from './secrets-columns.tsx';

/** A key with its secrets, by environment. */
interface KeyRow {
  readonly key: string;
  readonly secrets: readonly SecretRow[];
}

/** More environments than these are listed in one column, as on narrow screens. */
const MOST_COLUMNS = 5;

const rowsOf = (secrets: readonly SecretRow[], isLast: boolean): KeyRow[] => {
  const rows = [...Map.groupBy(secrets, ({ key }) => key)].map(([key, own]) => ({ key, secrets: own }));
  // The secrets of the last key may continue on the next page.
  return isLast ? rows : rows.slice(0, -1);
};

interface EnvironmentsTableProps {
  /** Sorted by key: the first pages of a list. */
  readonly secrets: readonly SecretRow[];
  readonly list: PagedList;
}

/** The keys by environments: what is missing where, how old the values are and who reads them, never a value. */
export const EnvironmentsTable = ({ secrets, list }: EnvironmentsTableProps) => {
  const names = useEnvironments().map(({ name }) => name);
  const isWide = names.length <= MOST_COLUMNS;
  const columns: Column<KeyRow>[] = [
    {
      title: 'Key',
      minWidth: '11rem',
      cell: (row) => (
        <>
          <Group gap={6} wrap="nowrap">
            <span className="cv-mono cv-break" style={{ fontWeight: 600 }}>
              <Breakable text={row.key} />
            </span>
            <NameMark name={row.key} />
          </Group>
          {names.map((name) => (
            <Group key={name} gap={6} mt={4} {...(isWide && { hiddenFrom: 'sm' })}>
              <EnvironmentMark name={name} />
              <Cell environment={name} row={row} />
            </Group>
          ))}
        </>
      ),
    },
    ...(isWide ? names : []).map(
      (name): Column<KeyRow> => ({
        title: name,
        head: <EnvironmentMark name={name} />,
        visibleFrom: 'sm',
        cell: (row) => <Cell environment={name} row={row} />,
      }),
    ),
  ];
  return (
    <DataTable
      label="Secrets by environment"
      columns={columns}
      rows={rowsOf(secrets, !list.hasNextPage)}
      rowKey={({ key }) => key}
      list={list}
    />
  );
};

const Cell = ({ environment, row: { key, secrets } }: { environment: string; row: KeyRow }) => {
  const { can } = useRole();
  const secret = secrets.find((each) => each.environment === environment);
  if (secret !== undefined) {
    const { number, changedAt, createdAt, readers } = secret;
    return (
      <span>
        <TextLink {...secretPage(secret)} size="sm">
          {number === 1 ? 'set' : `v${number}, rotated`} <When at={changedAt} short />
          <VisuallyHidden>
            : {key} in {environment}
          </VisuallyHidden>
        </TextLink>
        <Small span display="block">
          {readers === 0 ? notRead(createdAt) : `read by ${counted(readers, 'API key')}`}
        </Small>
      </span>
    );
  }
  if (!can('editor')) return <Small c="amber">missing</Small>;
  return (
    <Button
      size="compact-xs"
      variant="light"
      color="amber"
      leftSection={<IconPlus size={12} />}
      aria-label={`Missing: add ${key} to ${environment}`}
      onClick={() => openNewSecret({ environment, secretKey: key, startTags: secrets[0]?.tags ?? [] })}
    >
      missing
    </Button>
  );
};
