import { Alert, Button, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { VersionPart } from '../../../../../../contract/versions.ts';
import { isRefusal } from '../../../../api/api-error.ts';
import { useAction } from '../../../../api/use-action.ts';
import { DialogFooter } from '../../../../components/dialogs/dialog-form.tsx';
import { Refusal } from '../../../../components/dialogs/refusal.tsx';
import type { DraftWork } from '../../drafts/use-draft.ts';
import { readStart, type Start } from '../../prompt-queries.ts';
import { expandedOf, expandedProblem } from '../expansion.ts';
import { useExpansion } from '../use-expansion.ts';
import { PublishFields, usePublishing } from './publishing.tsx';

export interface ReviewProps {
  readonly onClose: () => void;
  readonly start: Start;
  readonly part: VersionPart;
  readonly onPart: (part: VersionPart) => void;
  readonly draft: DraftWork;
}

/** What a version changes, what goes live, and for whom; publishes it. */
export const Review = ({ onClose, start, part, onPart, draft }: ReviewProps) => {
  const navigate = useNavigate();
  const [against, setAgainst] = useState(start);
  const { prompt, latest } = against;
  const { promptId } = prompt;
  const { body } = draft;
  const expansion = useExpansion(body);
  const problem = expandedProblem(body, expansion);
  const content = { content: body, expanded: expandedOf(expansion) };
  const publishing = usePublishing({ prompt, latest, part, onPart, ...content });
  const { danger, verb, canPublish } = publishing;
  const publishDraft = async () => {
    const draftRev = await draft.flush();
    const version = await publishing.publish({ ...body, ...(draftRev !== undefined && { draftRev }) });
    await navigate({
      to: '/prompts/$promptId',
      params: { promptId },
      search: { version },
      ignoreBlocker: true,
    });
  };
  const look = async () => {
    const now = await readStart(promptId);
    setAgainst(now);
    // The editor shows the problem.
    if (!draft.reconcile(now.draft)) onClose();
  };
  const { mutate, isPending, error } = useAction(
    publishDraft,
    async (refusal) =>
      (isRefusal(refusal, 'changed_meanwhile') || isRefusal(refusal, 'type_changed')) && (await look()),
  );
  return (
    <Stack gap="md">
      <PublishFields {...publishing} />
      {problem && <Alert color="brick">{problem}</Alert>}
      <DialogFooter danger={danger} error={<Refusal error={error} />}>
        <Button size="sm" variant="default" onClick={onClose}>
          Back to the editor
        </Button>
        <Button
          size="sm"
          {...(danger && { color: 'brick' })}
          onClick={() => mutate()}
          loading={isPending}
          disabled={!canPublish || expansion.isPending || problem !== undefined}
        >
          {verb}
        </Button>
      </DialogFooter>
    </Stack>
  );
};
