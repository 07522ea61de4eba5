import { Group, Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { verbOf } from '../../components/audit/audit-words.ts';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { CopyTextButton } from '../../components/code/copy-button.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import classes from './audit-details.module.css';
import { type AuditEntry, entryQuery } from './audit-queries.ts';

interface AuditDetailsProps {
  readonly entryId: string;
  /** The entry, if the list contains it. */
  readonly listed: AuditEntry | undefined;
  readonly onClose: () => void;
}

/** All details of the audit entry in the address, and a link to it. */
export const AuditDetails = ({ entryId, listed, onClose }: AuditDetailsProps) => {
  const found = useQuery({ ...entryQuery(entryId), enabled: listed === undefined });
  const entry = listed ?? found.data;
  return (
    <Modal
      opened
      onClose={onClose}
      title={entry ? `${entry.actor} ${verbOf(entry)}` : 'Audit entry'}
      size="lg"
    >
      {entry && <Facts {...entry} />}
      {entry === null && (
        <Text>There is no such entry. Entries are removed when their retention period ends.</Text>
      )}
      {entry === undefined && found.isError && (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      )}
      {entry === undefined && found.isPending && <Loading />}
    </Modal>
  );
};

const linkTo = (entryId: string): string =>
  `${window.location.origin}/audit?${new URLSearchParams({ entry: entryId })}`;

const Facts = (entry: AuditEntry) => (
  <>
    <dl className={classes.facts}>
      <dt>Time</dt>
      <dd>
        <When at={entry.at} /> <span className="cv-mono">({entry.at})</span>
      </dd>
      <dt>Who</dt>
      <dd>
        {entry.actor} {entry.actorId && <span className="cv-mono">({entry.actorId})</span>}
      </dd>
      <dt>Action</dt>
      <dd className="cv-mono">{entry.action}</dd>
      <dt>Target</dt>
      <dd>
        {entry.name} <span className="cv-mono">({entry.subject})</span>
      </dd>
      <dt>Request</dt>
      <dd className="cv-mono">{entry.requestId}</dd>
    </dl>
    <CodeBlock text={JSON.stringify(entry.details, undefined, 2)} label="the details" />
    <Group justify="flex-end" mt="md">
      <CopyTextButton text={linkTo(entry.entryId)} label="the link" />
    </Group>
  </>
);
