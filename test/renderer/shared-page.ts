import type { BrowserContext, CDPSession, Page } from 'playwright';
import { sharedChromium } from '../chromium.ts';
import { patience } from '../patience.ts';

export type SharedPage = ReturnType<typeof sharedPage>;

/**
 * `SLOWDOWN=6 npx vitest run --project renderer …` throttles the pages' CPU by a factor of 6, `LATENCY=1000` delays the
 * replies to them by a second. Both reveal races before they become flaky tests.
 */
const slowDown = async (devtools: CDPSession) => {
  const rate = Number(process.env.SLOWDOWN);
  if (rate > 1) await devtools.send('Emulation.setCPUThrottlingRate', { rate });
  const latency = Number(process.env.LATENCY);
  if (latency > 0) {
    const unlimited = { downloadThroughput: -1, uploadThroughput: -1 };
    await devtools.send('Network.emulateNetworkConditions', { offline: false, latency, ...unlimited });
  }
};

const heard = ['console', 'pageerror', 'request', 'requestfailed', 'response', 'dialog', 'popup'] as const;

/**
 * A page that tests use one after the other, because creating one takes longer than most tests. Each test gets it
 * clean; otherwise it gets a new page.
 *
 * @param hasClock true for a page with a controlled clock (`page.clock`). The clock can't be removed, so these pages
 * are separate
 */
export function sharedPage(viewport: { width: number; height: number }, { hasClock = false } = {}) {
  let context: BrowserContext | undefined;
  let page: Page;
  let devtools: CDPSession;
  let isSpent = false;
  let isInUse = false;
  let added = new AsyncDisposableStack();

  async function newPage(): Promise<BrowserContext> {
    const made = await (await sharedChromium()).newContext({ viewport, reducedMotion: 'reduce' });
    await made.grantPermissions(['clipboard-read', 'clipboard-write']);
    // `saveData` disables the preloading of screens, which takes longer than many tests.
    await made.addInitScript(() =>
      Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true }),
    );
    // Pages over plain HTTP don't have it.
    await made.addInitScript(() => Reflect.deleteProperty(Crypto.prototype, 'randomUUID'));
    page = await made.newPage();
    devtools = await made.newCDPSession(page);
    await slowDown(devtools);
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
    /** Replaces a page that the test closed. */
    async open(): Promise<Page> {
      if (context && page.isClosed()) await close();
      context ??= await newPage();
      page.setDefaultTimeout(patience);
      isInUse = true;
      if (hasClock) await page.clock.install();
      return page;
    },

    /**
     * Cleans up after each test.
     *
     * @param server address of the console's server, whose storage is deleted
     */
    async reset({ result }: { result?: { state: string } }, server: string): Promise<void> {
      if (!isInUse) return;
      isInUse = false;
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
        // This path runs no scripts.
        await page.goto(`${server}/_chat/client/versions`);
        await page.evaluate(() => {
          sessionStorage.clear();
          localStorage.clear();
        });
        // Databases, files and cookies.
        await devtools.send('Storage.clearDataForOrigin', { origin: server, storageTypes: 'all' });
      } catch {
        // The server has stopped.
        await close();
      }
    },

    close,
  };
}
