import { Group, Modal, Space, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { verbOf } from '../../components/audit/audit-words.ts';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { CopyTextButton } from '../../components/code/copy-button.tsx';
import { Fact, Facts } from '../../components/layout/facts.tsx';
import { QueryBoundary } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { type AuditEntry, entryQuery } from './audit-queries.ts';

interface AuditDetailsProps {
  readonly entryId: string;
  /** The entry, if the list contains it. */
  readonly listed: AuditEntry | undefined;
  readonly onClose: () => void;
}

/** All details of the audit entry in the address, and a link to it. */
export const AuditDetails = ({ entryId, listed, onClose }: AuditDetailsProps) => {
  const query = useQuery({ ...entryQuery(entryId), ...(listed && { initialData: listed }) });
  const entry = query.data;
  return (
    <Modal
      opened
      onClose={onClose}
      title={entry ? `${entry.actor} ${verbOf(entry)}` : 'Audit entry'}
      size="lg"
    >
      <QueryBoundary query={query}>
        {(found) =>
          found ? (
            <Details {...found} />
          ) : (
            <Text size="md">
              There is no such entry. Entries are removed when their retention period ends.
            </Text>
          )
        }
      </QueryBoundary>
    </Modal>
  );
};

const linkTo = (entryId: string): string =>
  `${window.location.origin}/audit?${new URLSearchParams({ entry: entryId })}`;

const Code = ({ text }: { text: string }) => <span className="cv-mono">{text}</span>;

const Details = (entry: AuditEntry) => (
  <>
    <Facts>
      <Fact name="Time">
        <When at={entry.at} seconds /> <Code text={entry.at} />
      </Fact>
      <Fact name="Who">
        {entry.actor} {entry.actorId && <Code text={entry.actorId} />}
      </Fact>
      <Fact name="Action">
        <Code text={entry.action} />
      </Fact>
      <Fact name="Target">
        {entry.name} <Code text={entry.subject} />
      </Fact>
      <Fact name="Request">
        <Code text={entry.requestId} />
      </Fact>
    </Facts>
    <Space h="md" />
    <CodeBlock text={JSON.stringify(entry.details, undefined, 2)} label="the details" />
    <Group justify="flex-end" mt="md">
      <CopyTextButton text={linkTo(entry.entryId)} label="the link" />
    </Group>
  </>
);
