import { paletteStore } from './palette.ts';

let isLoading = false;

/** Loads the palette's code, or what stands for it where it can't be had. */
export async function loadPalette<Part>(missing: Part) {
  isLoading = true;
  try {
    return await import('./CommandPalette.tsx');
  } catch {
    return missing;
  } finally {
    isLoading = false;
  }
}

/** Whether it was asked for, and its code is still on its way. */
export const isPaletteAwaited = () => isLoading && paletteStore.getState().opened;
