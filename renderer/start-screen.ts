import { Type } from 'typebox';
import { persisted } from './persisted.ts';

/** The start screen: the reports if the user opened a report since last visiting Home. For all servers of this device. */
export const startScreen = () => persisted('gatehouse.entrance', Type.Enum(['home', 'reports']), 'home');

export function setStartScreen(screen: 'home' | 'reports') {
  const stored = startScreen();
  if (stored.read() !== screen) stored.write(screen);
}
