import { createSpotlight } from '@mantine/spotlight';

/** Opens and closes the command palette. Separate from the palette, which loads later. */
export const [commandsStore, commands] = createSpotlight();
