/** Checks every screen in every state with axe, light and dark, and its layout in a narrow window and at 200% zoom. */
import { expect, test } from 'vitest';
import { axeFaults } from './axe-faults.ts';
import { consoleStates } from './console-states.ts';
import { faultsInEachSize, sizes } from './layout-faults.ts';
import { screenStates } from './screens.ts';

const open = consoleStates();

const none = { wide: [], narrow: [], zoomed: [] };

test.each(screenStates)('$name', async (state) => {
  const page = await open(state, sizes.zoomed);
  expect.soft(await faultsInEachSize(page, ['zoomed', 'narrow', 'wide'])).toEqual(none);
  await state.shows(page).waitFor();
  expect.soft(await axeFaults(page)).toEqual([]);
});
