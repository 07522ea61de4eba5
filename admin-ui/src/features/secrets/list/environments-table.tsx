import { Button, Group, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { coversEnvironment, DEFAULT_ENVIRONMENT } from '../../../../../contract/fields/patterns.ts';
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
import { readersQuery, type SecretRow } from '../secret-queries.ts';

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

/** Of environments, those that have secrets or API keys; `default` only if it is in use. */
const useShown = (secrets: readonly SecretRow[]): string[] => {
  const { data: keys = [] } = useQuery(readersQuery);
  const isRead = keys.some((key) => coversEnvironment(key.environments, DEFAULT_ENVIRONMENT));
  const isUsed = isRead || secrets.some(({ environment }) => environment === DEFAULT_ENVIRONMENT);
  return useEnvironments()
    .filter(({ name, secrets: count }) => name !== DEFAULT_ENVIRONMENT || count !== 0 || isUsed)
    .map(({ name }) => name);
};

/** The keys by environments: what is missing where, how old the values are and who reads them, never a value. */
export const EnvironmentsTable = ({ secrets, list }: EnvironmentsTableProps) => {
  const names = useShown(secrets);
  const isWide = names.length <= MOST_COLUMNS;
  const columns: Column<KeyRow>[] = [
    {
      title: 'Key',
      minWidth: '11rem',
      cell: ({ key }) => (
        <Group gap={6} wrap="nowrap">
          <span className="cv-mono cv-break" style={{ fontWeight: 600 }}>
            <Breakable text={key} />
          </span>
          <NameMark name={key} />
        </Group>
      ),
    },
    ...names.map(
      (name, index): Column<KeyRow> => ({
        title: name,
        head: <EnvironmentMark name={name} />,
        below: name,
        visibleFrom: isWide ? 'sm' : 'never',
        cell: (row) => <Cell environment={name} row={row} near={[names[index - 1], names[index + 1]]} />,
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

interface CellProps {
  readonly environment: string;
  readonly row: KeyRow;
  /** The environments before and after it. */
  readonly near: readonly (string | undefined)[];
}

const Cell = ({ environment, row: { key, secrets }, near }: CellProps) => {
  const { can } = useRole();
  const secret = secrets.find((each) => each.environment === environment);
  if (secret !== undefined) {
    const { number, changedAt, readers } = secret;
    return (
      <TextLink
        {...secretPage(secret)}
        size="sm"
        title={readers === 0 ? 'not read in 30 days' : `read by ${counted(readers, 'API key')}`}
      >
        v{number} <When at={changedAt} short />
        <VisuallyHidden>
          : {key} in {environment}
        </VisuallyHidden>
      </TextLink>
    );
  }
  // Where a neighbor's is in use, this one is probably forgotten.
  const isForgotten = secrets.some((each) => near.includes(each.environment) && each.readers > 0);
  if (!can('editor')) return isForgotten && <Small c="amber">missing</Small>;
  return (
    <Button
      size="compact-xs"
      variant={isForgotten ? 'light' : 'subtle'}
      color={isForgotten ? 'amber' : 'gray'}
      aria-label={`Missing: add ${key} to ${environment}`}
      onClick={() => openNewSecret({ environment, secretKey: key, startTags: secrets[0]?.tags ?? [] })}
    >
      <IconPlus size={12} /> {isForgotten && 'missing'}
    </Button>
  );
};
