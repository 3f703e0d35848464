import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns axe's violations on the page as `rule: element`.
 *
 * @param exclude selectors of parts to skip
 */
export async function axeFaults(page: Page, exclude: string[] = []): Promise<string[]> {
  await load(page);
  return run(page, {}, exclude);
}

/** Returns selectors for repetitive parts: later rows, and everything behind a modal dialog. */
export const repeatedParts = async (page: Page) =>
  (await page.locator('[aria-modal="true"]').count()) > 0
    ? ['main']
    : ['[role="option"]:nth-child(n+7)', 'tbody > tr:nth-child(n+7)'];

/** Switches the page to dark mode and returns low contrasts. Other rules don't depend on the theme. */
export async function darkContrastFaults(page: Page): Promise<string[]> {
  await load(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  return run(page, { runOnly: ['color-contrast'] });
}

/** Once per page load: it takes 100 ms. */
async function load(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
}

async function run(page: Page, options: RunOptions, exclude: string[] = []): Promise<string[]> {
  const { violations } = await page.evaluate(
    ({ exclude, ...given }) =>
      (window as unknown as { axe: typeof import('axe-core') }).axe.run(
        { exclude },
        given,
      ) as Promise<AxeResults>,
    // Passing checks are counted, not listed.
    { exclude, ...options, resultTypes: ['violations' as const] },
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}\n${failureSummary}`),
  );
}
