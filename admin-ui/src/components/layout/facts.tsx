import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';

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
