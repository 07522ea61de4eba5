import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formByNeed } from '../../../components/by-need.tsx';
import { confirmByName } from '../../../components/dialogs/confirm-by-name.tsx';
import { openDialog } from '../../../components/dialogs/dialog.tsx';
import { confirm } from '../../../components/dialogs/dialog-form.tsx';
import { TextLink } from '../../../components/link.tsx';
import { RowButton } from '../../../components/small.tsx';
import { QueryBoundary } from '../../../components/states.tsx';
import { ImpactPanel } from '../impact/impact-panel.tsx';
import { removeLabel } from '../prompt-changes.ts';
import { eventsQuery, type Prompt, type PromptEvent, type VersionRow } from '../prompt-queries.ts';
import { UsageEvents } from '../usage/usage-events.tsx';
import type { LabelFormProps } from './label-form.tsx';
import { setProtection } from './protected-labels.ts';

const LabelForm = formByNeed('label-form', () => import('./label-form.tsx'));

/** What the protection of a label does not cover. */
export const NOT_COVERED =
  'Callers that ask for no label are not protected by it: they get the latest version, which editors can publish.';

export const openLabelForm = (props: LabelFormProps): void =>
  openDialog({
    title: props.label ? `Move the label “${props.label}”` : 'Set a label',
    size: '56rem',
    content: <LabelForm {...props} />,
  });

interface LabelOf {
  readonly prompt: Prompt;
  readonly label: string;
  readonly version: string;
}

export const confirmRemoval = ({ prompt, label, version }: LabelOf): void =>
  confirmByName({
    title: `Remove the label “${label}”`,
    name: label,
    verb: 'Remove',
    action: () => removeLabel(prompt.promptId, label, prompt.rev),
    done: `The label ${label} is removed.`,
    affected: <FailingCallers promptId={prompt.promptId} label={label} />,
    text: (
      <>
        Version {version} stays, but callers that ask for <strong>{label}</strong> get an error.
      </>
    ),
  });

const FailingCallers = ({ promptId, label }: { promptId: string; label: string }) => (
  <ImpactPanel
    promptId={promptId}
    scopes={[{ kind: 'label', label }]}
    outcome="get an error on the next fetch"
  />
);

/** Protects a label in every prompt, or removes the protection that it has. */
export const openProtection = (label: string, isProtected: boolean): void =>
  confirm({
    title: isProtected ? `Remove the protection of “${label}”` : `Protect the label “${label}”`,
    verb: isProtected ? 'Remove the protection' : 'Protect the label',
    action: () => setProtection(label, !isProtected),
    done: isProtected ? `${label} is no longer protected.` : `${label} is protected.`,
    text: isProtected
      ? 'In every prompt, editors can set, move and remove it again.'
      : 'In every prompt, only administrators can set, move and remove it, and delete or restore a prompt that has it.',
    children: !isProtected && <Text size="md">{NOT_COVERED}</Text>,
  });

interface HistoryProps {
  readonly prompt: Prompt;
  readonly versions: readonly VersionRow[];
  readonly label: string;
  readonly canMove: boolean;
}

/** Shows where a label pointed, who moved it and when, latest first; goes back from there. */
export const openHistory = (history: HistoryProps): void =>
  openDialog({
    title: `History of the label “${history.label}”`,
    size: 'lg',
    content: <History {...history} />,
  });

const History = ({ prompt, versions, label, canMove }: HistoryProps) => {
  const { promptId, labels } = prompt;
  const now = labels.find((entry) => entry.label === label)?.version;
  const isThere = (version: string) => versions.some((row) => row.version === version);
  const actionsOf = ({ type, from, to }: PromptEvent) =>
    type === 'label-set' &&
    from &&
    to &&
    isThere(from) && (
      <>
        {isThere(to) && (
          <TextLink to="/prompts/$promptId/compare" params={{ promptId }} search={{ from, to }} size="sm">
            Compare
          </TextLink>
        )}
        {canMove && from !== now && (
          <RowButton onClick={() => openLabelForm({ prompt, versions, label, version: from })}>
            Back to {from}
          </RowButton>
        )}
      </>
    );
  return (
    <QueryBoundary query={useQuery(eventsQuery(promptId, label))}>
      {({ events }) =>
        events.length === 0 ? (
          <Text size="md" c="dimmed">
            Nothing is recorded.
          </Text>
        ) : (
          <UsageEvents events={events} actions={actionsOf} />
        )
      }
    </QueryBoundary>
  );
};
