import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { confirmByName } from '../../../components/confirm-by-name.tsx';
import { confirm, openDialog } from '../../../components/dialogs.tsx';
import { byNeed, QueryBoundary } from '../../../components/states.tsx';
import { Losing } from '../impact/impact-panel.tsx';
import { eventsQuery, type Prompt, removeLabel } from '../prompt-queries.ts';
import { UsageEvents } from '../usage/usage-events.tsx';
import { CompareLink, setProtection, useProtection } from './label-badge.tsx';
import type { LabelFormProps } from './label-form.tsx';

// The command palette opens it too.
const LabelForm = byNeed(() => import('./label-form.tsx'));

/** What the protection of a label does not cover. */
export const NOT_COVERED =
  'Callers that ask for no label are not protected by it: they get the latest version, which editors can publish.';

export const openLabelForm = (props: LabelFormProps): void =>
  openDialog({
    title: props.isBack
      ? `Back to ${props.version}: the label “${props.label}”`
      : props.label
        ? `Move the label “${props.label}”`
        : 'Set a label',
    size: '56rem',
    content: <LabelForm {...props} />,
  });

export const confirmRemoval = (prompt: Prompt, label: string, version: string): void =>
  confirmByName({
    title: `Remove the label “${label}”`,
    name: label,
    verb: 'Remove',
    action: () => removeLabel(prompt.promptId, label, prompt.rev),
    done: `The label ${label} is removed.`,
    affected: (
      <Losing change={{ promptId: prompt.promptId, label }} outcome="get an error on the next fetch" />
    ),
    text: (
      <>
        Version {version} stays, but callers that ask for <strong>{label}</strong> get an error.
      </>
    ),
  });

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
    children: !isProtected && <Text>{NOT_COVERED}</Text>,
  });

interface HistoryProps {
  promptId: string;
  label: string;
  /** The version that it points to. */
  version: string;
}

/** Shows where a label pointed, who moved it and when, latest first; goes back from there. */
export const openHistory = (props: HistoryProps): void =>
  openDialog({
    title: `History of the label “${props.label}”`,
    size: 'lg',
    content: <History {...props} />,
  });

const History = ({ promptId, label, version }: HistoryProps) => (
  <QueryBoundary query={useQuery(eventsQuery(promptId, label))}>
    {({ events }) => (
      <UsageEvents
        events={events}
        actions={({ from, to }) =>
          from &&
          to && (
            <Group>
              <CompareLink {...{ promptId, from, to }}>Compare</CompareLink>
              {from !== version && <BackButton {...{ promptId, label, from }} />}
            </Group>
          )
        }
      />
    )}
  </QueryBoundary>
);

interface BackButtonProps {
  promptId: string;
  label: string;
  /** The version that the label pointed to before. */
  from: string;
  /** Whether it is what should happen next. @default false */
  isUrgent?: boolean;
}

/** Points a label back to where it was before, for operators who may. */
export const BackButton = ({ promptId, label, from, isUrgent }: BackButtonProps) =>
  useProtection().mayMove(label) && (
    <Button
      size={isUrgent ? 'xs' : 'compact-xs'}
      {...(isUrgent ? { color: 'brick' } : { variant: 'subtle' })}
      onClick={() => openLabelForm({ promptId, label, version: from, isBack: true })}
      aria-label={`Back to ${from}: ${label}`}
      flex="none"
    >
      Back to {from}
    </Button>
  );
