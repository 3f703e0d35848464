import { expect, test } from 'vitest';
import { isMuted, type Levels, withLevel, withMuted } from '../../shared/team/power-levels.ts';

const mallory = '@mallory:h';

test('a muted user has a level below all that can be sent, and the default again afterwards', () => {
  const levels: Levels = { users: { '@ada:h': 100, [mallory]: 50 }, events: { 'm.room.name': 50 } };
  expect(isMuted(levels, mallory)).toBe(false);
  const muted = withMuted(levels, mallory);
  expect(muted).toEqual({ ...levels, users: { '@ada:h': 100, [mallory]: -1 } });
  expect(isMuted(muted, mallory)).toBe(true);
  expect(withLevel(muted, mallory, 50)).toEqual(levels);
  expect(withLevel(muted, mallory, undefined).users).toEqual({ '@ada:h': 100 });
  // Reactions are open to everyone, even muted users. Early room versions have levels as strings.
  const open: Levels = { events_default: '10', users_default: '10', events: { 'm.reaction': -5 } };
  expect(isMuted(open, mallory)).toBe(false);
  expect(withMuted(open, mallory).users).toEqual({ [mallory]: -6 });
});
