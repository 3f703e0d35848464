/** Nothing is lost in a narrow window, at 200% zoom, in longer words, or where one reads from right to left. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { consoleStates } from './console-states.ts';
import { layoutFaults } from './layout-faults.ts';
import { screenStates } from './screens.ts';

const open = consoleStates();

/** A window of 1280 by 800 at 200% has as much room as one of half the size. */
const sizes = { wide: [1280, 800], narrow: [720, 800], zoomed: [640, 400] } as const;

async function faultsInEachSize(page: Page) {
  const found: Record<string, string[]> = {};
  for (const [name, [width, height]] of Object.entries(sizes)) {
    await page.setViewportSize({ width, height });
    // Layout that follows the size in a script does so with the next frame.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    found[name] = await layoutFaults(page);
  }
  return found;
}

const none = { wide: [], narrow: [], zoomed: [] };

test.each(screenStates)('$name', async (state) => {
  await using opened = await open(state, {});
  expect(await faultsInEachSize(opened.page)).toEqual(none);
});

describe.each(['de', 'pseudo', 'pseudo-rtl'])('in %s', (language) => {
  // What is in the address is there again in another language; what was opened is not.
  test.each(screenStates.filter(({ reach, lasts }) => !reach || lasts))('$name', async (state) => {
    await using opened = await open(state, {});
    const { page } = opened;
    const words = await page.locator('body').innerText();
    await page.evaluate((chosen) => {
      localStorage.setItem('gatehouse.language', JSON.stringify(chosen));
      window.dispatchEvent(
        new StorageEvent('storage', { key: 'gatehouse.language', storageArea: localStorage }),
      );
    }, language);
    await expect.poll(() => page.locator('body').innerText()).not.toBe(words);
    expect(await faultsInEachSize(page)).toEqual(none);
  });
});
