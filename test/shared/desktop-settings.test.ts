import { expect, test } from 'vitest';
import { isQuiet } from '../../shared/desktop-settings.ts';

const at = (time: string) => new Date(`2026-03-01T${time}:00`);

test.each([
  ['22:00', '07:00', '21:59', false],
  ['22:00', '07:00', '22:00', true],
  ['22:00', '07:00', '00:00', true],
  ['22:00', '07:00', '06:59', true],
  ['22:00', '07:00', '07:00', false],
  ['12:00', '13:30', '13:29', true],
  ['12:00', '13:30', '13:30', false],
  ['12:00', '13:30', '00:00', false],
  ['00:00', '00:00', '00:00', false],
])('quiet hours from %s to %s at %s: %s', (from, to, time, quiet) => {
  expect(isQuiet({ from, to }, at(time))).toBe(quiet);
});

test('without quiet hours it is never quiet', () => {
  expect(isQuiet(undefined, at('03:00'))).toBe(false);
});
