import { Checkbox, Group, MultiSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Breakable } from '../../../components/breakable.tsx';
import { counted } from '../../../components/count.ts';
import { Screen } from '../../../components/layout/screen.tsx';
import { TextLink } from '../../../components/link.tsx';
import { Notice, QueryBoundary } from '../../../components/states.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import { useFilter } from '../../../components/tables/filters.tsx';
import { allSecretsQuery, type SecretRow } from '../secret-queries.ts';
import { type EnvironmentRow, sideBySide, usualEnvironments } from './environments.ts';

const route = getRouteApi('/secrets/environments');

/** The secrets of environments side by side, and what is missing where. An environment is a tag. */
export const EnvironmentsScreen = () => {
  const secrets = useQuery(allSecretsQuery);
  return (
    <Screen
      title="Environments"
      above={<TextLink to="/secrets">Secrets</TextLink>}
      subtitle="Secrets by tag, side by side. Keys are compared without the words that name an environment: PROD_API_TOKEN and API_TOKEN_STAGING are the same."
    >
      <QueryBoundary query={secrets}>{(found) => <SideBySide secrets={found} />}</QueryBoundary>
    </Screen>
  );
};

const SideBySide = ({ secrets }: { secrets: readonly SecretRow[] }) => {
  const { tags, missing } = route.useSearch();
  const navigate = route.useNavigate();
  const set = useFilter();
  const known = useMemo(() => [...new Set(secrets.flatMap((secret) => secret.tags))].sort(), [secrets]);
  const chosen = useMemo(() => tags ?? usualEnvironments(known), [tags, known]);
  const rows = useMemo(() => sideBySide(secrets, chosen), [secrets, chosen]);
  const columns = useMemo(() => columnsOf(chosen), [chosen]);
  const incomplete = rows.filter(({ isComplete }) => !isComplete);
  const shown = missing === 'yes' ? incomplete : rows;
  return (
    <>
      <Group gap="lg" mb="sm" align="flex-end">
        <MultiSelect
          size="xs"
          label="Environments"
          placeholder={chosen.length === 0 ? 'Choose tags' : ''}
          data={known}
          value={[...chosen]}
          onChange={(next) =>
            void navigate({ replace: true, search: (search) => ({ ...search, tags: next }) })
          }
          maxValues={6}
          searchable
          style={{ flex: '1 1 16rem', maxWidth: '32rem' }}
        />
        <Checkbox
          size="xs"
          pb={7}
          label="Only what is missing somewhere"
          checked={missing === 'yes'}
          onChange={(event) => set({ missing: event.currentTarget.checked ? 'yes' : null })}
        />
      </Group>
      {chosen.length < 2 ? (
        <Notice title="Choose at least two tags">
          <Text size="md">Each of them becomes a column, such as prod and staging.</Text>
        </Notice>
      ) : (
        <>
          <Text c="dimmed" mb="xs" role="status">
            {counted(rows.length, 'secret')}, {incomplete.length} missing somewhere
          </Text>
          {shown.length > 0 && (
            <DataTable
              label="Secrets by environment"
              columns={columns}
              rows={shown}
              rowKey={({ name }) => name}
            />
          )}
        </>
      )}
    </>
  );
};

const columnsOf = (environments: readonly string[]): readonly Column<EnvironmentRow>[] => [
  {
    title: 'Secret',
    minWidth: '5.5rem',
    cell: ({ name }) => (
      <span className="cv-mono cv-break">
        <Breakable text={name} />
      </span>
    ),
  },
  ...environments.map((environment, index) => ({
    title: `of ${environment}`,
    head: environment,
    cell: ({ cells }: EnvironmentRow) => <Cell secrets={cells[index] ?? []} />,
  })),
];

const Cell = ({ secrets }: { secrets: EnvironmentRow['cells'][number] }) =>
  secrets.length === 0 ? (
    <Text c="amber" fw={600}>
      missing
    </Text>
  ) : (
    secrets.map(({ secretId, key }) => (
      <div key={secretId}>
        <TextLink to="/secrets/$secretId" params={{ secretId }} size="sm" className="cv-mono cv-break">
          <Breakable text={key} />
        </TextLink>
      </div>
    ))
  );
