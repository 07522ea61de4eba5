import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { LIMITS } from '../../../../contract/limits.ts';
import { IconTrash } from '../icons.tsx';
import { MenuRefusal, MoreMenu } from '../more-menu.tsx';
import { confirmByName } from './confirm-by-name.tsx';

export interface DeleteMenuProps {
  /** What is deleted: `prompt` or `secret`. */
  readonly kind: string;
  readonly name: string;
  /** Deletes it; `confirmed` as in `confirmByName`. */
  readonly remove: (confirmed: boolean) => Promise<unknown>;
  /** Leaves the screen after the deletion. */
  readonly leave: () => Promise<unknown>;
  /** Why the operator cannot delete it. */
  readonly refusal?: string;
  readonly affected: ReactNode;
  /** What will happen. */
  readonly text: ReactNode;
  /** Items above it. */
  readonly children?: ReactNode;
}

/** A menu that deletes what the screen shows; it can be restored for some days. */
export const DeleteMenu = ({ kind, name, remove, leave, refusal, children, ...what }: DeleteMenuProps) => {
  const action = async (confirmed: boolean) => {
    await remove(confirmed);
    await leave();
  };
  const title = `Delete the ${kind}`;
  const done = `${name} is deleted. It can be restored for ${LIMITS.restoreDays} days.`;
  return (
    <MoreMenu variant="default" size={30} label="More actions">
      {children}
      {refusal && <MenuRefusal>{refusal}</MenuRefusal>}
      <Menu.Item
        color="var(--mantine-color-error)"
        disabled={refusal !== undefined}
        leftSection={<IconTrash size={15} />}
        onClick={() => confirmByName({ title, name, verb: 'Delete', action, done, ...what })}
      >
        {title}
      </Menu.Item>
    </MoreMenu>
  );
};
