import { Button, Group, List, Text } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { useRole } from '../../../api/session-context.tsx';
import { ButtonLink } from '../../../components/link.tsx';
import { Notice } from '../../../components/states.tsx';
import { openNewSecret } from '../new-secret-dialog.tsx';

export const FirstSecret = () => {
  const { can } = useRole();
  return (
    <Notice title="Put passwords and tokens here, not into files">
      <Text size="md">
        A secret is a value under the name that an application expects in its environment, such as{' '}
        <code>DATABASE_URL</code>. Applications read it with an API key.
      </Text>
      <List size="md" spacing={4}>
        <List.Item>
          A value is sealed when you save it. Nobody can look at it here again, administrators included: it
          can only be replaced or deleted.
        </List.Item>
        <List.Item>
          The last ten values are kept, so that you can roll back to one without seeing it.
        </List.Item>
        <List.Item>
          Tags decide which API key sees what: a key may be limited to secrets with a tag.
        </List.Item>
      </List>
      {can('editor') ? (
        <Group gap="xs">
          <Button size="sm" onClick={() => openNewSecret()} leftSection={<IconPlus size={16} aria-hidden />}>
            Add the first secret
          </Button>
          <ButtonLink
            size="sm"
            to="/secrets/import"
            variant="default"
            leftSection={<IconFileImport size={16} aria-hidden />}
          >
            Import a .env file
          </ButtonLink>
        </Group>
      ) : (
        <Text size="md" c="dimmed">
          Editors and administrators can add secrets.
        </Text>
      )}
    </Notice>
  );
};
