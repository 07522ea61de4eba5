import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { messageOf } from '../api/api-error.ts';

/** The page after a failed sign-in. */
export const StartFailure = ({ error }: { error: unknown }) => (
  <Center component="main" mih="100vh" p="lg">
    <Stack maw="28rem" gap="sm" align="flex-start">
      <Title order={1}>Sign-in failed</Title>
      <Text size="md" className="cv-break">
        {messageOf(error)}
      </Text>
      <Button size="sm" onClick={() => location.assign('/')}>
        Try again
      </Button>
    </Stack>
  </Center>
);

/** The page of a window for signing in again that the browser does not allow to close. */
export const WindowDone = () => (
  <Center component="main" mih="100vh" p="lg">
    <Text size="md">You are signed in. Close this window and continue in the other one.</Text>
  </Center>
);
