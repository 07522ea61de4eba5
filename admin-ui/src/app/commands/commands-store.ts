import { createSpotlight } from '@mantine/spotlight';

/** Whether the command palette is open, and what opens and closes it: apart from the palette, which loads later. */
export const [commandsStore, commands] = createSpotlight();
