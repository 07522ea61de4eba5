import { Badge } from '@mantine/core';

/** Says that a prompt or a version is a chat; a text needs no sign. */
export const ChatBadge = () => (
  <Badge color="gray" variant="outline">
    chat
  </Badge>
);
