import { Type } from 'typebox';
import type { KeptValues } from './persisted.ts';

/** The start screen: the reports if the user opened a report since last visiting Home. For all servers of this device. */
export const startScreen = (kept: KeptValues) =>
  kept.open('gatehouse.entrance', Type.Enum(['home', 'reports']), 'home');

export function setStartScreen(kept: KeptValues, screen: 'home' | 'reports') {
  const stored = startScreen(kept);
  if (stored.read() !== screen) stored.write(screen);
}
