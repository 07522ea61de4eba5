import {
  Badge,
  Box,
  type BoxProps,
  Button,
  Group,
  type GroupProps,
  Loader,
  Paper,
  SimpleGrid,
  Text,
  Title,
} from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { IconCircle, IconCircleCheck } from '../icons.tsx';
import { inDigits } from '../locale.ts';
import { Row } from '../small.tsx';
import { useLate } from '../use-late.ts';

const GRID = { gridTemplateColumns: '6.5rem minmax(0, 1fr)', gap: '0.45rem 0.75rem' };

export const Facts = ({ children }: { children: ReactNode }) => (
  <Box component="dl" display="grid" m={0} fz="sm" style={GRID}>
    {children}
  </Box>
);

/** A name with what is known about it; nothing shows as `none`. */
export const Fact = ({ name, children = null }: { name: string; children: ReactNode }) => (
  <>
    <Text component="dt" inherit c="dimmed">
      {name}
    </Text>
    <Text component="dd" inherit m={0} className="cv-break" {...(children === null && { c: 'dimmed' })}>
      {children ?? 'none'}
    </Text>
  </>
);

/** Shows that the content is about to be replaced, if that takes more than 300 ms. */
export const Refreshing = ({ when, children }: { when: boolean; children: ReactNode }) => {
  const shown = useLate(when);
  return (
    <Box pos="relative" aria-busy={when}>
      {shown && (
        <Loader
          size="sm"
          pos="absolute"
          top="0.55rem"
          right="0.75rem"
          style={{ zIndex: 1 }}
          aria-label="Loading"
        />
      )}
      <Box {...(shown && { opacity: 0.55 })}>{children}</Box>
    </Box>
  );
};

const SHOWN = 5;

/** The first items of a list, and a button that shows the others. */
export const FirstFew = ({ children, ...look }: BoxProps & { readonly children: readonly ReactNode[] }) => {
  const [all, setAll] = useState(false);
  return (
    <>
      {children.length > 0 && (
        <Box component="ul" {...look}>
          {all ? children : children.slice(0, SHOWN)}
        </Box>
      )}
      {children.length > SHOWN && !all && (
        <Button variant="subtle" size="compact-xs" onClick={() => setAll(true)}>
          Show all {children.length}
        </Button>
      )}
    </>
  );
};

/** A step of a list. */
export const Step = ({ isDone, children }: { isDone: boolean; children: ReactNode }) => {
  const Icon = isDone ? IconCircleCheck : IconCircle;
  return (
    <Row component="li" align="flex-start">
      <Icon
        size={18}
        aria-hidden={false}
        role="img"
        aria-label={isDone ? 'Done' : 'To do'}
        color={isDone ? 'var(--mantine-color-spruce-text)' : 'var(--mantine-color-dimmed)'}
        style={{ flexShrink: 0 }}
      />
      <div className="cv-grow">{children}</div>
    </Row>
  );
};

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
      <Group justify="space-between" mih="1.9rem" mb="0.5rem" {...(sticky && STICKY)}>
        <Group>
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

/** Two panels beside each other, or one above the other in narrow windows. */
export const Columns = SimpleGrid.withProps({ cols: { base: 1, md: 2 }, style: { alignItems: 'start' } });

interface PartProps {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a panel or a dialog with its own title. */
export const Part = ({ title, action, children }: PartProps) => (
  <div>
    <Group justify="space-between" mb={4}>
      <Title order={3}>{title}</Title>
      {action}
    </Group>
    {children}
  </div>
);
