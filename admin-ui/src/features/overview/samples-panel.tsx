import { Text } from '@mantine/core';
import { LIMITS } from '../../../../contract/limits.ts';
import { SAMPLE_TAG } from '../../../../contract/samples.ts';
import { useCan } from '../../api/session-context.tsx';
import { Muted, Panel, TextLink } from '../../components/basics.tsx';
import { confirmByName } from '../../components/confirm-by-name.tsx';
import { ActionButton, notifyIgnored } from '../../components/dialogs.tsx';
import { listSamples, removeSamples } from './samples.ts';

export const SamplesPanel = ({ samples }: { samples: number }) => {
  const can = useCan();
  return (
    <Panel
      title="Samples"
      count={samples}
      actions={can('editor') && <ActionButton action={confirmRemoval}>Remove the samples</ActionButton>}
    >
      <Muted>
        Samples have the tag <code>{SAMPLE_TAG}</code>:{' '}
        <TextLink to="/prompts" search={{ tag: SAMPLE_TAG }}>
          prompts
        </TextLink>
        {' and '}
        <TextLink to="/secrets" search={{ tag: SAMPLE_TAG }}>
          secrets
        </TextLink>
        .
      </Muted>
    </Panel>
  );
};

const confirmRemoval = async (): Promise<void> => {
  const found = await listSamples();
  if (found.prompts.length + found.secrets.length === 0) {
    notifyIgnored(
      'Everything with the tag was changed or is read by your applications, so nothing is removed.',
    );
    return;
  }
  const names = found.prompts.map(({ name }) => name);
  const keys = found.secrets.map(({ key, lastRead }) =>
    lastRead === null ? key : `${key} (read by ${lastRead.apiKeyName})`,
  );
  confirmByName({
    title: 'Remove the samples',
    name: 'remove the samples',
    verb: 'Remove',
    action: (confirmed) => removeSamples(found, confirmed),
    done: 'The samples are removed.',
    text: (
      <Text>
        These samples are deleted: {[...names, ...keys].join(', ')}. What was changed, or is read by your
        applications, stays. They can be restored for {LIMITS.restoreDays} days.
      </Text>
    ),
  });
};
