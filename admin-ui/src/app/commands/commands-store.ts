import { createSpotlight } from '@mantine/spotlight';

/** Opens and closes the command palette. Separate from the palette, which loads later. */
export const [commandsStore, commands] = createSpotlight();

/** Opens and closes the list of keyboard shortcuts. */
export const [helpStore, help] = createSpotlight();
