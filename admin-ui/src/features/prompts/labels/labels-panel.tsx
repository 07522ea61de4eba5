import { Alert, Box, Button, Group, Menu, Text } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRole } from '../../../api/session-context.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { MenuRefusal, MoreMenu } from '../../../components/more-menu.tsx';
import { RowButton, Small } from '../../../components/small.tsx';
import { When } from '../../../components/when.tsx';
import { eventsQuery, type Prompt, type PromptEvent, type VersionRow } from '../prompt-queries.ts';
import { LabelBadge, VersionLink } from './label-badge.tsx';
import {
  confirmRemoval,
  NOT_COVERED,
  openHistory,
  openLabelForm,
  openProtection,
  openRename,
  openRollBack,
} from './label-dialogs.tsx';
import { isReserved } from './label-names.ts';
import { useProtection } from './protected-labels.ts';

/** The labels of a prompt, their versions and their last moves. */
export const LabelsPanel = ({ prompt, versions }: { prompt: Prompt; versions: readonly VersionRow[] }) => {
  const { can } = useRole();
  // The rows work without it until it is loaded.
  const { data } = useQuery(eventsQuery(prompt.promptId));
  const { isProtected } = useProtection();
  const reserved = prompt.labels.find(({ label }) => isReserved(label));
  return (
    <Panel
      title="Labels"
      actions={
        can('editor') && (
          <RowButton
            onClick={() => openLabelForm({ prompt, versions })}
            leftSection={<IconTag size={13} aria-hidden />}
          >
            Set a label
          </RowButton>
        )
      }
    >
      {prompt.labels.length === 0 ? (
        <Text c="dimmed">
          None yet. A label such as <code>production</code> lets applications follow the version that you
          choose.
        </Text>
      ) : (
        <ul className="cv-list cv-rows">
          {prompt.labels.map((entry) => (
            <LabelRow
              key={entry.label}
              {...entry}
              prompt={prompt}
              versions={versions}
              events={data?.events ?? []}
            />
          ))}
        </ul>
      )}
      {prompt.labels.some(({ label }) => isProtected(label)) && (
        <Small mt="xs">Only administrators move a protected label. {NOT_COVERED}</Small>
      )}
      {reserved && (
        <Alert color="amber" mt="xs" p="xs" title={`Rename the label ${reserved.label}`}>
          <Text>
            It serves {reserved.version}, while callers that ask for no label get {prompt.latest}. A label can
            no longer have this name.
          </Text>
        </Alert>
      )}
    </Panel>
  );
};

interface LabelRowProps {
  readonly label: string;
  readonly version: string;
  readonly prompt: Prompt;
  readonly versions: readonly VersionRow[];
  /** The changes of the prompt, latest first. */
  readonly events: readonly PromptEvent[];
}

/** A label: its version, its last move with a button that reverts it, and its actions. */
const LabelRow = ({ label, version, prompt, versions, events }: LabelRowProps) => {
  const { can } = useRole();
  const { isProtected, refusalOf } = useProtection();
  const refusal = refusalOf(label);
  const canMove = can('editor') && !isReserved(label);
  return (
    <Box component="li" py="0.15rem">
      <Group gap="xs" wrap="nowrap" justify="space-between">
        <LabelBadge label={label} />
        <Group gap={6} wrap="nowrap">
          <VersionLink version={version} />
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

/** The last move of a label, if it led to this version from another one. */
export const lastMove = ({ label, version, events }: Pick<LabelRowProps, 'label' | 'version' | 'events'>) => {
  const last = events.find((event) => event.label === label);
  const from = last?.type === 'label-set' && last.to === version ? last.from : undefined;
  return last && from ? { ...last, from } : undefined;
};

const LastMove = (row: LabelRowProps) => {
  const last = lastMove(row);
  if (!last) return null;
  return (
    <Group gap={6} justify="space-between" wrap="nowrap">
      <Small className="cv-break">
        from <span className="cv-mono">{last.from}</span> <When at={last.at} short /> by {last.actor}
      </Small>
      <BackButton {...row} />
    </Group>
  );
};

/** Points a label back to where it was before its last move, for operators who may. */
export const BackButton = (row: LabelRowProps) => {
  const { can } = useRole();
  const { refusalOf } = useProtection();
  const { prompt, label, version, versions } = row;
  const last = lastMove(row);
  const canRollBack =
    can('editor') &&
    !isReserved(label) &&
    refusalOf(label) === undefined &&
    versions.some((each) => each.version === last?.from);
  if (!canRollBack || !last) return null;
  const { from, at: movedAt } = last;
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      onClick={() => openRollBack({ prompt, label, version, from, movedAt })}
      aria-label={`Back to ${from}: ${label}`}
      style={{ flexShrink: 0 }}
    >
      Back to {from}
    </Button>
  );
};
