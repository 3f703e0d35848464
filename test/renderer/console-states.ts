/** The console on an empty server and on one with sample data, for tests that cover all states. */
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { sharedChromium } from '../chromium.ts';
import { patience } from '../patience.ts';
import { type SampleHomeserver, startSampleHomeserver } from './sample-homeserver.ts';
import { reachState, type ScreenState } from './screens.ts';

/**
 * Pages by kind of state. Those of `much`, `none` and `failing` reach the next state without a page load, because
 * their states share a session.
 */
type Kind = 'much' | 'none' | 'failing' | 'silent' | 'other';

function kindOf({ data, server, unlikeOurs, signedOut, desktop }: ScreenState): Kind {
  if (server === 'silent') return server;
  if (server === 'failing' && !data) return server;
  return server || unlikeOurs || signedOut || desktop ? 'other' : (data ?? 'much');
}

export function consoleStates() {
  const pages = new Map<Kind, Page>();
  /** Kinds whose page can reach the next state without a load. */
  const ready = new Set<Kind>();
  let servers: { none: SampleHomeserver; much: SampleHomeserver };

  beforeAll(async () => {
    servers = {
      none: await startSampleHomeserver({ reports: 0 }),
      much: await startSampleHomeserver({ reports: 120 }),
    };
  });

  afterAll(async () => {
    for (const page of pages.values()) await page.context().close();
    await servers?.none.stop();
    await servers?.much.stop();
  });

  async function pageOf(kind: Kind): Promise<Page> {
    const known = pages.get(kind);
    if (known) return known;
    const context = await (await sharedChromium()).newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    pages.set(kind, page);
    page.setDefaultTimeout(patience);
    if (kind === 'silent') await page.clock.install();
    page.on('load', () => ready.delete(kind));
    return page;
  }

  /** Returns a page in a state, at the given window size, without animations. */
  return async function open(state: ScreenState, [width, height]: readonly [number, number]) {
    const kind = kindOf(state);
    const page = await pageOf(kind);
    await page.mouse.move(0, 0);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: 'light' });
    try {
      if (ready.delete(kind) && (await isUntouched(page))) await goOn(page, kind, state);
      else await load(page, kind, state);
    } catch (error) {
      ready.delete(kind);
      throw error;
    }
    return page;
  };

  async function goOn(page: Page, kind: Kind, state: ScreenState): Promise<void> {
    // Closes the palette if it's open.
    await page.keyboard.press('Escape');
    await go(page, '/nothing-here');
    await page.getByRole('heading', { name: 'Screen not found' }).waitFor();
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    await go(page, state.path);
    ready.add(kind);
    await state.reach?.(page);
    await state.shows(page).waitFor();
  }

  async function load(page: Page, kind: Kind, state: ScreenState): Promise<void> {
    const server = servers[state.data ?? 'much'];
    await page.unrouteAll();
    // The page stays on the origin, because leaving it would start a new renderer process. This path runs no scripts.
    await page.goto(`${server.url}/_chat/client/versions`);
    await using scripts = new AsyncDisposableStack();
    scripts.use(
      await page.addInitScript(() => {
        localStorage.clear();
        sessionStorage.clear();
      }),
    );
    // If the server's replies are broken, so are those about its features.
    if (!state.server && !state.unlikeOurs) scripts.use(await server.meetBefore(page));
    const signIn = async () => scripts.use(await server.signIn(page));
    const reach = async (loaded: Page) => {
      if (kind !== 'silent' && kind !== 'other') ready.add(kind);
      // A state that needs a page load has its own replies, and the page isn't reused.
      await (kind === 'silent' ? waitForShown(loaded, state.shows(loaded)) : state.reach?.(loaded));
    };
    await reachState(page, { url: server.url, signIn }, { ...state, reach });
  }
}

/** Advances the clock until the slow-server notice appears. */
async function waitForShown(page: Page, shown: Locator): Promise<void> {
  while (!(await shown.isVisible())) await page.clock.runFor(500);
}

/** Returns true if the previous state left no language, statuses, jobs or basket in storage. */
const isUntouched = (page: Page) =>
  page.evaluate(
    () =>
      !Object.keys({ ...localStorage, ...sessionStorage }).some((key) =>
        /^gatehouse\.(language$|team\.|actions\.|basket)/.test(key),
      ),
  );

/** Follows a link inside the console, without a page load. */
const go = (page: Page, path: string) =>
  page.evaluate((to) => history.pushState(null, '', to), `/console${path}`);
