import { Box, Group, Menu, Text } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRole } from '../../../api/session-context.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { MenuRefusal, MoreMenu } from '../../../components/more-menu.tsx';
import { RowButton, Small } from '../../../components/small.tsx';
import { When } from '../../../components/when.tsx';
import { eventsQuery, type Prompt, type PromptEvent, type VersionRow } from '../prompt-queries.ts';
import { BackButton } from './back-button.tsx';
import { LabelBadge, VersionLink } from './label-badge.tsx';
import { confirmRemoval, NOT_COVERED, openHistory, openLabelForm, openProtection } from './label-dialogs.tsx';
import { useProtection } from './protected-labels.ts';

/** The labels of a prompt, their versions and their last moves. */
export const LabelsPanel = ({ prompt, versions }: { prompt: Prompt; versions: readonly VersionRow[] }) => {
  const { can } = useRole();
  // The rows work without it until it is loaded.
  const { data } = useQuery(eventsQuery(prompt.promptId));
  const { isProtected } = useProtection();
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
  const { isProtected, refusalOf, mayMove } = useProtection();
  const refusal = refusalOf(label);
  return (
    <Box component="li" py="0.15rem">
      <Group gap="xs" wrap="nowrap" justify="space-between">
        <LabelBadge label={label} />
        <Group gap={6} wrap="nowrap">
          <VersionLink version={version} />
          <MoreMenu label={`Actions for the label ${label}`}>
            {can('editor') && refusal && <MenuRefusal>{refusal}</MenuRefusal>}
            {can('editor') && (
              <Menu.Item
                disabled={refusal !== undefined}
                onClick={() => openLabelForm({ prompt, versions, label })}
              >
                Move to another version
              </Menu.Item>
            )}
            <Menu.Item onClick={() => openHistory({ prompt, versions, label, canMove: mayMove(label) })}>
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

const LastMove = ({ label, version, prompt: { promptId }, versions, events }: LabelRowProps) => {
  const last = lastMove({ label, version, events });
  if (!last) return null;
  const { from, at, actor } = last;
  return (
    <Group gap={6} justify="space-between" wrap="nowrap">
      <Small className="cv-break">
        from <span className="cv-mono">{from}</span> <When at={at} short /> by {actor}
      </Small>
      {versions.some((each) => each.version === from) && (
        <BackButton {...{ promptId, label, version, from, at }} />
      )}
    </Group>
  );
};
