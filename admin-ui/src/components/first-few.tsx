import { Box, type BoxProps, Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';

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
