import { Alert, Text } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRole } from '../../../api/session-context.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { RowButton, Small } from '../../../components/small.tsx';
import { eventsQuery, type Prompt, type VersionRow } from '../prompt-queries.ts';
import { NOT_COVERED, openLabelForm } from './label-dialogs.tsx';
import { isReserved } from './label-names.ts';
import { LabelRow } from './label-row.tsx';
import { useProtection } from './protected-labels.ts';

/** The labels of a prompt, their versions and their last moves. */
export const LabelsPanel = ({ prompt, versions }: { prompt: Prompt; versions: readonly VersionRow[] }) => {
  const { can } = useRole();
  // The rows work without it until it is loaded.
  const { data } = useQuery(eventsQuery(prompt.promptId));
  const { isProtected } = useProtection();
  const reserved = prompt.labels.find(({ label }) => isReserved(label));
  return (
    <Panel
      title="Labels"
      actions={
        can('editor') && (
          <RowButton
            onClick={() => openLabelForm({ prompt, versions })}
            leftSection={<IconTag size={13} aria-hidden />}
          >
            Set a label
          </RowButton>
        )
      }
    >
      {prompt.labels.length === 0 ? (
        <Text c="dimmed">
          None yet. A label such as <code>production</code> lets applications follow the version that you
          choose.
        </Text>
      ) : (
        <ul className="cv-list cv-rows">
          {prompt.labels.map((entry) => (
            <LabelRow
              key={entry.label}
              {...entry}
              prompt={prompt}
              versions={versions}
              events={data?.events ?? []}
            />
          ))}
        </ul>
      )}
      {prompt.labels.some(({ label }) => isProtected(label)) && (
        <Small mt="xs">Only administrators move a protected label. {NOT_COVERED}</Small>
      )}
      {reserved && (
        <Alert color="amber" mt="xs" p="xs" title={`Rename the label ${reserved.label}`}>
          <Text>
            It serves {reserved.version}, while callers that ask for no label get {prompt.latest}. A label can
            no longer have this name.
          </Text>
        </Alert>
      )}
    </Panel>
  );
};
