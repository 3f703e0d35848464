import { createSpotlight } from '@mantine/spotlight';

/** Whether the command palette is open; it can be opened before its code is there. */
export const [paletteStore, palette] = createSpotlight();
