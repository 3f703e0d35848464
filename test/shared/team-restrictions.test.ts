import { expect, test } from 'vitest';
import {
  isRestriction,
  type RestrictionId,
  type RestrictionState,
  restrictions,
} from '../../shared/team/restrictions.ts';

/** Both actions of a restriction: whether each applies in a state. */
test.each<[imposes: RestrictionId, lifts: RestrictionId, [RestrictionState, boolean, boolean][]]>([
  [
    'suspend-user',
    'unsuspend-user',
    [
      [{}, true, true],
      [{ user: {} }, true, true],
      [{ user: { suspended: false } }, true, false],
      [{ user: { suspended: true } }, false, true],
      [{ user: { suspended: false, deactivated: true } }, false, false],
      [{ user: { suspended: false, deactivated: 1 } }, false, false],
    ],
  ],
  [
    'lock-user',
    'unlock-user',
    [
      [{}, true, true],
      [{ user: { locked: false } }, true, false],
      [{ user: { locked: true } }, false, true],
      [{ user: { locked: false, deactivated: true } }, false, false],
    ],
  ],
  [
    'shadow-ban-user',
    'unshadow-ban-user',
    [
      [{}, true, true],
      [{ user: {} }, true, false],
      [{ user: { shadow_banned: false } }, true, false],
      [{ user: { shadow_banned: 0 } }, true, false],
      [{ user: { shadow_banned: true } }, false, true],
      [{ user: { shadow_banned: 1 } }, false, true],
      [{ user: { shadow_banned: false, deactivated: true } }, false, false],
    ],
  ],
  [
    'block-room',
    'unblock-room',
    [
      [{}, true, true],
      [{ blocked: false }, true, false],
      [{ blocked: true }, false, true],
    ],
  ],
  [
    'ban-member',
    'unban-member',
    [
      [{}, true, true],
      [{ membership: 'join' }, true, false],
      [{ membership: 'leave' }, true, false],
      [{ membership: 'ban' }, false, true],
    ],
  ],
  [
    'mute-member',
    'unmute-member',
    [
      [{}, true, false],
      [{ membership: 'join', muted: false }, true, false],
      [{ membership: 'join', muted: true }, false, true],
      [{ membership: 'join', muted: null }, true, true],
      [{ membership: 'leave', muted: false }, false, false],
      [{ membership: 'ban', muted: false }, false, false],
    ],
  ],
])('%s and %s apply where they would change something, or might', (imposes, lifts, states) => {
  for (const [state, isImposable, isLiftable] of states) {
    const applies = [restrictions[imposes].applies(state), restrictions[lifts].applies(state)];
    expect(applies, JSON.stringify(state)).toEqual([isImposable, isLiftable]);
  }
  expect([restrictions[imposes].inverse, restrictions[lifts].inverse]).toEqual([lifts, undefined]);
});

test.each([
  ['ban-member', true],
  ['delete-report', false],
  ['toString', false],
])('%s is a restriction: %s', (action, isOne) => {
  expect(isRestriction(action)).toBe(isOne);
});
