import { Badge, Group, Text } from '@mantine/core';
import { refusalText } from '../../components/audit/audit-words.ts';
import { counted } from '../../components/count.ts';
import { TextLink } from '../../components/link.tsx';
import type { Column } from '../../components/tables/data-table.tsx';
import { Tags } from '../../components/tags.tsx';
import { When } from '../../components/when.tsx';
import { KeyActions } from './key-actions.tsx';
import type { KeyRow } from './key-queries.ts';

const DAY_MS = 86_400_000;
const SOON_DAYS = 14;
const REPLACED_DAYS = 7;

const STATUS_COLORS = { active: 'spruce', expired: 'gray', revoked: 'brick' } as const;

/** The columns of the list of API keys, with actions for administrators. Keys of sortable ones are what the service sorts by. */
export const keyColumns = (isAdmin: boolean): readonly Column<KeyRow>[] => [
  { key: 'name', title: 'Name', sortable: true, cell: (row) => <Name {...row} /> },
  {
    key: 'permissions',
    title: 'Can',
    visibleFrom: 'sm',
    cell: (row) => <Permissions {...row} />,
  },
  {
    key: 'used',
    title: 'Last used',
    width: '9.5rem',
    visibleFrom: 'xs',
    sortable: true,
    firstOrder: 'desc',
    cell: (row) => <Used {...row} />,
  },
  {
    key: 'expires',
    title: 'Expires',
    width: '9.5rem',
    visibleFrom: 'md',
    sortable: true,
    cell: (row) => <Expiry {...row} />,
  },
  {
    key: 'created',
    title: 'Created',
    width: '12rem',
    visibleFrom: 'lg',
    sortable: true,
    firstOrder: 'desc',
    cell: ({ createdAt, createdBy }) => (
      <>
        <When at={createdAt} short />
        <Text size="xs" c="dimmed" className="cv-break">
          {createdBy}
        </Text>
      </>
    ),
  },
  ...(isAdmin
    ? [
        {
          key: 'actions',
          title: 'Actions',
          width: '7.5rem',
          cell: (row: KeyRow) => row.status !== 'revoked' && <KeyActions row={row} />,
        },
      ]
    : []),
];

/** Whether a key is expired or revoked. */
export const KeyStatus = ({ status }: Pick<KeyRow, 'status'>) =>
  status !== 'active' && (
    <Badge size="sm" color={STATUS_COLORS[status]}>
      {status}
    </Badge>
  );

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
      <Text size="xs" c="dimmed" className="cv-mono">
        {keyId}
      </Text>
      <Succession {...row} />
      <Text component="div" size="xs" c="dimmed" hiddenFrom="sm">
        <Permissions {...row} />
      </Text>
      <Text size="xs" c="dimmed" hiddenFrom="xs">
        {row.lastUsedAt === null ? (
          row.refused === undefined && 'never used'
        ) : (
          <>
            used <When at={row.lastUsedAt} short /> · {callsOf(row)}
          </>
        )}
        <RefusedText {...row} />
      </Text>
    </>
  );
};

/** Whether a key has been replaced and is still used, or which key it replaces. */
const Succession = ({ status, replaces, replacedBy, lastUsedAt }: KeyRow) => {
  if (replacedBy === undefined || status === 'revoked') {
    return (
      replaces !== undefined && (
        <Text size="xs" c="dimmed">
          replaces <span className="cv-mono">{replaces}</span>
        </Text>
      )
    );
  }
  const isUsed = lastUsedAt !== null && lastUsedAt > replacedBy.createdAt;
  // A weekly job may not have run yet.
  const canGo = !isUsed && Date.now() - Date.parse(replacedBy.createdAt) > REPLACED_DAYS * DAY_MS;
  return (
    <Text size="xs" className="cv-break" c={isUsed ? 'var(--mantine-color-amber-text)' : 'dimmed'}>
      replaced by <span className="cv-mono">{replacedBy.keyId}</span> <When at={replacedBy.createdAt} short />
      , {isUsed ? 'and still used since' : 'and not used since'}
      {canGo && ': revoke it'}
    </Text>
  );
};

/** What a key may do. */
export const permissionsText = (permissions: KeyRow['permissions']): string => {
  const fetched = permissions.filter((each) => each !== 'publish').join(' and ');
  return [
    ...(fetched === '' ? [] : [`fetch ${fetched}`]),
    ...(permissions.includes('publish') ? ['publish prompts'] : []),
  ].join(', ');
};

const Permissions = ({ permissions, tags, prompts, labels = [], cidrs }: KeyRow) => (
  <>
    <Group gap={6}>
      <span>{permissionsText(permissions)}</span>
      {tags.length > 0 && (
        <>
          <Text span size="xs" c="dimmed">
            only secrets tagged
          </Text>
          <Tags tags={tags} shown={3} />
        </>
      )}
    </Group>
    <Limits title="only prompts" values={prompts} />
    <Limits title="can move" values={labels} />
    <Limits title="from" values={cidrs} />
  </>
);

const Limits = ({ title, values }: { title: string; values: readonly string[] }) =>
  values.length > 0 && (
    <Text size="xs" c="dimmed" className="cv-break" title={values.join(', ')}>
      {title} {values.slice(0, 2).join(', ')}
      {values.length > 2 && ` and ${values.length - 2} more`}
    </Text>
  );

const callsOf = ({ calls }: KeyRow): string => `${counted(calls.prompts + calls.secrets, 'call')} in 7 days`;

/** When and why it was refused last. */
export const RefusedText = ({ refused }: KeyRow) =>
  refused && (
    <Text
      span
      display="block"
      size="xs"
      c="var(--mantine-color-amber-text)"
      title={refused.asked && `Asked for ${refused.asked}`}
    >
      refused <When at={refused.lastAt} short />: {refusalText(refused.reason)}
    </Text>
  );

const Used = (row: KeyRow) => {
  const { lastUsedAt, calls } = row;
  return (
    <>
      {lastUsedAt !== null && <When at={lastUsedAt} short />}
      {lastUsedAt === null && row.refused === undefined && (
        <Text size="sm" c="dimmed">
          never
        </Text>
      )}
      <RefusedText {...row} />
      {calls.prompts + calls.secrets > 0 && (
        <Text size="xs" c="dimmed">
          {callsOf(row)}
        </Text>
      )}
    </>
  );
};

/** When a key expires, or was revoked. */
export const Expiry = ({ status, expiresAt, revokedAt, revokedBy }: KeyRow) => {
  if (revokedAt !== undefined) {
    return (
      <Text size="sm" c="dimmed" title={revokedBy ? `Revoked by ${revokedBy}` : undefined}>
        revoked <When at={revokedAt} short />
      </Text>
    );
  }
  if (expiresAt === undefined) return <Text size="sm">never</Text>;
  const isSoon = status === 'active' && Date.parse(expiresAt) - Date.now() < SOON_DAYS * DAY_MS;
  return (
    <Group gap={6} wrap="nowrap">
      <When at={expiresAt} short />
      {isSoon && (
        <Badge size="sm" color="amber" style={{ flexShrink: 0 }}>
          soon
        </Badge>
      )}
    </Group>
  );
};
