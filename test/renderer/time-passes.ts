import type { Page, Request } from 'playwright';
import { expect } from 'vitest';

/** Shorter than the time after which the console gives a request up. */
const stepMilliseconds = 4_000;

/**
 * Lets time pass on a page that has a clock (`page.clock.install`), and in it the server answers what it is asked: all
 * at once, what is under way would be given up and begun anew, the more the slower the machine.
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
