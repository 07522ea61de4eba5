import { Badge, Group, type GroupProps, Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { inDigits } from '../locale.ts';

/** A surface with a border. */
export const Framed = Paper.withProps({ bd: '1px solid var(--cv-line)' });

const STICKY: GroupProps = {
  pos: 'sticky' as const,
  top: { base: '3rem', sm: 0 },
  style: { zIndex: 2 },
  py: '0.4rem',
  bg: 'var(--mantine-color-body)',
};

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
    <Framed component="section" p="0.75rem 0.9rem 0.9rem" miw={0} aria-labelledby={id}>
      <Group justify="space-between" mih="1.9rem" mb="0.5rem" gap="xs" {...(sticky && STICKY)}>
        <Group gap="xs">
          <Title order={2} size="h3" id={id}>
            {title}
          </Title>
          {count !== undefined && <Badge color="gray">{inDigits(count)}</Badge>}
        </Group>
        {actions && <Group gap={6}>{actions}</Group>}
      </Group>
      {nothing ? <Text c="dimmed">{nothing}</Text> : children}
    </Framed>
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
