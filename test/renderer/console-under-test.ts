/** The built console in a real browser, against a fake homeserver. */
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterEach, beforeEach } from 'vitest';
import { projectRoot } from '../../electron/launch/build.ts';
import { type FakeHomeserver, fakeVersion, startFakeHomeserver } from './fake-homeserver.ts';
import { metWithoutOffers } from './probed-before.ts';
import { type SharedPage, sharedPage } from './shared-page.ts';

/** Shared by all files of this process, like the page: the browser reuses loaded and compiled scripts. */
let homeserver: FakeHomeserver | undefined;
const viewport = { width: 1280, height: 800 };
const shared = sharedPage(viewport);
const withClock = sharedPage(viewport, { hasClock: true });

/** Sets up a test file. Before each test, the returned object gets an empty homeserver and a clean page. */
export function consoleUnderTest() {
  const problems: string[] = [];

  const console = {
    homeserver: {} as FakeHomeserver,
    page: {} as Page,
    /** Errors in the page: uncaught errors, CSP violations and missing translations. */
    problems,
    /**
     * Opens a screen as a signed-in admin, by its path below `/console`.
     *
     * @param isProbed true if the console already knows that the server has no optional features; false if the test
     * adds some
     */
    async open(path: string, { isProbed = true } = {}) {
      const { page, homeserver } = console;
      if (isProbed) await metWithoutOffers(page, 'admin@fake', fakeVersion);
      await page.addInitScript((baseUrl) => {
        const connection = {
          id: 'admin@fake',
          baseUrl,
          dialect: 'vendor',
          userId: '@admin:fake.example',
          local: false,
        };
        const sessions = [{ connection, accessToken: 'admin-token' }];
        // Only without a session, so that signing out survives a reload.
        if (!sessionStorage.getItem('gatehouse.sessions')) {
          sessionStorage.setItem('gatehouse.sessions', JSON.stringify(sessions));
        }
      }, homeserver.url);
      await page.goto(`${homeserver.url}/console${path}`);
    },
    /** Replaces the page with one whose clock the test controls. */
    pageWithClock: () => take(withClock),
    /** Returns the page's URL without its origin. */
    address: () => decodeURIComponent(console.page.url().slice(console.homeserver.url.length)),
  };

  async function take(from: SharedPage): Promise<Page> {
    const page = await from.open();
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      if (/content security policy|Uncompiled message/i.test(message.text())) problems.push(message.text());
    });
    console.page = page;
    return page;
  }

  beforeEach(async () => {
    problems.length = 0;
    homeserver?.reset();
    homeserver ??= await startFakeHomeserver(join(projectRoot, 'dist/renderer'));
    console.homeserver = homeserver;
    await take(shared);
  });

  afterEach(async ({ task }) => {
    console.homeserver.interfere = () => undefined;
    for (const each of [shared, withClock]) await each.reset(task, console.homeserver.url);
    if (!console.homeserver.isRunning()) homeserver = undefined;
  });

  return console;
}
