import { ActionIcon, Text } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { AuditSubject } from '../../components/audit/audit-subject.tsx';
import { verbOf } from '../../components/audit/audit-words.ts';
import { Breakable } from '../../components/breakable.tsx';
import { TextLink } from '../../components/link.tsx';
import { Small } from '../../components/small.tsx';
import type { Column } from '../../components/tables/data-table.tsx';
import { When } from '../../components/when.tsx';
import type { AuditEntry } from './audit-queries.ts';

/** An entry as a line of the CSV file. */
export const csvRow = (entry: AuditEntry) => ({
  id: entry.entryId,
  time: entry.at,
  kind: entry.kind,
  actor: entry.actor,
  actorId: entry.actorId,
  action: entry.action,
  sentence: `${entry.actor} ${verbOf(entry)} ${entry.subject === 'vault' ? 'the vault' : entry.name}`,
  subject: entry.subject,
  name: entry.name,
  details: JSON.stringify(entry.details),
  requestId: entry.requestId,
});

/** The columns of the log. */
export const auditColumns = (onDetails: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] => [
  { title: 'Time', width: '11rem', visibleFrom: 'md', cell: ({ at }) => <When at={at} /> },
  { title: 'Who', minWidth: '9rem', visibleFrom: 'xs', cell: Actor },
  {
    title: 'What',
    minWidth: '8rem',
    cell: (entry) => (
      <>
        <Text className="cv-break">{verbOf(entry)}</Text>
        <Small className="cv-mono" visibleFrom="sm">
          {entry.action}
        </Small>
        <Small className="cv-break" hiddenFrom="md" component="div">
          <When at={entry.at} short />{' '}
          <Text span inherit hiddenFrom="xs">
            by <Breakable text={entry.actor} />
          </Text>
        </Small>
      </>
    ),
  },
  { title: 'Target', minWidth: '8rem', cell: AuditSubject },
  {
    title: 'Details',
    width: '4.5rem',
    cell: (entry) => (
      <ActionIcon onClick={() => onDetails(entry)} aria-label={`Details of ${entry.action} of ${entry.name}`}>
        <IconListDetails size={16} aria-hidden />
      </ActionIcon>
    ),
  },
];

// Operators have e-mail addresses: no name of an operator looks like that of a key.
const isKey = ({ kind, actor }: AuditEntry): boolean => kind !== 'change' || actor.startsWith('API key ');

const Actor = (entry: AuditEntry) => {
  const { actor, actorId } = entry;
  return actorId === undefined || !isKey(entry) ? (
    <Text className="cv-break">
      <Breakable text={actor} />
    </Text>
  ) : (
    <>
      <TextLink to="/api-keys/$keyId" params={{ keyId: actorId }} size="sm" className="cv-break">
        <Breakable text={actor} />
      </TextLink>
      <Small>
        API key <span className="cv-mono">{actorId}</span>
      </Small>
    </>
  );
};
