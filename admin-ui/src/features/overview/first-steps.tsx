import { Group, List, Text } from '@mantine/core';
import { useRole } from '../../api/session-context.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import { ButtonLink } from '../../components/link.tsx';

/** What to do first, while there is nothing. */
export const FirstSteps = () => {
  const { can } = useRole();
  return (
    <Panel title="Get started">
      <Text mb="xs">Cuevault keeps prompts and secrets for your applications. Three steps:</Text>
      <List type="ordered" spacing={4} mb="sm">
        <List.Item>Write a prompt, or import the secrets of a .env file.</List.Item>
        <List.Item>Create an API key for the application.</List.Item>
        <List.Item>Call the service with it; what was fetched, when and by whom then shows here.</List.Item>
      </List>
      {can('editor') && (
        <Group gap="xs">
          <ButtonLink to="/prompts/new" size="xs">
            Write a prompt
          </ButtonLink>
          <ButtonLink to="/secrets/import" size="xs" variant="default">
            Import a .env file
          </ButtonLink>
          {can('admin') && (
            <ButtonLink to="/api-keys" size="xs" variant="default">
              Create an API key
            </ButtonLink>
          )}
        </Group>
      )}
    </Panel>
  );
};
