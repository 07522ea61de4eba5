import { UnstyledButton, type UnstyledButtonProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import { useOperator } from '../../api/session-context.tsx';
import { Icon } from '../../components/icons.tsx';
import classes from './user-button.module.css';

const ROLE_NAMES = { viewer: 'Viewer', editor: 'Editor', admin: 'Administrator' } as const;

/** Who is signed in; the target of the user menu. */
export const UserButton = (props: UnstyledButtonProps & ComponentProps<'button'>) => {
  const { email, role } = useOperator();
  return (
    <UnstyledButton {...props} className={classes.button}>
      <span className={classes.who}>
        <span className={classes.email}>{email}</span>
        <span className={classes.role}>{role ? ROLE_NAMES[role] : 'No role'}</span>
      </span>
      <Icon name="selector" />
    </UnstyledButton>
  );
};
