/**
 * Checks each screen once with axe, and checks its layout. `screen-variants` checks every state, and varies sizes,
 * themes and languages.
 */
import { expect, test } from 'vitest';
import { axeFaults, repeatedParts } from './axe-faults.ts';
import { consoleStates } from './console-states.ts';
import { layoutFaults, sizes } from './layout-faults.ts';
import { type ScreenState, screenStates } from './screens.ts';

const open = consoleStates();

/** A state's name is that of its screen, often with a comma and details. */
const screenOf = ({ name, path }: ScreenState) => `${name.split(',')[0]} ${path.split('?')[0]}`;
const oneOfEach = [...Map.groupBy(screenStates, screenOf).values()].map(
  (states) => states.find(({ name }) => !name.includes(',')) ?? states[0],
);

test.each(oneOfEach as ScreenState[])('$name', async (state) => {
  const page = await open(state, sizes.wide);
  await state.shows(page).waitFor();
  // Rows get their layout after they're measured.
  await expect.poll(() => layoutFaults(page)).toEqual([]);
  expect(await axeFaults(page, await repeatedParts(page))).toEqual([]);
});
