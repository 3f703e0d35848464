/** Keyboard focus on links in tables is visible on all sides. */
import { expect, test } from 'vitest';
import { consoleStates } from './console-states.ts';

const open = consoleStates();

const sides = ['left', 'right', 'top', 'bottom'] as const;

test.each([
  ['light', 900],
  ['dark', 1600],
] as const)('in the first column, %s, at a width of %i', async (colorScheme, width) => {
  const page = await open(
    { name: 'users', path: '/users', shows: (screen) => screen.locator('tbody a').first() },
    [width, 800],
  );
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const link = page.locator('tbody a').first();
  await page.keyboard.press('Tab');
  await link.focus();
  expect(await link.evaluate((element) => element.matches(':focus-visible'))).toBe(true);
  const box = await link.boundingBox();
  if (!box) throw new Error('the link is nowhere');
  const { x, y } = box;
  /** The pixels one to three pixels outside of the link. */
  const strip = {
    left: { x: x - 2, y, width: 1, height: box.height },
    right: { x: x + box.width + 1, y, width: 1, height: box.height },
    top: { x, y: y - 2, width: box.width, height: 1 },
    bottom: { x, y: y + box.height + 1, width: box.width, height: 1 },
  };
  const look = async () => {
    const seen = [];
    for (const side of sides) seen.push((await page.screenshot({ clip: strip[side] })).toString('base64'));
    return seen;
  };
  const focused = await look();
  await link.evaluate((element) => {
    element.style.outlineColor = 'transparent';
  });
  const without = await look();
  expect(sides.filter((_, index) => focused[index] === without[index])).toEqual([]);
});
