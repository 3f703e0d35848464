/** WCAG AA: text has a contrast of 4.5:1 on all its backgrounds, in both color schemes. */
import { DEFAULT_THEME } from '@mantine/core';
import { expect, test } from 'vitest';
import { cssVariables } from '../../renderer/theme.ts';

const { light, dark } = cssVariables(DEFAULT_THEME);

const surfaces = ['surface', 'sunken', 'raised', 'chrome', 'hover', 'selected', 'marked'];
const pairs: [text: string, surface: string][] = [
  ...surfaces.flatMap((surface): [string, string][] => [
    ['text', surface],
    ['dim', surface],
    ['accent', surface],
  ]),
  ...['surface', 'hover', 'selected'].flatMap((surface): [string, string][] => [
    ['danger', surface],
    ['warning', surface],
    ['success', surface],
    ['info', surface],
    ['code-key', surface],
    ['code-string', surface],
    ['code-number', surface],
    ['code-constant', surface],
  ]),
  ['danger', 'danger-fill'],
  ['warning', 'warning-fill'],
  ['success', 'success-fill'],
  ['info', 'info-fill'],
  ['warning', 'sunken'],
];

function luminance(color: string): number {
  const channels = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

test.each([
  ['light', light],
  ['dark', dark],
])('text has enough contrast: %s', (_, tokens) => {
  const poor = pairs
    .map(([text, surface]) => ({
      pair: `${text} on ${surface}`,
      ratio: contrast(String(tokens[`--gh-${text}`]), String(tokens[`--gh-${surface}`])),
    }))
    .filter(({ ratio }) => ratio < 4.5);
  expect(poor).toEqual([]);
});
