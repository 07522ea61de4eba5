import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { LIMITS } from '../../../../contract/limits.ts';
import { SAMPLE_TAG } from '../../../../contract/samples.ts';
import { useRole } from '../../api/session-context.tsx';
import { counted } from '../../components/count.ts';
import { ConfirmByName } from '../../components/dialogs/confirm-by-name.tsx';
import { notifyDone } from '../../components/dialogs/notify.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { TextLink } from '../../components/link.tsx';
import { QueryBoundary } from '../../components/states.tsx';
import { listSamples, removeSamples } from './samples.ts';

/** Says that there are samples, and removes them. */
export const SamplesPanel = ({ samples }: { samples: number }) => {
  const { can } = useRole();
  const [opened, { open, close }] = useDisclosure();
  return (
    <Panel
      title="Samples"
      count={samples}
      actions={
        can('editor') && (
          <Button size="xs" variant="default" onClick={open}>
            Remove the samples
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed">
        Samples have the tag <code>{SAMPLE_TAG}</code>:{' '}
        <TextLink to="/prompts" search={{ tag: SAMPLE_TAG }} size="sm">
          prompts
        </TextLink>
        {' and '}
        <TextLink to="/secrets" search={{ tag: SAMPLE_TAG }} size="sm">
          secrets
        </TextLink>
        .
      </Text>
      {opened && <RemoveSamples onClose={close} />}
    </Panel>
  );
};

const RemoveSamples = ({ onClose }: { onClose: () => void }) => {
  const samples = useQuery({ queryKey: ['overview', 'samples'], queryFn: listSamples });
  return (
    <QueryBoundary query={samples}>
      {(found) => (
        <ConfirmByName
          opened
          onClose={onClose}
          title="Remove the samples"
          name="remove the samples"
          verb="Remove"
          action={async (confirmed) => {
            await removeSamples(found, confirmed);
            notifyDone('The samples are removed.');
          }}
        >
          <Group gap="xs">
            <Text className="cv-break">
              {counted(found.prompts.length, 'prompt')} and {counted(found.secrets.length, 'secret')} are
              deleted:{' '}
              {[...found.prompts.map(({ name }) => name), ...found.secrets.map(({ key }) => key)].join(', ')}.
              They can be restored for {LIMITS.restoreDays} days.
            </Text>
          </Group>
        </ConfirmByName>
      )}
    </QueryBoundary>
  );
};
