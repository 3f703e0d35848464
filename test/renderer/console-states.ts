/** A page in a browser, on an empty server and on one that is lived in, for tests that walk through all states. */
import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { sharedChromium } from '../chromium.ts';
import { patience } from '../patience.ts';
import { routeBesideCache } from './routes.ts';
import { type SampleHomeserver, startSampleHomeserver } from './sample-homeserver.ts';
import { reachState, type ScreenState } from './screens.ts';

export function consoleStates() {
  let context: BrowserContext;
  let page: Page;
  let servers: { none: SampleHomeserver; much: SampleHomeserver };

  beforeAll(async () => {
    context = await (await sharedChromium()).newContext({ reducedMotion: 'reduce' });
    page = await context.newPage();
    page.setDefaultTimeout(patience);
    routeBesideCache(page, await context.newCDPSession(page));
    servers = {
      none: await startSampleHomeserver({ reports: 0 }),
      much: await startSampleHomeserver({ reports: 120 }),
    };
  });

  afterAll(async () => {
    await context?.close();
    await servers?.none.stop();
    await servers?.much.stop();
  });

  /**
   * The page in a state, in a window of so many pixels; what moves stands still. It is the same page each time, for
   * a new one costs more than all that is looked at on it, but nothing is left from the state before.
   */
  return async function open(state: ScreenState, [width, height]: readonly [number, number]) {
    const server = servers[state.data ?? 'much'];
    // What a screen sends when it is left is not of the next one. No script runs there, and the browser goes on
    // with what it has compiled: from a page without an origin the next one starts in a process of its own.
    await page.goto(`${server.url}/_chat/client/versions`);
    await page.unrouteAll();
    await page.mouse.move(0, 0);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: 'light' });
    await using scripts = new AsyncDisposableStack();
    scripts.use(
      await page.addInitScript(() => {
        localStorage.clear();
        sessionStorage.clear();
      }),
    );
    // Where the server does not answer as it should, it does not answer what it offers either.
    if (!state.server && !state.unlikeOurs) scripts.use(await server.meetBefore(page));
    const signIn = async () => scripts.use(await server.signIn(page));
    await reachState(page, { url: server.url, signIn }, state);
    return page;
  };
}
