import { Badge, Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { KEY_FIELDS } from '../../../../contract/fields/key-limits.ts';
import { DEFAULT_ENVIRONMENT } from '../../../../contract/fields/patterns.ts';
import { useCan } from '../../api/session-context.tsx';
import { refusalText } from '../../components/audit-words.ts';
import { dateOf, keyPage, Muted, TextLink, When } from '../../components/basics.tsx';
import { StoppedMark } from '../../components/environments.tsx';
import { counted, daysSince, joined } from '../../components/locale.ts';
import { NEW_CONTROL } from '../../components/screen.tsx';
import { ForRole, Notice } from '../../components/states.tsx';
import { type Column, DataTable, ListScreen, pagesOf } from '../../components/tables/data-table.tsx';
import { optionsOf } from '../../components/tables/filters.tsx';
import { WarningMark } from '../../components/warning-mark.tsx';
import { KeyActions } from './key-actions.tsx';
import { type KeyRow, keyListQuery, listsOf } from './key-queries.ts';
import { openNewKey } from './new-key-dialog.tsx';

const REPLACED_DAYS = 7;

const STATUS_COLORS = { active: 'spruce', expired: 'gray', revoked: 'brick' } as const;

/** The columns of the list of API keys, with actions for administrators. */
const keyColumns = (isAdmin: boolean): readonly Column<KeyRow>[] => [
  { title: 'Name', sortBy: 'name', minWidth: '11rem', cell: Name },
  { title: 'Permissions', below: true, cell: Permissions },
  {
    title: 'Last used',
    width: '8rem',
    visibleFrom: 'xs',
    below: 'last used:',
    sortBy: 'used',
    firstOrder: 'desc',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? <Never /> : <When at={lastUsedAt} short />),
  },
  {
    title: 'Expires',
    width: '8rem',
    visibleFrom: 'md',
    sortBy: 'expires',
    cell: (row) => <Expiry {...row} />,
  },
  {
    title: 'Created',
    width: '8rem',
    visibleFrom: 'lg',
    sortBy: 'created',
    firstOrder: 'desc',
    cell: ({ createdAt, createdBy }) => (
      <span title={`by ${createdBy}`}>
        <When at={createdAt} short />
      </span>
    ),
  },
  ...(isAdmin ? [{ title: 'Actions', width: '4rem', cell: (row: KeyRow) => <KeyActions row={row} /> }] : []),
];

/** Whether a key is expired or revoked. */
export const KeyStatus = ({ status }: Pick<KeyRow, 'status'>) =>
  status !== 'active' && <Badge color={STATUS_COLORS[status]}>{status}</Badge>;

const Name = (row: KeyRow) => {
  const { name, keyId, status } = row;
  const notes = notesOn(row);
  return (
    <Group gap={6} title={keyId}>
      <TextLink {...keyPage(keyId, name)} fw={600}>
        {name}
      </TextLink>
      <KeyStatus status={status} />
      {notes && <WarningMark text={notes} />}
    </Group>
  );
};

/** What is to be noted of a key, in sentences. */
export const notesOn = (row: KeyRow): string => {
  const { status, expiresAt, lastUsedAt, replacedBy, refused, environments = [DEFAULT_ENVIRONMENT] } = row;
  const isActive = status === 'active';
  const where = environments.includes('*') ? 'every environment' : environments.join(', ');
  const isUsed = (lastUsedAt ?? '') > (replacedBy?.createdAt ?? '');
  // A weekly job may not have run yet.
  const canGo = !isUsed && replacedBy && daysSince(replacedBy.createdAt) > REPLACED_DAYS;
  const since = isUsed ? 'still used since' : 'not used since';
  return joined(
    [
      isActive && isUnlimited(row) && `It reads all prompts and all secrets of ${where}, and never expires.`,
      isActive && isSoon(expiresAt) && `It expires on ${dateOf(expiresAt)}.`,
      replacedBy &&
        status !== 'revoked' &&
        `It is replaced by ${replacedBy.keyId} and ${since}${canGo ? ': revoke it' : ''}.`,
      refused && `A call was refused on ${dateOf(refused.lastAt)}: ${refusalText(refused.reason)}.`,
    ],
    ' ',
  );
};

const isSoon = (expiresAt: string | undefined): expiresAt is string =>
  expiresAt !== undefined && -daysSince(expiresAt) < 14;

/** What a key may do. */
export const permissionsText = (permissions: KeyRow['permissions']): string => {
  const isFetched = (each: string) => each === 'prompts' || each === 'secrets';
  const fetched = permissions.filter(isFetched).join(' and ');
  const others = permissions.map((each) => !isFetched(each) && `${each} prompts`);
  return joined([fetched && `fetch ${fetched}`, ...others], ', ');
};

const isUnlimited = ({ permissions, prompts, tags, expiresAt }: KeyRow): boolean =>
  permissions.includes('prompts') &&
  permissions.includes('secrets') &&
  prompts.length + tags.length === 0 &&
  expiresAt === undefined;

const scopeOf = (patterns: readonly string[]): string => {
  const folders = patterns.filter((pattern) => pattern.endsWith('/*')).length;
  if (patterns.length < 2) return patterns[0] ?? 'all';
  return folders === patterns.length ? counted(folders, 'folder') : counted(patterns.length, 'name');
};

/** What a key may do, in short chips; its limits are said when they are pointed to. */
const Permissions = (row: KeyRow) => {
  const { permissions, prompts, tags, environments = [DEFAULT_ENVIRONMENT] } = row;
  const chips = permissions.map((permission) =>
    permission === 'secrets'
      ? `secrets: ${[...environments.map((name) => (name === '*' ? 'all' : name)), ...tags].join(', ')}`
      : `${permission}: ${scopeOf(prompts)}`,
  );
  const limits = KEY_FIELDS.flatMap(({ name, short }) => {
    const values = listsOf(row)[name] ?? [];
    return values.length > 0 ? [`${short} ${values.join(', ')}`] : [];
  });
  return (
    <Group gap={4} title={limits.join('; ')}>
      {chips.map((chip) => (
        <Badge key={chip} color="gray" maw={260}>
          {chip}
        </Badge>
      ))}
    </Group>
  );
};

const Never = () => (
  <Muted span inherit>
    never
  </Muted>
);

/** When a key expires, or was revoked. */
export const Expiry = ({ status, expiresAt, revokedAt, revokedBy }: KeyRow) => {
  if (revokedAt !== undefined)
    return (
      <Muted span inherit title={revokedBy ? `Revoked by ${revokedBy}` : undefined}>
        revoked <When at={revokedAt} short />
      </Muted>
    );
  if (expiresAt === undefined) return <Never />;
  return (
    <Text span inherit {...(status === 'active' && isSoon(expiresAt) && { c: 'amber' })}>
      <When at={expiresAt} short />
    </Text>
  );
};

const route = getRouteApi('/api-keys');

export const ApiKeysScreen = () => {
  const can = useCan();
  const list = useInfiniteQuery(keyListQuery(route.useSearch()));
  const pages = pagesOf(list);
  const rows = pages.flatMap(({ keys }) => keys);
  return (
    <ListScreen
      one="API key"
      list={list}
      total={pages[0]?.total}
      isEmpty={rows.length === 0}
      beside={<StoppedMark />}
      actions={
        can('admin') && (
          <Button onClick={() => openNewKey()} {...NEW_CONTROL}>
            New API key
          </Button>
        )
      }
      search="Search names, ids and tags"
      filters={[
        {
          name: 'status',
          label: 'Status',
          options: optionsOf({ active: 'Active', expired: 'Expired', revoked: 'Revoked' }),
        },
      ]}
      first={
        <Notice title="One key for each application">
          <Text>
            An application sends an API key with every call, and can read what the key allows, nothing else.
            You see the key once, when it is created.
          </Text>
          <ForRole needs="admin" to="create API keys">
            <Button onClick={() => openNewKey()}>Create the first API key</Button>
          </ForRole>
        </Notice>
      }
    >
      <DataTable
        label="API keys"
        columns={keyColumns(can('admin'))}
        rows={rows}
        rowKey="keyId"
        sort={{ by: 'created', order: 'desc' }}
        list={list}
      />
    </ListScreen>
  );
};
