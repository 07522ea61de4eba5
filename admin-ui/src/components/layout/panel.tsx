import { Badge, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { inDigits } from '../locale.ts';
import classes from './panel.module.css';

export interface PanelProps {
  readonly title: ReactNode;
  readonly count?: number;
  readonly actions?: ReactNode;
  /** Whether the title stays visible while the page scrolls. */
  readonly sticky?: boolean;
  /** A sentence in place of the content if there is none. */
  readonly nothing?: string | false;
  readonly children: ReactNode;
}

export const Panel = ({ title, count, actions, sticky, nothing, children }: PanelProps) => {
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <Group justify="space-between" className={classes.head} data-sticky={sticky} gap="xs">
        <Group gap="xs">
          <Title order={2} size="h3" id={id}>
            {title}
          </Title>
          {count !== undefined && <Badge color="gray">{inDigits(count)}</Badge>}
        </Group>
        {actions && <Group gap={6}>{actions}</Group>}
      </Group>
      {nothing ? <Text c="dimmed">{nothing}</Text> : children}
    </section>
  );
};

interface PartProps {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a panel or a dialog with its own title. */
export const Part = ({ title, action, children }: PartProps) => (
  <div>
    <Group justify="space-between" mb={4} gap="xs">
      <Title order={3}>{title}</Title>
      {action}
    </Group>
    {children}
  </div>
);
