/**
 * Every screen in every state: nothing that axe knows stands in anyone's way, in light and dark, and nothing is
 * lost in a narrow window, at 200% zoom, in longer words, or where one reads from right to left.
 */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { consoleStates } from './console-states.ts';
import { layoutFaults } from './layout-faults.ts';
import { screenStates } from './screens.ts';

const open = consoleStates();

/**
 * A window of 1280 by 800 at 200% has as much room as one of half the size. It is the first: what is opened
 * where there is little room has to be on the screen there.
 */
const sizes = { zoomed: [640, 400], narrow: [720, 800], wide: [1280, 800] } as const;

type Size = keyof typeof sizes;

async function faultsInEachSize(page: Page, inOrder: readonly Size[]) {
  const found: Record<string, string[]> = {};
  for (const name of inOrder) {
    const [width, height] = sizes[name];
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

/**
 * In which sizes, from the one that the page has: each change of it lays everything out again. The longest words are
 * looked at in all of them; German ones are shorter, and another direction changes no widths.
 */
const languages: Record<string, Size[]> = {
  pseudo: ['wide', 'narrow', 'zoomed'],
  de: ['zoomed'],
  'pseudo-rtl': ['zoomed', 'wide'],
};

test.each(screenStates)('$name', async (state) => {
  const page = await open(state, sizes.zoomed);
  expect.soft(await faultsInEachSize(page, ['zoomed', 'narrow', 'wide'])).toEqual(none);
  await state.shows(page).waitFor();
  expect.soft(await axeFaults(page)).toEqual([]);
  // What is in the address is there again in another language; what was opened is not.
  if (state.reach && !state.lasts) return;
  for (const [language, inSizes] of Object.entries(languages)) {
    await speak(page, language);
    const found = await faultsInEachSize(page, inSizes);
    expect.soft(Object.values(found).flat(), language).toEqual([]);
  }
});

async function speak(page: Page, language: string) {
  // Languages that differ in their direction alone have the same words.
  const said = () => page.evaluate(() => document.documentElement.dir + document.body.innerText);
  const before = await said();
  await page.evaluate((chosen) => {
    localStorage.setItem('gatehouse.language', JSON.stringify(chosen));
    window.dispatchEvent(
      new StorageEvent('storage', { key: 'gatehouse.language', storageArea: localStorage }),
    );
  }, language);
  await expect.poll(said).not.toBe(before);
}
