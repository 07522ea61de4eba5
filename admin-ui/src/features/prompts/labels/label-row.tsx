import { Box, Button, Group, Menu } from '@mantine/core';
import { useRole } from '../../../api/session-context.tsx';
import { TextLink } from '../../../components/link.tsx';
import { MenuRefusal, MoreMenu } from '../../../components/more-menu.tsx';
import { Small } from '../../../components/small.tsx';
import { When } from '../../../components/when.tsx';
import type { Prompt, PromptEvent, VersionRow } from '../prompt-queries.ts';
import { LabelBadge } from './label-badge.tsx';
import {
  confirmRemoval,
  openHistory,
  openLabelForm,
  openProtection,
  openRename,
  openRollBack,
} from './label-dialogs.tsx';
import { isReserved } from './label-names.ts';
import { useProtection } from './protected-labels.ts';

export interface LabelRowProps {
  readonly label: string;
  readonly version: string;
  readonly prompt: Prompt;
  readonly versions: readonly VersionRow[];
  /** The changes of the prompt, latest first. */
  readonly events: readonly PromptEvent[];
}

/** A label: its version, its last move with a button that reverts it, and its actions. */
export const LabelRow = ({ label, version, prompt, versions, events }: LabelRowProps) => {
  const { can } = useRole();
  const { isProtected, refusalOf } = useProtection();
  const refusal = refusalOf(label);
  const canMove = can('editor') && !isReserved(label);
  return (
    <Box component="li" py="0.15rem">
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
          <MoreMenu label={`Actions for the label ${label}`}>
            {can('editor') && refusal && <MenuRefusal>{refusal}</MenuRefusal>}
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
            <Menu.Item
              onClick={() =>
                openHistory({ prompt, versions, label, canMove: canMove && refusal === undefined })
              }
            >
              History
            </Menu.Item>
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
          </MoreMenu>
        </Group>
      </Group>
      <LastMove label={label} version={version} prompt={prompt} versions={versions} events={events} />
    </Box>
  );
};

const LastMove = ({ label, version, prompt, versions, events }: LabelRowProps) => {
  const { can } = useRole();
  const { refusalOf } = useProtection();
  const last = events.find((event) => event.label === label);
  const from = last?.type === 'label-set' && last.to === version ? last.from : undefined;
  if (!last || !from) return null;
  const canRollBack =
    can('editor') &&
    !isReserved(label) &&
    refusalOf(label) === undefined &&
    versions.some((row) => row.version === from);
  return (
    <Group gap={6} justify="space-between" wrap="nowrap">
      <Small className="cv-break">
        from <span className="cv-mono">{from}</span> <When at={last.at} short /> by {last.actor}
      </Small>
      {canRollBack && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => openRollBack({ prompt, label, version, from, movedAt: last.at })}
          aria-label={`Back to ${from}: ${label}`}
          style={{ flexShrink: 0 }}
        >
          Back to {from}
        </Button>
      )}
    </Group>
  );
};
