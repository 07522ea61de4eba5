import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRole } from '../../../api/session-context.tsx';
import { notifyDone, notifyFailure } from '../../../components/dialogs/notify.tsx';
import { TextLink } from '../../../components/link.tsx';
import { When } from '../../../components/when.tsx';
import type { Prompt, PromptEvent, VersionRow } from '../prompt-queries.ts';
import { LabelBadge } from './label-badge.tsx';
import { confirmRemoval, openHistory, openLabelForm, openProtection, openRename } from './label-dialogs.tsx';
import { undoMove } from './label-moves.ts';
import { isReserved } from './label-names.ts';
import classes from './labels-panel.module.css';
import { useProtection } from './protected-labels.ts';

export interface LabelRowProps {
  readonly label: string;
  readonly version: string;
  readonly prompt: Prompt;
  readonly versions: readonly VersionRow[];
  /** The changes of the prompt, latest first. */
  readonly events: readonly PromptEvent[];
}

/** A label: its version, its last move with an undo button, and its actions. */
export const LabelRow = ({ label, version, prompt, versions, events }: LabelRowProps) => {
  const { can } = useRole();
  const { isProtected, refusalOf } = useProtection();
  const refusal = refusalOf(label);
  const canMove = can('editor') && !isReserved(label);
  return (
    <li className={classes.row}>
      <Group gap="xs" wrap="nowrap" justify="space-between">
        <LabelBadge label={label} />
        <Group gap={6} wrap="nowrap">
          <TextLink
            from="/prompts/$promptId"
            to="."
            search={(search) => ({ ...search, version })}
            resetScroll={false}
            className="cv-mono"
            size="sm"
          >
            {version}
          </TextLink>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={`Actions for the label ${label}`}>
                <IconDots size={15} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {can('editor') && refusal && (
                <Menu.Label maw={260} style={{ whiteSpace: 'normal' }}>
                  {refusal}
                </Menu.Label>
              )}
              {canMove && (
                <Menu.Item
                  disabled={refusal !== undefined}
                  onClick={() => openLabelForm({ prompt, versions, label })}
                >
                  Move to another version
                </Menu.Item>
              )}
              {can('editor') && (
                <Menu.Item
                  disabled={refusal !== undefined}
                  onClick={() => openRename({ prompt, label, version })}
                >
                  Rename
                </Menu.Item>
              )}
              <Menu.Item onClick={() => openHistory(prompt.promptId, label)}>History</Menu.Item>
              {can('admin') && (
                <Menu.Item onClick={() => openProtection(label, isProtected(label))}>
                  {isProtected(label) ? 'Remove the protection' : 'Protect'}
                </Menu.Item>
              )}
              {can('editor') && (
                <Menu.Item
                  color="var(--mantine-color-error)"
                  disabled={refusal !== undefined}
                  onClick={() => confirmRemoval({ prompt, label, version })}
                >
                  Remove
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Group>
      <LastMove label={label} version={version} prompt={prompt} versions={versions} events={events} />
    </li>
  );
};

const LastMove = ({ label, version, prompt, versions, events }: LabelRowProps) => {
  const { can } = useRole();
  const { refusalOf } = useProtection();
  const last = events.find((event) => event.label === label);
  const from = last?.type === 'label-set' && last.to === version ? last.from : undefined;
  const undo = useMutation({
    mutationFn: (earlier: string) => undoMove(prompt.promptId, label, version, earlier),
    onSuccess: (message) => notifyDone(message),
    onError: notifyFailure,
  });
  if (!last || !from) return null;
  const canUndo =
    can('editor') &&
    !isReserved(label) &&
    refusalOf(label) === undefined &&
    versions.some((row) => row.version === from);
  return (
    <Group gap={6} justify="space-between" wrap="nowrap">
      <Text size="xs" c="dimmed" className="cv-break">
        from <span className="cv-mono">{from}</span> <When at={last.at} short /> by {last.actor}
      </Text>
      {canUndo && (
        <Button
          size="compact-xs"
          variant="subtle"
          loading={undo.isPending}
          onClick={() => undo.mutate(from)}
          aria-label={`Undo the last move of ${label}: back to ${from}`}
          style={{ flexShrink: 0 }}
        >
          Undo
        </Button>
      )}
    </Group>
  );
};
