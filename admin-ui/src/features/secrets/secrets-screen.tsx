import { Button, Group, Text, useMatches } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, type UseNavigateResult, useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { coversEnvironment, DEFAULT_ENVIRONMENT } from '../../../../contract/fields/patterns.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { useCan } from '../../api/session-context.tsx';
import {
  ButtonLink,
  DayText,
  dateOf,
  isNew,
  Muted,
  Small,
  Tags,
  TextLink,
  When,
} from '../../components/basics.tsx';
import { confirmByName } from '../../components/confirm-by-name.tsx';
import {
  EnvironmentMark,
  inAddress,
  StoppedMark,
  secretPage,
  useEnvironments,
} from '../../components/environments.tsx';
import { counted, daysSince, listed, relative } from '../../components/locale.ts';
import { Breakable, NEW_CONTROL } from '../../components/screen.tsx';
import { ForRole, Notice } from '../../components/states.tsx';
import {
  type Column,
  DataTable,
  ListScreen,
  type PagedList,
  pagesOf,
} from '../../components/tables/data-table.tsx';
import { Choice, optionsOf } from '../../components/tables/filters.tsx';
import { openNewSecret, openTags } from './dialogs.tsx';
import { NameMark } from './name-warning.tsx';
import { dayIn, isOverdue, ROTATION_NEAR_DAYS } from './rotation.ts';
import {
  deleteSecrets,
  readersQuery,
  type SecretFilter,
  type SecretRow,
  secretListQuery,
} from './secret-queries.ts';
import classes from './secrets.module.css';

/** The columns of the list of secrets; one of a single environment does not name it in each row. */
const secretColumns = (isOfOne: boolean): readonly Column<SecretRow>[] => [
  {
    title: 'Key',
    sortBy: 'key',
    minWidth: '11rem',
    cell: ({ environment, secretId, key, rotateBy }) => (
      <Group gap={6}>
        <TextLink {...secretPage({ environment, secretId, key })} fw={600} className="cv-mono cv-break">
          <Breakable text={key} />
        </TextLink>
        <NameMark name={key} />
        {!isOfOne && <EnvironmentMark name={environment} />}
        <Due rotateBy={rotateBy} />
      </Group>
    ),
  },
  {
    title: 'Tags',
    minWidth: '6.5rem',
    visibleFrom: 'sm',
    cell: ({ tags }) => <Tags tags={tags} shown={3} />,
  },
  {
    title: 'Value',
    width: '5rem',
    visibleFrom: 'md',
    cell: ({ number }) => <span title="Number of the current value">v{number}</span>,
  },
  {
    title: 'Last read',
    width: '15rem',
    visibleFrom: 'xs',
    below: 'read',
    sortBy: 'read',
    firstOrder: 'desc',
    cell: (row) => <LastRead {...row} />,
  },
  {
    title: 'Changed',
    width: '8rem',
    sortBy: 'changed',
    firstOrder: 'desc',
    visibleFrom: 'md',
    cell: ({ changedAt, changedBy }) => (
      <span title={`by ${changedBy}`}>
        <When at={changedAt} short />
      </span>
    ),
  },
];

/** The day of the next rotation, if it is near or has passed. */
const Due = ({ rotateBy }: Pick<SecretRow, 'rotateBy'>) => {
  if (rotateBy === undefined || rotateBy > dayIn(ROTATION_NEAR_DAYS)) return null;
  const isLate = isOverdue(rotateBy, new Date());
  return (
    <Text span size="xs" c={isLate ? 'amber' : 'dimmed'}>
      {isLate ? 'rotation overdue since' : 'rotate by'} <DayText day={rotateBy} />
    </Text>
  );
};

/** When a secret was last released, and to which API key. */
export const LastRead = ({ lastRead, createdAt }: Pick<SecretRow, 'lastRead' | 'createdAt'>) =>
  lastRead === null ? (
    <Muted span inherit>
      {isNew(createdAt) ? 'not yet' : 'not in 30 days'}
    </Muted>
  ) : (
    <span title={`by ${lastRead.apiKeyName}`}>
      <When at={lastRead.at} short /> by {lastRead.apiKeyName}
    </span>
  );

interface SecretActsProps {
  secrets: readonly SecretRow[];
  onSelect: (secretIds: readonly string[]) => void;
}

/** What can be done with several secrets at once. */
const SecretActs = ({ secrets, onSelect }: SecretActsProps) => {
  const open = (change: 'add' | 'remove') => openTags({ secrets, change, onFailed: onSelect });
  return (
    <>
      <Button variant="default" onClick={() => open('add')}>
        Add tags
      </Button>
      <Button
        variant="default"
        onClick={() => open('remove')}
        disabled={secrets.every(({ tags }) => tags.length === 0)}
      >
        Remove tags
      </Button>
      <Button variant="default" color="brick" onClick={() => confirmDeletion(secrets)}>
        Delete
      </Button>
    </>
  );
};

const keysOf = (secrets: readonly SecretRow[]): string => listed(secrets.map(({ key }) => key));

/** Asks before several secrets are deleted, and says which of them were read recently. */
const confirmDeletion = (secrets: readonly SecretRow[]): void => {
  const what = counted(secrets.length, 'secret');
  const inUse = secrets.filter(({ lastRead }) => lastRead && daysSince(lastRead.at) <= LIMITS.inUseDays);
  confirmByName({
    title: `Delete ${what}`,
    name: `delete ${what}`,
    verb: 'Delete',
    action: () => deleteSecrets(secrets),
    done: `${what} deleted. Deleted secrets can be restored for ${LIMITS.restoreDays} days.`,
    text: (
      <>
        <Text mb="xs">
          Applications no longer receive {keysOf(secrets)}. Secrets are deleted one after the other.
        </Text>
        <Text c={inUse.length > 0 ? 'amber' : 'dimmed'}>
          {inUse.length > 0 ? 'Read' : 'Not read'} in the last {LIMITS.inUseDays} days
          {inUse.length > 0 && `: ${keysOf(inUse)}`}.
        </Text>
      </>
    ),
  });
};

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
  secrets: readonly SecretRow[];
  /** The environments in their order. */
  names: readonly string[];
  list: PagedList;
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
const EnvironmentsTable = ({ secrets, names, list }: EnvironmentsTableProps) => {
  const isWide = names.length <= MOST_COLUMNS;
  const isNarrow = useMatches({ base: true, sm: !isWide }, { getInitialValueInEffect: false });
  const canAdd = useCan()('editor');
  const navigate = useNavigate();
  const cellOf = (environment: string, { key, secrets: own }: KeyRow) => {
    const secret = own.find((each) => each.environment === environment);
    if (secret !== undefined) return <SecretCell secret={secret} navigate={navigate} />;
    const isForgotten = own.some(({ forgottenIn }) => forgottenIn.includes(environment));
    if (!canAdd) return isForgotten && <Small c="amber">missing</Small>;
    return (
      (isForgotten || !isNarrow) && (
        <button
          type="button"
          className={classes.add}
          data-forgotten={isForgotten}
          aria-label={`Missing: add ${key} to ${environment}`}
          onClick={() => openNewSecret({ environment, secretKey: key, startTags: own[0]?.tags ?? [] })}
        >
          {isForgotten ? '+ missing' : '+'}
        </button>
      )
    );
  };
  const columns: Column<KeyRow>[] = [
    {
      title: 'Key',
      minWidth: '11rem',
      cell: ({ key }) => (
        <>
          <strong className="cv-mono cv-break">
            <Breakable text={key} />
          </strong>{' '}
          <NameMark name={key} />
        </>
      ),
    },
    ...names.map(
      (name): Column<KeyRow> => ({
        title: name,
        head: <EnvironmentMark name={name} />,
        width: `${70 / names.length}%`,
        below: <span className={classes.name}>{name}</span>,
        visibleFrom: isWide ? 'sm' : 'never',
        cell: (row) => cellOf(name, row),
      }),
    ),
  ];
  return (
    <DataTable
      label="Secrets by environment"
      columns={columns}
      rows={rowsOf(secrets, !list.hasNextPage)}
      rowKey="key"
      list={list}
    />
  );
};

interface SecretCellProps {
  secret: SecretRow;
  navigate: UseNavigateResult<string>;
}

/** A link without the router's own, which would cost more than all the rest of a table with hundreds of them. */
const SecretCell = ({ secret, navigate }: SecretCellProps) => {
  const { environment, secretId, key, number, changedAt, changedBy, readers } = secret;
  const age = relative(new Date(changedAt), new Date());
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate(secretPage(secret));
  };
  return (
    <a
      href={`/secrets/${secretId}?${new URLSearchParams(inAddress(environment))}`}
      className={classes.cell}
      aria-label={`v${number} ${age}: ${key} in ${environment}`}
      title={`Changed ${dateOf(changedAt)} by ${changedBy}, ${readers === 0 ? 'not read in 30 days' : `read by ${counted(readers, 'API key')}`}`}
      onClick={follow}
    >
      v{number} <span>{age}</span>
    </a>
  );
};

const route = getRouteApi('/secrets');

/** The days of rotations, from today. */
const DUE = { overdue: -1, soon: ROTATION_NEAR_DAYS, unfinished: undefined };

/** What is asked for, and whether it is shown by key and environment: what is about single secrets is listed as such. */
const useFilter = (): { readonly filter: SecretFilter; readonly isByKey: boolean } => {
  const { read, rotate, environment = '*', ...search } = route.useSearch();
  const isOfKeys = environment === '*' && !read && !rotate;
  const sort = search.sort ?? (isOfKeys ? 'gaps' : 'key');
  const isWhole = !search.q && !search.tag;
  const isByKey = isOfKeys && (sort === 'gaps' || (sort === 'key' && isWhole));
  const filter = {
    ...search,
    sort,
    environment,
    read: read && read === 'yes',
    unfinished: rotate === 'unfinished' || undefined,
    rotateBy: rotate && DUE[rotate] && dayIn(DUE[rotate]),
  };
  return { filter, isByKey: useEnvironments().length > 1 && isByKey };
};

/** All secrets without their values: search, filters, sort order. */
export const SecretsScreen = () => {
  const can = useCan();
  const { filter, isByKey } = useFilter();
  const environments = useEnvironments();
  const list = useInfiniteQuery(secretListQuery(filter));
  const pages = pagesOf(list);
  const [first] = pages;
  const rows = pages.flatMap(({ secrets }) => secrets);
  // Here, so that its API keys are read beside the list.
  const names = useShown(rows);
  return (
    <ListScreen
      one="secret"
      list={list}
      total={first?.total}
      isEmpty={rows.length === 0}
      beside={<StoppedMark />}
      actions={<Actions />}
      search="Search keys and tags"
      more={
        environments.length > 1 && (
          <Choice
            name="sort"
            label="Sort"
            options={optionsOf({
              gaps: 'Gaps first',
              key: 'By name',
              read: 'Last read',
              changed: 'Last changed',
            })}
            value={String(filter.sort)}
            clearable={false}
            width={130}
          />
        )
      }
      filters={[
        ...(environments.length > 1
          ? [
              {
                name: 'environment',
                label: 'Environment',
                options: environments.map(({ name }) => name),
                placeholder: 'All environments',
                width: 170,
              } as const,
            ]
          : []),
        { name: 'tag', label: 'Tag', options: first?.tags ?? [] },
        {
          name: 'read',
          label: 'Use',
          options: optionsOf({ yes: 'Read in 30 days', no: 'Not read in 30 days' }),
          width: 170,
        },
        {
          name: 'rotate',
          label: 'Rotation',
          options: optionsOf({
            overdue: 'Rotation overdue',
            soon: 'Rotate within 14 days',
            unfinished: 'Old credential not disabled',
          }),
          width: 210,
        },
      ]}
      first={
        <Notice title="Put passwords and tokens here, not into files">
          <Text>
            A secret is a value under the name that an application expects in its environment, such as{' '}
            <code>DATABASE_URL</code>. Once it is saved, nobody can look at it here again.
          </Text>
          <ForRole needs="editor" to="add secrets">
            <Button onClick={() => openNewSecret()}>Add the first secret</Button>
          </ForRole>
        </Notice>
      }
    >
      {isByKey ? (
        <EnvironmentsTable secrets={rows} names={names} list={list} />
      ) : (
        <DataTable<SecretRow>
          label="Secrets"
          columns={secretColumns(filter.environment !== '*')}
          rows={rows}
          rowKey="secretId"
          sort={{ by: 'key', order: 'asc' }}
          select={
            can('editor') && {
              one: 'secret',
              nameOf: ({ key }) => key,
              acts: (secrets, onSelect) => <SecretActs {...{ secrets, onSelect }} />,
            }
          }
          list={list}
        />
      )}
    </ListScreen>
  );
};

const Actions = () => {
  const can = useCan();
  const { environment } = route.useSearch();
  const search = inAddress(environment ?? DEFAULT_ENVIRONMENT);
  return (
    <>
      <ButtonLink to="/secrets/deleted" search={search} variant="subtle">
        Deleted secrets
      </ButtonLink>
      {can('editor') && (
        <>
          <ButtonLink to="/secrets/import" search={search} variant="default">
            Import .env
          </ButtonLink>
          <Button onClick={() => openNewSecret(environment ? { environment } : {})} {...NEW_CONTROL}>
            New secret
          </Button>
        </>
      )}
    </>
  );
};
