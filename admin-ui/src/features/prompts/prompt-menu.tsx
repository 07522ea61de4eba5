import { Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { LIMITS } from '../../../../contract/limits.ts';
import { counted } from '../../components/count.ts';
import { DeleteMenu } from '../../components/dialogs/delete-menu.tsx';
import { IconCopy } from '../../components/icons.tsx';
import { ImpactPanel } from './impact/impact-panel.tsx';
import { useProtection } from './labels/label-badge.tsx';
import { deletePrompt } from './prompt-changes.ts';
import type { Prompt } from './prompt-queries.ts';

export const PromptMenu = ({ prompt }: { prompt: Prompt }) => {
  const navigate = useNavigate();
  const { refusalOf } = useProtection();
  const refused = prompt.labels.find(({ label }) => refusalOf(label) !== undefined);
  return (
    <DeleteMenu
      kind="prompt"
      {...(refused && {
        refusal: `Only administrators can delete a prompt with the protected label ${refused.label}.`,
      })}
      name={prompt.name}
      remove={(confirmed) => deletePrompt(prompt.promptId, confirmed)}
      leave={() => navigate({ to: '/prompts' })}
      affected={
        <ImpactPanel
          changes={[{ ...prompt, scopes: [{ kind: 'prompt' }] }]}
          outcome="get an error on the next fetch"
        />
      }
      text={
        <>
          <strong style={{ whiteSpace: 'pre-wrap' }}>{prompt.name}</strong> is deleted with its{' '}
          {counted(prompt.versions, 'version')}, and callers that fetch it get an error. It can be restored
          for {LIMITS.restoreDays} days.
        </>
      }
    >
      <Menu.Item
        leftSection={<IconCopy size={15} />}
        onClick={() => void navigate({ to: '/prompts/new', search: { from: prompt.promptId } })}
      >
        Duplicate
      </Menu.Item>
    </DeleteMenu>
  );
};
