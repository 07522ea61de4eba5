import { Alert, Anchor, Group, Text } from '@mantine/core';
import { messageOfChange } from '../../../api/api-error.ts';
import { TextLink } from '../../../components/link.tsx';
import { When } from '../../../components/when.tsx';
import { DiscardDraft } from './discard-draft.tsx';
import type { Start } from './draft-start.ts';
import type { DraftWork } from './use-draft.ts';

/** Whether the input is saved. */
export const SaveStatus = ({ draft: { state, problems, retry } }: { draft: DraftWork }) => (
  <span role="status">
    {state.kind === 'idle' && 'Saved as a draft while you type; colleagues see it.'}
    {(state.kind === 'waiting' || state.kind === 'saving') && 'Saving the draft…'}
    {state.kind === 'saved' && (
      <>
        Draft saved <When at={state.draft.savedAt} />
      </>
    )}
    {state.kind === 'conflict' && 'Not saved: there is another draft.'}
    {state.kind === 'failed' && (
      <Text span c="brick">
        Not saved: {messageOfChange(state.error)}{' '}
        <Anchor component="button" type="button" onClick={retry} size="sm" underline="always">
          Try again
        </Anchor>
      </Text>
    )}
    {problems.map((problem) => (
      <Text key={problem} span c="brick">
        {' · '}
        {problem}
      </Text>
    ))}
  </span>
);

interface DraftOriginProps {
  readonly start: Start;
  /** Removes the draft and leaves the editor. */
  readonly discard: () => Promise<unknown>;
}

/** Where the text in the editor comes from, and whether the prompt has changed since. */
export const DraftOrigin = ({ start, discard }: DraftOriginProps) => {
  const { draft, latest, prompt } = start;
  if (draft === null) return null;
  const base = draft.baseVersion;
  const isBehind = base !== undefined && base !== latest.version;
  return (
    <Alert color={isBehind ? 'amber' : 'slate'} mb="md" p="xs">
      <Group justify="space-between" gap="xs">
        <Text>
          This is the draft that {draft.savedBy} saved <When at={draft.savedAt} short />
          {base && `, based on ${base}`}.{' '}
          {isBehind && (
            <>
              {latest.version} has become the latest since:{' '}
              <TextLink
                to="/prompts/$promptId/compare"
                params={{ promptId: prompt.promptId }}
                search={{ from: base, to: latest.version }}
                size="sm"
                underline="always"
              >
                see the changes
              </TextLink>
              .
            </>
          )}
        </Text>
        <DiscardDraft verb="Discard the draft" name={prompt.name} savedBy={draft.savedBy} discard={discard} />
      </Group>
    </Alert>
  );
};
