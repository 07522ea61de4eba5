import { Group, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading, NotFound, Notice } from '../states.tsx';
import { When } from '../when.tsx';
import { type Deleted, RestoreButton, type RestoreButtonProps } from './restore-button.tsx';

export interface DeletedNoticeProps<Found> extends Omit<RestoreButtonProps, 'name'> {
  /** What it was: `prompt` or `secret`. */
  readonly kind: string;
  /** Looks it up among what can still be restored; null if it is not there. */
  readonly query: UseQueryResult<Found | null>;
  readonly nameOf: (found: Found) => string;
  /** The link to the list of deleted entries. */
  readonly list: ReactNode;
}

/** Shown instead of something that does not exist; restores it if possible. */
export const DeletedNotice = <Found extends Deleted>({
  kind,
  query: { isPending, data: found },
  nameOf,
  list,
  ...restoring
}: DeletedNoticeProps<Found>) => {
  if (isPending) return <Loading />;
  if (!found) return <NotFound what={kind} />;
  const { deletedAt, deletedBy, restorableUntil } = found;
  return (
    <Notice title={`This ${kind} was deleted`}>
      <Text size="md" className="cv-break">
        <strong>{nameOf(found)}</strong> was deleted <When at={deletedAt} short /> by {deletedBy}. It can be
        restored until <When at={restorableUntil} />.
      </Text>
      <Group gap="md">
        <RestoreButton name={nameOf(found)} {...restoring} />
        {list}
      </Group>
    </Notice>
  );
};
