import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './facts.module.css';

export const Facts = ({ children }: { children: ReactNode }) => <dl className={classes.facts}>{children}</dl>;

/** A name with what is known about it; nothing shows as `none`. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>
      {children ?? (
        <Text span inherit c="dimmed">
          none
        </Text>
      )}
    </dd>
  </>
);
