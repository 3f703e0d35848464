import { vi } from 'vitest';
import { patience } from './patience.ts';

/** Polls until `look` doesn't throw, and returns its result. */
export const until = <Found>(look: () => Found | Promise<Found>): Promise<Found> =>
  vi.waitFor(look, { timeout: patience });
