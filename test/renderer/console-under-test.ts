/** The built console in a real browser, against a homeserver of the test's own. */
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterEach, beforeEach } from 'vitest';
import { projectRoot } from '../../electron/launch/build.ts';
import { type FakeHomeserver, fakeVersion, startFakeHomeserver } from './fake-homeserver.ts';
import { type LentPage, lentPage } from './lent-page.ts';
import { metWithoutOffers } from './met-before.ts';

/** One for all files of this process, as the page is: what a browser has loaded and compiled once serves the next. */
let homeserver: FakeHomeserver | undefined;
const viewport = { width: 1280, height: 800 };
const lent = lentPage(viewport);
const lentWithClock = lentPage(viewport, { hasClock: true });

/**
 * Sets up the tests of a file. What it gives is filled before each test: a homeserver without data, and an
 * empty page in a browser profile of its own.
 */
export function consoleUnderTest() {
  const problems: string[] = [];

  const console = {
    homeserver: {} as FakeHomeserver,
    page: {} as Page,
    /** What went wrong in the page: errors nobody caught, breaches of the content security policy, and words that no catalogue has. */
    problems,
    /**
     * Opens a screen, by its path under `/console`, as an administrator who is signed in.
     *
     * @param hasMet whether the console knows already what the server offers, which is nothing: where the test has it
     * offer something, it has to find out
     */
    async open(path: string, { hasMet = true } = {}) {
      const { page, homeserver } = console;
      if (hasMet) await metWithoutOffers(page, 'admin@fake', fakeVersion);
      await page.addInitScript((baseUrl) => {
        const connection = {
          id: 'admin@fake',
          baseUrl,
          dialect: 'vendor',
          userId: '@admin:fake.example',
          local: false,
        };
        const sessions = [{ connection, accessToken: 'admin-token' }];
        // Only where there is none: signing out has to last over a reload.
        if (!sessionStorage.getItem('gatehouse.sessions')) {
          sessionStorage.setItem('gatehouse.sessions', JSON.stringify(sessions));
        }
      }, homeserver.url);
      await page.goto(`${homeserver.url}/console${path}`);
    },
    /** A page whose time is the test's to set, in place of the usual. */
    pageWithClock: () => take(lentWithClock),
    /** The page's address without its origin. */
    address: () => decodeURIComponent(console.page.url().slice(console.homeserver.url.length)),
  };

  async function take(from: LentPage): Promise<Page> {
    const page = await from.lend();
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
    await take(lent);
  });

  afterEach(async ({ task }) => {
    console.homeserver.interfere = () => undefined;
    for (const each of [lent, lentWithClock]) await each.takeBack(task, console.homeserver.url);
    if (!console.homeserver.isRunning()) homeserver = undefined;
  });

  return console;
}
