import { Alert, Button, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { nextVersion, type VersionPart } from '../../../../../../contract/versions.ts';
import { isRefusal } from '../../../../api/api-error.ts';
import { useAction } from '../../../../api/use-action.ts';
import { DialogFooter } from '../../../../components/dialogs/dialog-form.tsx';
import { Refusal } from '../../../../components/dialogs/refusal.tsx';
import { readStart, type Start } from '../../drafts/draft-start.ts';
import type { DraftWork } from '../../drafts/use-draft.ts';
import { publish } from '../../labels/label-moves.ts';
import { BumpInput } from '../bump-input.tsx';
import { expandedOf, expandedProblem } from '../expansion.ts';
import { useExpansion } from '../use-expansion.ts';
import { GoLive, useCanGoLive, usePublishBreaks } from './go-live.tsx';
import { TypeChange, useTypeChange } from './type-change.tsx';

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
  const [label, setLabel] = useState<string>();
  const canGoLive = useCanGoLive();
  const { prompt, latest } = against;
  const { promptId } = prompt;
  const { body } = draft;
  const change = useTypeChange(latest, body);
  const number = nextVersion(prompt.highest, part);
  const expansion = useExpansion(body);
  const problem = expandedProblem(body, expansion);
  const danger = usePublishBreaks({ prompt, number, label, expanded: expandedOf(expansion) });
  const publishDraft = async () => {
    const draftRev = await draft.flush();
    const version = await publish(prompt, label, {
      ...{ ...body, bump: part, ...(draftRev !== undefined && { draftRev }) },
      ...(change.isChange && { changeType: true }),
    });
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
      <BumpInput highest={prompt.highest} value={part} onChange={onPart} />
      <TypeChange {...change} />
      <GoLive
        {...{ prompt, number, part, label }}
        content={body}
        expanded={expandedOf(expansion)}
        onLabel={setLabel}
      />
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
          disabled={!canGoLive(label) || expansion.isPending || !change.isConfirmed || problem !== undefined}
        >
          {label === undefined ? `Publish ${number}` : `Publish ${number} and point ${label.trim()} to it`}
        </Button>
      </DialogFooter>
    </Stack>
  );
};
