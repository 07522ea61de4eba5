import { Alert, Group, Text } from '@mantine/core';
import { useRole } from '../../../api/session-context.tsx';
import { RowButton, When } from '../../../components/basics.tsx';
import { confirmByName } from '../../../components/confirm-by-name.tsx';
import type { Draft, Prompt } from '../prompt-queries.ts';
import { discardDraft } from '../prompt-queries.ts';

/** Shows that someone is working on the next version. */
export const DraftNotice = ({ prompt, draft }: { prompt: Prompt; draft: Draft }) => {
  const { can } = useRole();
  const { promptId, name } = prompt;
  return (
    <Alert color="amber" mb="md" p="xs">
      <Group justify="space-between">
        <Text>
          There is a draft of the next version, saved <When at={draft.savedAt} short /> by {draft.savedBy}.
        </Text>
        {can('editor') && (
          <DiscardDraft
            verb="Discard"
            name={name}
            savedBy={draft.savedBy}
            discard={() => discardDraft(promptId, draft.rev)}
          />
        )}
      </Group>
    </Alert>
  );
};

interface DiscardDraftProps {
  verb: string;
  name: string;
  savedBy: string;
  discard: () => Promise<unknown>;
}

/** Discards the draft of a prompt, possibly a colleague's, after its name is typed. */
export const DiscardDraft = ({ verb, name, savedBy, discard }: DiscardDraftProps) => {
  const confirm = () =>
    confirmByName({
      title: 'Discard the draft',
      name,
      verb: 'Discard',
      action: discard,
      done: 'The draft is discarded.',
      text: `The draft that ${savedBy} saved last is deleted permanently. Published versions stay.`,
    });
  return <RowButton onClick={confirm}>{verb}</RowButton>;
};
