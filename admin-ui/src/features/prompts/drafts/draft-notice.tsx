import { Alert, Group, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useRole } from '../../../api/session-context.tsx';
import { TextLink } from '../../../components/link.tsx';
import { When } from '../../../components/when.tsx';
import { discardDraft } from '../prompt-changes.ts';
import type { Draft, Prompt } from '../prompt-queries.ts';
import { DiscardDraft } from './discard-draft.tsx';

/** Shows that someone is working on the next version. */
export const DraftNotice = ({ prompt, draft }: { prompt: Prompt; draft: Draft }) => {
  const { can } = useRole();
  const { promptId, name } = prompt;
  return (
    <Alert color="amber" mb="md" p="xs" icon={<IconPencil size={16} aria-hidden />}>
      <Group justify="space-between" gap="xs">
        <Text>
          There is a draft of the next version, saved <When at={draft.savedAt} short /> by {draft.savedBy}.
        </Text>
        {can('editor') && (
          <Group gap="sm">
            <TextLink to="/prompts/$promptId/new-version" params={{ promptId }} size="sm">
              Continue
            </TextLink>
            <DiscardDraft
              verb="Discard"
              name={name}
              savedBy={draft.savedBy}
              discard={() => discardDraft(promptId, draft.rev)}
            />
          </Group>
        )}
      </Group>
    </Alert>
  );
};
