import { Button, Group, Text } from '@mantine/core';

/** Small secondary text, such as the second line of a cell. */
export const Small = Text.withProps({ size: 'xs', c: 'dimmed' });

/** A button in a row or in the head of a panel. */
export const RowButton = Button.withProps({ size: 'compact-xs', variant: 'default' });

/** An item of a list with lines between the items. */
export const Row = Group.withProps({ gap: '0.75rem', py: '0.5rem', fz: 'sm', wrap: 'nowrap' });
