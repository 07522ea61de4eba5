import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Notice } from '../states.tsx';
import { When } from '../when.tsx';
import { type Deleted, RestoreButton, type RestoreButtonProps } from './restore-button.tsx';

export interface DeletedNoticeProps extends RestoreButtonProps, Deleted {
  /** What it was: `prompt` or `secret`. */
  readonly kind: string;
  /** The link to the list of deleted entries. */
  readonly list: ReactNode;
}

/** Shown instead of something deleted that can still be restored. */
export const DeletedNotice = ({
  kind,
  list,
  deletedAt,
  deletedBy,
  restorableUntil,
  name,
  restore,
  show,
}: DeletedNoticeProps) => (
  <Notice title={`This ${kind} was deleted`}>
    <Text className="cv-break">
      <strong>{name}</strong> was deleted <When at={deletedAt} short /> by {deletedBy}. It can be restored
      until <When at={restorableUntil} />.
    </Text>
    <Group gap="md">
      <RestoreButton name={name} restore={restore} show={show} />
      {list}
    </Group>
  </Notice>
);
