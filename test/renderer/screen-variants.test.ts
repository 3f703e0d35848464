/** Checks every screen in every state, zoomed, narrow and dark, with longer words, in German and right to left. */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { axeFaults, darkContrastFaults, repeatedParts } from './axe-faults.ts';
import { consoleStates } from './console-states.ts';
import { faultsInEachSize, type Size, sizes } from './layout-faults.ts';
import { screenStates } from './screens.ts';

const open = consoleStates();

/**
 * Sizes to check per language. The pseudo-language has the longest words; German words are shorter. Text direction
 * changes no widths.
 */
const languages: Record<string, Size[]> = {
  pseudo: ['zoomed', 'narrow', 'wide'],
  de: ['wide', 'zoomed'],
  'pseudo-rtl': ['zoomed', 'wide'],
};

test.each(screenStates)('$name, zoomed, narrow, wide and dark', async (state) => {
  const page = await open(state, sizes.zoomed);
  expect.soft(await faultsInEachSize(page, ['zoomed', 'narrow'])).toEqual({ zoomed: [], narrow: [] });
  await state.shows(page).waitFor();
  // Rows get their layout after they're measured.
  await expect.poll(async () => (await faultsInEachSize(page, ['wide'])).wide).toEqual([]);
  expect.soft(await axeFaults(page, await repeatedParts(page))).toEqual([]);
  expect.soft(await darkContrastFaults(page)).toEqual([]);
});

// Changing the language closes menus and dialogs.
test.each(screenStates.filter(({ reach, lasts }) => !reach || lasts))(
  '$name, in other languages',
  async (state) => {
    const page = await open(state, sizes.zoomed);
    for (const [language, inSizes] of Object.entries(languages)) {
      await speak(page, language);
      const found = await faultsInEachSize(page, inSizes);
      expect.soft(Object.values(found).flat(), language).toEqual([]);
    }
  },
);

async function speak(page: Page, language: string) {
  // Languages that differ only in direction have the same text.
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
