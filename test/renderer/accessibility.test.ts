/** Nothing that axe knows stands in anyone's way, on any screen, in any state, in light and dark. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../chromium.ts';
import { type SampleHomeserver, startSampleHomeserver } from './sample-homeserver.ts';
import { reachState, screenStates } from './screens.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
let servers: { none: SampleHomeserver; much: SampleHomeserver };

beforeAll(async () => {
  browser = await launchChromium();
  servers = {
    none: await startSampleHomeserver({ reports: 0 }),
    much: await startSampleHomeserver({ reports: 120 }),
  };
});

afterAll(async () => {
  await browser?.close();
  await servers?.none.stop();
  await servers?.much.stop();
});

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
  // What moves is looked at when it stands still.
  await using context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    colorScheme: 'light',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  await reachState(page, servers[state.data ?? 'much'], state);
  await page.evaluate(axe);
  expect(await violations(page)).toEqual([]);
  // Another theme changes colours and nothing else.
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  expect(await violations(page, { runOnly: ['color-contrast'] })).toEqual([]);
});
