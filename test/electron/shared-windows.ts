/**
 * One Chromium shared by all apps of this process: starting one takes longer than most tests. Each profile has its
 * own browser context, which lives as long as the profile.
 */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { patience } from '../patience.ts';
import { startChromium } from './stand-in/chromium-process.ts';
import type { ChromiumProcess } from './stand-in/joined-chromium.ts';

/** The browser context for an app's windows. */
export type Place = { endpoint: string; browserContextId: string };

type Shared = { process: ChromiumProcess; browser: Browser };
type Kept = { context: BrowserContext; place: Place };

let shared: Promise<Shared> | undefined;
const kept = new Map<string, Promise<Kept>>();
/** Serializes context creation: the new context is found by comparing lists. */
let making: Promise<unknown> = Promise.resolve();

async function start(): Promise<Shared> {
  const process = await startChromium();
  const browser = await chromium.connectOverCDP(process.endpoint);
  browser.once('disconnected', () => {
    shared = undefined;
    kept.clear();
  });
  return { process, browser };
}

async function make(): Promise<Kept> {
  shared ??= start();
  const { process, browser } = await shared;
  const all = async (): Promise<string[]> =>
    (await process.devtools.send('Target.getBrowserContexts')).browserContextIds;
  const before = new Set(await all());
  const context = await browser.newContext({ viewport: null });
  context.setDefaultTimeout(patience);
  const browserContextId = (await all()).find((id) => !before.has(id));
  if (browserContextId === undefined) throw new Error('Chromium has no new context');
  return { context, place: { endpoint: process.endpoint, browserContextId } };
}

/** Returns the profile's browser context, without pages left by a killed app. */
export async function placeOf(profile: string): Promise<Place> {
  let own = kept.get(profile);
  if (!own) {
    own = making.then(make);
    making = own.catch(() => {});
    kept.set(profile, own);
  }
  const { context, place } = await own;
  await Promise.all(context.pages().map((page) => page.close()));
  return place;
}

async function keptFor(profile: string): Promise<Kept> {
  const own = await kept.get(profile);
  if (!own) throw new Error('The app has no windows here');
  return own;
}

export const contextOf = async (profile: string) => (await keptFor(profile)).context;

/** Returns the profile's page from a new connection to Chromium, which hasn't seen the crash. */
export async function pageIn(all: BrowserContext, profile: string): Promise<Page> {
  const { browserContextId } = (await keptFor(profile)).place;
  for (;;) {
    const came = new Promise((resolve) => all.once('page', resolve));
    for (const page of all.pages()) {
      // A page of another app may close at this moment.
      const found = await contextIdOf(all, page).catch(() => undefined);
      if (found === browserContextId) return page;
    }
    await came;
  }
}

async function contextIdOf(all: BrowserContext, page: Page): Promise<string | undefined> {
  const session = await all.newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  await session.detach();
  return targetInfo.browserContextId;
}

export async function forget(profile: string): Promise<void> {
  const own = kept.get(profile);
  kept.delete(profile);
  await (await own?.catch(() => undefined))?.context.close().catch(() => {});
}
