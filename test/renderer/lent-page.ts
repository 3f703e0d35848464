import type { BrowserContext, CDPSession, Page } from 'playwright';
import { sharedChromium } from '../chromium.ts';
import { patience } from '../patience.ts';
import { routeBesideCache } from './routes.ts';

export type LentPage = ReturnType<typeof lentPage>;

/**
 * `SLOWDOWN=6 npx vitest run --project renderer …` has the pages on a machine that is six times slower than this
 * one: what waits for too little shows there, before it shows now and then.
 */
const slowDown = async (devtools: CDPSession) => {
  const rate = Number(process.env.SLOWDOWN);
  if (rate > 1) await devtools.send('Emulation.setCPUThrottlingRate', { rate });
};

const heard = ['console', 'pageerror', 'request', 'requestfailed', 'response', 'dialog', 'popup'] as const;

/**
 * A page that tests have one after the other, for a new one costs more than most tests do on it. Each finds it as
 * if it was new: what the one before added, set and kept is undone; where it can't be, the page is a new one.
 *
 * @param hasClock whether the page has a clock of its own that tests set (`page.clock`): a page that has got one can't
 * be without it again, but the next test that wants one takes it as it is
 */
export function lentPage(viewport: { width: number; height: number }, { hasClock = false } = {}) {
  let context: BrowserContext | undefined;
  let page: Page;
  let devtools: CDPSession;
  let isSpent = false;
  let isLent = false;
  let added = new AsyncDisposableStack();

  async function newPage(): Promise<BrowserContext> {
    const made = await (await sharedChromium()).newContext({ viewport, reducedMotion: 'reduce' });
    await made.grantPermissions(['clipboard-read', 'clipboard-write']);
    // No screen is loaded before it is opened: that costs more than many a test.
    await made.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true }),
    );
    page = await made.newPage();
    devtools = await made.newCDPSession(page);
    await slowDown(devtools);
    routeBesideCache(page, devtools);
    isSpent = false;
    const addInitScript = page.addInitScript.bind(page);
    page.addInitScript = async (...given: Parameters<Page['addInitScript']>) =>
      added.use(await addInitScript(...given));
    const install = page.clock.install.bind(page.clock);
    page.clock.install = async (options) => {
      isSpent ||= !hasClock;
      await install(options);
    };
    return made;
  }

  async function close(): Promise<void> {
    await context?.close();
    context = undefined;
    added = new AsyncDisposableStack();
  }

  return {
    /** A test that has closed the page, or its context, gets another. */
    async lend(): Promise<Page> {
      if (context && page.isClosed()) await close();
      context ??= await newPage();
      page.setDefaultTimeout(patience);
      isLent = true;
      if (hasClock) await page.clock.install();
      return page;
    },

    /**
     * After each test.
     *
     * @param server the address of the console's server: what the page keeps of it is deleted
     */
    async takeBack({ result }: { result?: { state: string } }, server: string): Promise<void> {
      if (!isLent) return;
      isLent = false;
      if (!context || isSpent || result?.state === 'fail' || page.isClosed() || context.pages().length > 1) {
        return close();
      }
      for (const event of heard) page.removeAllListeners(event);
      await added.disposeAsync();
      added = new AsyncDisposableStack();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      await page.setViewportSize(viewport);
      await page.emulateMedia({
        media: null,
        colorScheme: null,
        reducedMotion: 'reduce',
        forcedColors: null,
      });
      await page.mouse.move(0, 0);
      if (hasClock) await page.clock.resume();
      try {
        // No script runs there.
        await page.goto(`${server}/_chat/client/versions`);
        await page.evaluate(() => {
          sessionStorage.clear();
          localStorage.clear();
        });
        // Databases, files and cookies.
        await devtools.send('Storage.clearDataForOrigin', { origin: server, storageTypes: 'all' });
      } catch {
        // Its server is gone.
        await close();
      }
    },

    close,
  };
}
