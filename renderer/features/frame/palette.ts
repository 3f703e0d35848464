import { createSpotlight } from '@mantine/spotlight';

/** Whether the command palette is open. */
export const [paletteStore, palette] = createSpotlight();
