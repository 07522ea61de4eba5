import { Alert, Autocomplete, Button, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { LIMITS } from '../../../../../contract/limits.ts';
import { messageOf } from '../../../api/api-error.ts';
import { useRole } from '../../../api/session-context.tsx';
import { LeaveGuard } from '../../../components/dialogs/leave-guard.tsx';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { Screen } from '../../../components/layout/screen.tsx';
import { TextLink } from '../../../components/link.tsx';
import { NoPermission } from '../../../components/states.tsx';
import { isReserved, PRODUCTION, RESERVED_REASON, SUGGESTED } from '../labels/label-names.ts';
import { createPrompt } from '../prompt-changes.ts';
import { bodyOf, EMPTY } from './content.ts';
import { ContentForm } from './content-form.tsx';

/** A new prompt with its first version. */
export const NewPromptScreen = () => {
  const { can } = useRole();
  return can('editor') ? <NewPrompt /> : <NoPermission />;
};

const NewPrompt = () => {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [label, setLabel] = useState(PRODUCTION);
  const [content, setContent] = useState(EMPTY);
  const [refusal, setRefusal] = useState<unknown>();
  const [state, setState] = useState<'editing' | 'busy' | 'done'>('editing');
  const body = bodyOf(content);
  const create = async () => {
    if (body === undefined) return;
    setState('busy');
    try {
      const { prompt } = await createPrompt({
        name: name.trim(),
        ...body,
        ...(label.trim() && { label: label.trim() }),
      });
      setState('done');
      notifyDone(`${prompt.name} ${prompt.latest} is published.`);
      await navigate({
        to: '/prompts/$promptId',
        params: { promptId: prompt.promptId },
        ignoreBlocker: true,
      });
    } catch (error) {
      setRefusal(error);
      setState('editing');
    }
  };
  const isDirty = state !== 'done' && (name !== '' || content !== EMPTY);
  return (
    <Screen
      title="New prompt"
      above={<TextLink to="/prompts">Prompts</TextLink>}
      actions={
        <Button
          size="xs"
          onClick={() => void create()}
          loading={state === 'busy'}
          disabled={
            name.trim() === '' || content.prompt === '' || body === undefined || isReserved(label.trim())
          }
        >
          Create and publish
        </Button>
      }
    >
      {refusal !== undefined && (
        <Alert color="brick" role="alert" mb="md">
          {messageOf(refusal)}
        </Alert>
      )}
      <ContentForm
        content={content}
        onChange={setContent}
        above={
          <TextInput
            label="Name"
            description="Applications fetch the prompt by it, so it is fixed from now on. Leading and trailing spaces are removed."
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={LIMITS.promptNameBytes}
            autoComplete="off"
            spellCheck={false}
            required
            data-autofocus
          />
        }
        beside={
          <Autocomplete
            label="Label"
            description="Points to the first version. Applications that ask for it follow the version that you choose later; without one, every publish reaches them at once."
            data={SUGGESTED}
            value={label}
            onChange={setLabel}
            error={isReserved(label.trim()) && RESERVED_REASON}
          />
        }
      />
      <LeaveGuard when={isDirty} />
    </Screen>
  );
};
