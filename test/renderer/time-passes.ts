import type { Page, Request } from 'playwright';
import { expect } from 'vitest';

/** Shorter than the console's request timeout. */
const stepMilliseconds = 4_000;

/**
 * Advances a page's clock (`page.clock.install`) in steps, so that the server can reply in between. In one step,
 * pending requests would time out and restart, more often on slow machines.
 */
export async function timePasses(page: Page, milliseconds: number) {
  const underWay = new Set<Request>();
  const began = (request: Request) => underWay.add(request);
  const ended = (request: Request) => underWay.delete(request);
  page.on('request', began);
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  try {
    for (let left = milliseconds; left > 0; left -= stepMilliseconds) {
      await page.clock.runFor(Math.min(left, stepMilliseconds));
      await expect.poll(() => underWay.size).toBe(0);
    }
  } finally {
    page.off('request', began);
    page.off('requestfinished', ended);
    page.off('requestfailed', ended);
  }
}
