import { Box, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLate } from '../use-late.ts';

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
