/** Pages in a browser, on an empty server and on one that is lived in, for tests that walk through all states. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchChromium } from '../chromium.ts';
import { type SampleHomeserver, startSampleHomeserver } from './sample-homeserver.ts';
import { reachState, type ScreenState } from './screens.ts';

export function consoleStates() {
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

  /** A page that is in the state, and closes with the scope. What moves stands still. */
  return async function open(state: ScreenState, options: BrowserContextOptions) {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    const page: Page = await context.newPage();
    page.setDefaultTimeout(15_000);
    await reachState(page, servers[state.data ?? 'much'], state);
    return { page, [Symbol.asyncDispose]: () => context.close() };
  };
}
