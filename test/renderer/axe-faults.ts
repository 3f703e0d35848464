import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns what axe finds in the page, as `rule: element`. */
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return run(page, {});
}

/** Switches the page to dark and returns the contrasts that axe finds too low: a theme changes only colors. */
export async function darkContrastFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  return run(page, { runOnly: ['color-contrast'] });
}

async function run(page: Page, options: RunOptions): Promise<string[]> {
  const { violations } = await page.evaluate(
    (given) =>
      (window as unknown as { axe: typeof import('axe-core') }).axe.run(given) as Promise<AxeResults>,
    // What is as it should be is counted and not described.
    { ...options, resultTypes: ['violations' as const] },
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}\n${failureSummary}`),
  );
}
