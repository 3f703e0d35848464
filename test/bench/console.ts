/**
 * `npm run bench`: what the console costs in Chromium, against the bundled server with a million reports and
 * ten thousand tasks.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { buildWhatIsMissing } from '../../electron/build.ts';
import { createUser } from '../../server/accounts/create-user.ts';
import { openSession } from '../../server/accounts/sessions.ts';
import { loadConfig } from '../../server/config/load.ts';
import { openServices } from '../../server/services.ts';
import { launchChromium } from '../chromium.ts';
import { serve } from '../server/gatehouse.ts';
import { loadReports, loadTasks } from './load-data.ts';

const reportCount = 1_000_000;
const taskCount = 10_000;
const rounds = 5;
/** How long the way from the top to the bottom of the list takes, in milliseconds. */
const scrollTime = 10_000;

function judge(what: string, value: number, limit: number, unit: string): void {
  const good = value <= limit;
  if (!good) process.exitCode = 1;
  process.stdout.write(
    `${good ? 'ok  ' : 'OVER'} ${what}: ${value.toFixed(1)}${unit} (at most ${limit}${unit})\n`,
  );
}

buildWhatIsMissing((line) => process.stdout.write(`${line}\n`));
const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
const accessToken = await fill();
const server = await serve('--data-dir', dataDir);
const browser = await launchChromium();
try {
  await measure(browser);
} finally {
  await browser.close();
  await server.end('SIGTERM');
  await rm(dataDir, { recursive: true });
}

/** Gives an administrator's token. */
async function fill(): Promise<string> {
  const services = await openServices(await loadConfig({ dataDir }));
  const admin = await createUser(services, { localpart: 'admin', admin: true });
  const session = await openSession(services, admin);
  await loadReports(services, reportCount);
  await loadTasks(services, taskCount);
  await services.db.destroy();
  return session.accessToken;
}

async function measure(browser: Browser): Promise<void> {
  const toReports: number[] = [];
  const afterReply: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const page = await openSettings(browser);
    toReports.push(
      await untilShown(page, 'a[href*="/reports"]', '[role="listbox"] [role="option"]', undefined),
    );
    await page.context().close();
    const other = await openSettings(browser);
    afterReply.push(await untilShown(other, 'a[href*="/tasks"]', 'tbody tr', '/scheduled_tasks'));
    await other.context().close();
  }
  judge('first rows of a million reports, from opening the screen', median(toReports), 300, ' ms');
  judge('10,000 tasks, from the reply', median(afterReply), 300, ' ms');

  const page = await openSettings(browser);
  await untilShown(page, 'a[href*="/reports"]', '[role="listbox"] [role="option"]', undefined);
  const { droppedPercent, peakMegabytes, reached } = await scrollThrough(page);
  judge('frames dropped from top to bottom', droppedPercent, 1, '%');
  judge('heap while scrolling, at its highest', peakMegabytes, 150, ' MB');
  judge('rows left below the end of the way', reportCount - reached, 0, '');
}

/** The console on a screen that asks for none of this, in a browser profile of its own. */
async function openSettings(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const connection = {
    id: 'bench',
    baseUrl: server.url,
    dialect: 'vendor',
    userId: '@admin:localhost',
    local: false,
  };
  await page.addInitScript(
    (sessions) => sessionStorage.setItem('gatehouse.sessions', sessions),
    JSON.stringify([{ connection, accessToken }]),
  );
  await page.goto(`${server.url}/console/settings`);
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.waitForLoadState('networkidle');
  return page;
}

/** Milliseconds from the click, or from the end of a reply to a path, until the first row is painted. */
function untilShown(page: Page, link: string, row: string, reply: string | undefined): Promise<number> {
  return page.evaluate(
    async ([link, row, reply]) => {
      const start = performance.now();
      document.querySelector<HTMLElement>(link ?? '')?.click();
      while (!document.querySelector(row ?? '')) await new Promise(requestAnimationFrame);
      const shown = performance.now();
      if (!reply) return shown - start;
      const [request] = performance.getEntriesByType('resource').filter(({ name }) => name.includes(reply));
      return shown - ((request as PerformanceResourceTiming | undefined)?.responseEnd ?? start);
    },
    [link, row, reply] as const,
  );
}

async function scrollThrough(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  let peak = 0;
  const sample = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    peak = Math.max(peak, metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0);
  };
  const sampling = setInterval(() => void sample(), 250);
  const { dropped, frames, reached } = await page.evaluate(async (scrollTime) => {
    const list = document.querySelector('[role="listbox"]') as HTMLElement;
    const frameTime = 1000 / 60;
    const nextFrame = () => new Promise<number>(requestAnimationFrame);
    const start = await nextFrame();
    let [last, dropped, frames] = [start, 0, 0];
    while (last - start < scrollTime) {
      list.scrollTop = ((last - start) / scrollTime) * (list.scrollHeight - list.clientHeight);
      const now = await nextFrame();
      const passed = Math.max(1, Math.round((now - last) / frameTime));
      frames += passed;
      dropped += passed - 1;
      last = now;
    }
    list.scrollTop = list.scrollHeight;
    const position = () =>
      Math.max(
        0,
        ...[...list.querySelectorAll('[role="option"]')].map((row) =>
          Number(row.getAttribute('aria-posinset')),
        ),
      );
    const patience = performance.now() + 10_000;
    while (position() < 1_000_000 && performance.now() < patience) await nextFrame();
    return { dropped, frames, reached: position() };
  }, scrollTime);
  clearInterval(sampling);
  await sample();
  return { droppedPercent: (100 * dropped) / frames, peakMegabytes: peak / 1e6, reached };
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
