import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Notice } from '../states.tsx';
import { When } from '../when.tsx';
import { type Deleted, RestoreButton, type RestoreButtonProps } from './deleted-list.tsx';

export interface DeletedNoticeProps extends RestoreButtonProps, Deleted {
  /** What it was: `prompt` or `secret`. */
  readonly kind: string;
  /** The way to the others that were deleted. */
  readonly list: ReactNode;
}

/** Stands in place of what was deleted and can still be brought back. */
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
