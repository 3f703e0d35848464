import { expect, test } from 'vitest';
import { certificateState, isKeyExpiring } from '../../renderer/features/home/expiry.ts';

const hour = 3_600_000;
const now = 1_000 * hour;

test.each([
  ['expired', -1, true],
  ['expires within an hour', hour - 1, true],
  ['is valid for an hour', hour, false],
  ['is valid for a day', 24 * hour, false],
])('a signing key that %s', (_, left, expected) => {
  expect(isKeyExpiring(now + left, now)).toBe(expected);
});

test.each([
  [-1, 'expired'],
  [0, 'expiring'],
  [14 * 24 * hour - 1, 'expiring'],
  [14 * 24 * hour, 'valid'],
])('a certificate with %d ms left is %s', (left, expected) => {
  expect(certificateState(now + left, now)).toBe(expected);
});
