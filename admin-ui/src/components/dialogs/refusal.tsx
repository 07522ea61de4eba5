import { Alert, type AlertProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { messageOf } from '../../api/api-error.ts';

interface RefusalProps extends Pick<AlertProps, 'mb'> {
  /** What a mutation has thrown; `null` for nothing. */
  readonly error: unknown;
  /** What to add to the sentence. */
  readonly children?: ReactNode;
}

/** Says why the service refused what was sent. */
export const Refusal = ({ error, children, ...rest }: RefusalProps) =>
  error === null || error === undefined ? null : (
    <Alert color="brick" role="alert" {...rest}>
      {messageOf(error)}
      {children}
    </Alert>
  );
