import { Badge, Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { inDigits } from '../locale.ts';
import classes from './panel.module.css';

export interface PanelProps {
  readonly title: ReactNode;
  readonly count?: number;
  readonly actions?: ReactNode;
  /** Whether the title stays visible while the page scrolls. */
  readonly sticky?: boolean;
  readonly children: ReactNode;
}

/** A part of a screen with its own title. */
export const Panel = ({ title, count, actions, sticky, children }: PanelProps) => {
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <Group justify="space-between" className={classes.head} data-sticky={sticky} gap="xs">
        <Group gap="xs">
          <Title order={2} size="h3" id={id}>
            {title}
          </Title>
          {count !== undefined && (
            <Badge color="gray" size="sm">
              {inDigits(count)}
            </Badge>
          )}
        </Group>
        {actions && <Group gap={6}>{actions}</Group>}
      </Group>
      {children}
    </section>
  );
};
