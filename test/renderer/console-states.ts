/** The console on an empty server and on one with sample data, for tests that walk through all states. */
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { sharedChromium } from '../chromium.ts';
import { patience } from '../patience.ts';
import { routeBesideCache } from './routes.ts';
import { type SampleHomeserver, startSampleHomeserver } from './sample-homeserver.ts';
import { reachState, type ScreenState } from './screens.ts';

/**
 * Each has a page of its own. Those of `much`, `none` and `failing` go on to the next state without a load, because all
 * of their states belong to the same session.
 */
type Kind = 'much' | 'none' | 'failing' | 'silent' | 'other';

function kindOf({ data, server, unlikeOurs, signedOut, desktop }: ScreenState): Kind {
  if (server === 'silent') return server;
  if (server === 'failing' && !data) return server;
  return server || unlikeOurs || signedOut || desktop ? 'other' : (data ?? 'much');
}

export function consoleStates() {
  const pages = new Map<Kind, Page>();
  /** Whose pages can go on without a load. */
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
    routeBesideCache(page, await context.newCDPSession(page));
    if (kind === 'silent') await page.clock.install();
    page.on('load', () => ready.delete(kind));
    return page;
  }

  /** Returns a page in a state, in a window of this size, without animations. */
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
    // The palette stays open otherwise.
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
    // Without an origin, the next page would start in a process of its own. No script runs here.
    await page.goto(`${server.url}/_chat/client/versions`);
    await using scripts = new AsyncDisposableStack();
    scripts.use(
      await page.addInitScript(() => {
        localStorage.clear();
        sessionStorage.clear();
      }),
    );
    // A server that doesn't answer as it should doesn't answer what it offers either.
    if (!state.server && !state.unlikeOurs) scripts.use(await server.meetBefore(page));
    const signIn = async () => scripts.use(await server.signIn(page));
    const reach = async (loaded: Page) => {
      if (kind !== 'silent' && kind !== 'other') ready.add(kind);
      // A state that loads the page again has replies of its own, and is the page's last.
      await (kind === 'silent' ? waitForShown(loaded, state.shows(loaded)) : state.reach?.(loaded));
    };
    await reachState(page, { url: server.url, signIn }, { ...state, reach });
  }
}

/** Lets time pass until a slow server is called slow. */
async function waitForShown(page: Page, shown: Locator): Promise<void> {
  while (!(await shown.isVisible())) await page.clock.runFor(500);
}

/** Whether the state before left what the next would show: another language, or marks and the notice that offers undo. */
const isUntouched = (page: Page) =>
  page.evaluate(() => !Object.keys(localStorage).some((key) => /^gatehouse\.(language$|team\.)/.test(key)));

/** Follows a link inside the console, without a load. */
const go = (page: Page, path: string) =>
  page.evaluate((to) => history.pushState(null, '', to), `/console${path}`);
