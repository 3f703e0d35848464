import { vi } from 'vitest';
import { patience } from './patience.ts';

/** Looks again and again until it doesn't throw any more, and gives what was found. */
export const until = <Found>(look: () => Found | Promise<Found>): Promise<Found> =>
  vi.waitFor(look, { timeout: patience });
