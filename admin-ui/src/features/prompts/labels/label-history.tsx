import { Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { QueryBoundary } from '../../../components/states.tsx';
import { eventsQuery } from '../prompt-queries.ts';
import { UsageEvents } from '../usage/usage-events.tsx';

export interface LabelHistoryProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly promptId: string;
  readonly label: string;
}

/** Where a label pointed, who moved it and when, latest first. */
export const LabelHistory = ({ opened, onClose, promptId, label }: LabelHistoryProps) => (
  <Modal opened={opened} onClose={onClose} title={`History of the label “${label}”`}>
    <Entries promptId={promptId} label={label} />
  </Modal>
);

const Entries = ({ promptId, label }: Pick<LabelHistoryProps, 'promptId' | 'label'>) => {
  const query = useQuery(eventsQuery(promptId, label));
  return (
    <QueryBoundary query={query}>
      {({ events }) =>
        events.length === 0 ? <Text c="dimmed">Nothing is recorded.</Text> : <UsageEvents events={events} />
      }
    </QueryBoundary>
  );
};
