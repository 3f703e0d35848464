/** Nothing that axe knows stands in anyone's way, on any screen, in any state, in light and dark. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { consoleStates } from './console-states.ts';
import { screenStates } from './screens.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const open = consoleStates();

/** What is wrong, as `rule: where`. */
async function violations(page: Page, options: RunOptions = {}): Promise<string[]> {
  const { violations: found } = await page.evaluate(
    (given) =>
      (window as unknown as { axe: typeof import('axe-core') }).axe.run(given) as Promise<AxeResults>,
    options,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}\n${failureSummary}`),
  );
}

test.each(screenStates)('$name', async (state) => {
  await using opened = await open(state, { viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
  const { page } = opened;
  await page.evaluate(axe);
  expect(await violations(page)).toEqual([]);
  // Another theme changes colours and nothing else.
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  expect(await violations(page, { runOnly: ['color-contrast'] })).toEqual([]);
});
