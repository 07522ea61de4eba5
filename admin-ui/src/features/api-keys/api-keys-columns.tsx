import { Badge, Group, Text } from '@mantine/core';
import { KEY_FIELDS } from '../../../../contract/fields/key-limits.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { refusalText } from '../../components/audit/audit-words.ts';
import { counted, listed } from '../../components/count.ts';
import { TextLink } from '../../components/link.tsx';
import { Small } from '../../components/small.tsx';
import type { Column } from '../../components/tables/data-table.tsx';
import { ChangedCell, When } from '../../components/when.tsx';
import { KeyActions } from './key-actions.tsx';
import { type KeyRow, listsOf } from './key-queries.ts';

const DAY_MS = 86_400_000;
const SOON_DAYS = 14;
const REPLACED_DAYS = 7;

const STATUS_COLORS = { active: 'spruce', expired: 'gray', revoked: 'brick' } as const;

/** The columns of the list of API keys, with actions for administrators. */
export const keyColumns = (isAdmin: boolean): readonly Column<KeyRow>[] => [
  { title: 'Name', sortBy: 'name', cell: Name },
  { title: 'Permissions', visibleFrom: 'sm', cell: Permissions },
  {
    title: 'Last used',
    width: '9.5rem',
    visibleFrom: 'xs',
    sortBy: 'used',
    firstOrder: 'desc',
    cell: Used,
  },
  {
    title: 'Expires',
    width: '9.5rem',
    visibleFrom: 'md',
    sortBy: 'expires',
    cell: Expiry,
  },
  {
    title: 'Created',
    width: '12rem',
    visibleFrom: 'lg',
    sortBy: 'created',
    firstOrder: 'desc',
    cell: ({ createdAt, createdBy }) => <ChangedCell changedAt={createdAt} changedBy={createdBy} />,
  },
  ...(isAdmin
    ? [
        {
          title: 'Actions',
          width: '7.5rem',
          cell: (row: KeyRow) => row.status !== 'revoked' && <KeyActions row={row} />,
        },
      ]
    : []),
];

/** Whether a key is expired or revoked. */
export const KeyStatus = ({ status }: Pick<KeyRow, 'status'>) =>
  status !== 'active' && <Badge color={STATUS_COLORS[status]}>{status}</Badge>;

const Name = (row: KeyRow) => {
  const { name, keyId, status } = row;
  return (
    <>
      <Group gap={6}>
        <TextLink to="/api-keys/$keyId" params={{ keyId }} size="sm" fw={600} className="cv-break">
          {name}
        </TextLink>
        <KeyStatus status={status} />
      </Group>
      <Small className="cv-mono">{keyId}</Small>
      <Succession {...row} />
      <Small component="div" hiddenFrom="sm">
        <Permissions {...row} />
      </Small>
      <Small component="div" hiddenFrom="xs">
        last used: <Used {...row} />
      </Small>
    </>
  );
};

/** Whether a key has been replaced and is still used, or which key it replaces. */
const Succession = ({ status, replaces, replacedBy, lastUsedAt }: KeyRow) => {
  if (replacedBy === undefined || status === 'revoked') {
    return (
      replaces !== undefined && (
        <Small>
          replaces <span className="cv-mono">{replaces}</span>
        </Small>
      )
    );
  }
  const isUsed = lastUsedAt !== null && lastUsedAt > replacedBy.createdAt;
  // A weekly job may not have run yet.
  const canGo = !isUsed && Date.now() - Date.parse(replacedBy.createdAt) > REPLACED_DAYS * DAY_MS;
  return (
    <Text size="xs" className="cv-break" c={isUsed ? 'amber' : 'dimmed'}>
      replaced by <span className="cv-mono">{replacedBy.keyId}</span> <When at={replacedBy.createdAt} short />
      , {isUsed ? 'and still used since' : 'and not used since'}
      {canGo && ': revoke it'}
    </Text>
  );
};

/** What a key may do. */
export const permissionsText = (permissions: KeyRow['permissions']): string => {
  const fetched = permissions.filter((each) => each === 'prompts' || each === 'secrets').join(' and ');
  return [
    ...(fetched === '' ? [] : [`fetch ${fetched}`]),
    ...permissions.flatMap((each) => (each === 'publish' || each === 'compare' ? [`${each} prompts`] : [])),
  ].join(', ');
};

/** What a key is not limited in, the widest with the longest text. */
const widthOf = ({ permissions, prompts, tags, expiresAt }: KeyRow): string => {
  const wide = [
    ...(prompts.length === 0 && permissions.some((each) => each !== 'secrets') ? ['all prompts'] : []),
    ...(tags.length === 0 && permissions.includes('secrets') ? ['all secrets'] : []),
  ];
  return [...wide, ...(wide.length > 0 && expiresAt === undefined ? ['never expires'] : [])].join(', ');
};

const Permissions = (row: KeyRow) => (
  <>
    <span>{permissionsText(row.permissions)}</span>
    {row.status === 'active' && widthOf(row) !== '' && (
      <Text size="xs" c="amber">
        {widthOf(row)}
      </Text>
    )}
    {KEY_FIELDS.map(({ name, short }) => (
      <Limits key={name} title={short} values={listsOf(row)[name] ?? []} />
    ))}
  </>
);

const Limits = ({ title, values }: { title: string; values: readonly string[] }) =>
  values.length > 0 && (
    <Small className="cv-break" title={values.join(', ')}>
      {title} {listed(values, 2)}
    </Small>
  );

/** When and why it was refused last. */
export const RefusedText = ({ refused }: KeyRow) =>
  refused && (
    <Text span display="block" size="xs" c="amber" title={refused.asked && `Asked for ${refused.asked}`}>
      refused <When at={refused.lastAt} short />: {refusalText(refused.reason)}
    </Text>
  );

const Used = (row: KeyRow) => {
  const calls = row.calls.prompts + row.calls.secrets;
  return (
    <>
      {row.lastUsedAt === null ? (
        <Text span c="dimmed" inherit>
          never
        </Text>
      ) : (
        <When at={row.lastUsedAt} short />
      )}
      <RefusedText {...row} />
      {calls > 0 && <Small>{`${counted(calls, 'call')} in ${LIMITS.shownDays} days`}</Small>}
    </>
  );
};

/** When a key expires, or was revoked. */
export const Expiry = ({ status, expiresAt, revokedAt, revokedBy }: KeyRow) => {
  if (revokedAt !== undefined) {
    return (
      <Text c="dimmed" title={revokedBy ? `Revoked by ${revokedBy}` : undefined}>
        revoked <When at={revokedAt} short />
      </Text>
    );
  }
  if (expiresAt === undefined) return <Text>never</Text>;
  const isSoon = status === 'active' && Date.parse(expiresAt) - Date.now() < SOON_DAYS * DAY_MS;
  return (
    <Group gap={6} wrap="nowrap">
      <When at={expiresAt} short />
      {isSoon && (
        <Badge color="amber" style={{ flexShrink: 0 }}>
          soon
        </Badge>
      )}
    </Group>
  );
};
