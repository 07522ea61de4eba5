import { Alert, type AlertProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { messageOfChange } from '../../api/api-error.ts';

interface RefusalProps extends Pick<AlertProps, 'mb'> {
  /** The error of a mutation, or `null`. */
  readonly error: unknown;
  /** Text to add to the message. */
  readonly children?: ReactNode;
}

export const Refusal = ({ error, children, ...rest }: RefusalProps) =>
  error === null || error === undefined ? null : (
    <Alert color="brick" role="alert" {...rest}>
      {messageOfChange(error)}
      {children}
    </Alert>
  );
