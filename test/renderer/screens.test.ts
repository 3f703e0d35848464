/**
 * Checks every screen in every state with axe, and checks its layout. `screen-variants` varies sizes, themes and
 * languages.
 */
import { expect, test } from 'vitest';
import { axeFaults, repeatedParts } from './axe-faults.ts';
import { consoleStates } from './console-states.ts';
import { layoutFaults, sizes } from './layout-faults.ts';
import { screenStates } from './screens.ts';

const open = consoleStates();

test.each(screenStates)('$name', async (state) => {
  const page = await open(state, sizes.wide);
  await state.shows(page).waitFor();
  // Rows get their layout after they're measured.
  await expect.poll(() => layoutFaults(page)).toEqual([]);
  expect(await axeFaults(page, await repeatedParts(page))).toEqual([]);
});
