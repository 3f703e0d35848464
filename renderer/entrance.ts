/** Which screen the console opens with, where the address names none. */
import { Type } from 'typebox';
import { persisted } from './persisted.ts';

/**
 * Who read a report last comes back to the reports; everyone else, and whoever went home since, to the home.
 * Kept on this machine, for all servers: it says who sits here, not what they look at.
 */
export const entrance = () => persisted('gatehouse.entrance', Type.Enum(['home', 'reports']), 'home');

export function enteredBy(screen: 'home' | 'reports') {
  const kept = entrance();
  if (kept.read() !== screen) kept.write(screen);
}
