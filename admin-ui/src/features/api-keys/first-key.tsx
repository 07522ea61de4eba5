import { Button, List, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRole } from '../../api/session-context.tsx';
import { Notice } from '../../components/states.tsx';
import { openNewKey } from './new-key-dialog.tsx';

/** The empty state of the list of API keys. */
export const FirstKey = () => {
  const { can } = useRole();
  return (
    <Notice title="One key for each application">
      <Text size="md">
        An application sends an API key with every call. It can read what the key allows, nothing else.
      </Text>
      <List size="md" spacing={4}>
        <List.Item>
          A key reads prompts, secrets, or both. You can limit it to certain prompts, and to secrets with
          certain tags.
        </List.Item>
        <List.Item>You see the key once, when it is created. Only its digest is stored.</List.Item>
        <List.Item>Revoking a key takes effect with the next request.</List.Item>
      </List>
      {can('admin') ? (
        <Button size="sm" onClick={() => openNewKey()} leftSection={<IconPlus size={16} aria-hidden />}>
          Create the first API key
        </Button>
      ) : (
        <Text size="md" c="dimmed">
          Administrators can create API keys.
        </Text>
      )}
    </Notice>
  );
};
