import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconTag } from '@tabler/icons-react';
import { useState } from 'react';
import { useRole } from '../../../api/session-context.tsx';
import { Panel } from '../../../components/layout/panel.tsx';
import { TextLink } from '../../../components/link.tsx';
import type { Prompt, VersionRow } from '../prompt-queries.ts';
import { LabelBadge } from './label-badge.tsx';
import { LabelDialog } from './label-dialog.tsx';
import { LabelRemoval } from './label-removal.tsx';
import classes from './labels-panel.module.css';

interface LabelsProps {
  readonly prompt: Prompt;
  readonly versions: readonly VersionRow[];
}

/** The labels of a prompt and what each of them serves. */
export const LabelsPanel = ({ prompt, versions }: LabelsProps) => {
  const { can } = useRole();
  const [opened, { open, close }] = useDisclosure();
  return (
    <Panel
      title="Labels"
      actions={
        can('editor') && (
          <Button
            variant="default"
            size="compact-xs"
            onClick={open}
            leftSection={<IconTag size={13} aria-hidden />}
          >
            Set a label
          </Button>
        )
      }
    >
      {prompt.labels.length === 0 ? (
        <Text size="sm" c="dimmed">
          None yet. A label such as <code>production</code> lets applications follow the version that you
          choose.
        </Text>
      ) : (
        <ul className={classes.list}>
          {prompt.labels.map((entry) => (
            <Row key={entry.label} {...entry} prompt={prompt} versions={versions} />
          ))}
        </ul>
      )}
      <LabelDialog opened={opened} onClose={close} prompt={prompt} versions={versions} />
    </Panel>
  );
};

const Row = ({ label, version, prompt, versions }: LabelsProps & { label: string; version: string }) => {
  const { can } = useRole();
  const [dialog, setDialog] = useState<'move' | 'remove'>();
  const close = () => setDialog(undefined);
  return (
    <li className={classes.row}>
      <LabelBadge label={label} />
      <Group gap={6} ml="auto" wrap="nowrap">
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
        {can('editor') && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={`Actions for the label ${label}`}
              >
                <IconDots size={15} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setDialog('move')}>Move to another version</Menu.Item>
              <Menu.Item color="brick" onClick={() => setDialog('remove')}>
                Remove
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      <LabelDialog
        opened={dialog === 'move'}
        onClose={close}
        prompt={prompt}
        versions={versions}
        label={label}
      />
      <LabelRemoval
        opened={dialog === 'remove'}
        onClose={close}
        prompt={prompt}
        label={label}
        version={version}
      />
    </li>
  );
};
