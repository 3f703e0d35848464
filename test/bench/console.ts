/**
 * `npm run bench`: console performance in Chromium against the bundled server. The server has a million reports,
 * 10,000 tasks, 100,000 users, and 50,000 rooms and uploads. Prints latency and the CPU time of the page's main
 * thread. CPU time doesn't depend on other load on the machine.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright';
import { buildWhatIsMissing } from '../../electron/launch/build.ts';
import { openServices } from '../../server/app/services.ts';
import { createUser } from '../../server/identity/accounts/create-user.ts';
import { openSession } from '../../server/identity/sessions/sessions.ts';
import { loadConfig } from '../../server/platform/config/load.ts';
import { launchChromium } from '../chromium.ts';
import { serve } from '../server/gatehouse.ts';
import { loadMedia, loadReports, loadRooms, loadTasks, loadUsers } from './load-data.ts';

const reportCount = 1_000_000;
const taskCount = 10_000;
const userCount = 100_000;
const roomCount = 50_000;
const uploadCount = 50_000;
const rounds = 5;
/** Duration of a scroll through the whole list, in milliseconds. */
const scrollTime = 10_000;
/** Scrolling at reading speed: number of frames, and pixels per frame. */
const readingFrames = 400;
const readingStep = 40;

function judge(what: string, value: number, limit: number, unit: string): void {
  const good = value <= limit;
  if (!good) process.exitCode = 1;
  process.stdout.write(
    `${good ? 'ok  ' : 'OVER'} ${what}: ${value.toFixed(1)}${unit} (at most ${limit}${unit})\n`,
  );
}

/** Prints a value without a limit. */
function tell(what: string, value: number, unit: string): void {
  process.stdout.write(`       ${what}: ${value.toFixed(1)}${unit}\n`);
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

/** Fills the server and returns an admin's access token. */
async function fill(): Promise<string> {
  const services = await openServices(await loadConfig({ dataDir }));
  const admin = await createUser(services, { localpart: 'admin', admin: true });
  const session = await openSession(services, admin);
  await loadReports(services, reportCount);
  await loadTasks(services, taskCount);
  await loadUsers(services, userCount);
  await loadRooms(services, roomCount);
  await loadMedia(services, uploadCount);
  await services.db.destroy();
  return session.accessToken;
}

async function measure(browser: Browser): Promise<void> {
  const reports: Shown[] = [];
  const tasks: Shown[] = [];
  for (let round = 0; round < rounds; round++) {
    const { page, devtools } = await openSettings(browser);
    reports.push(await untilShown(page, devtools, '/reports', '[role="listbox"] [role="option"]', undefined));
    await page.context().close();
    const other = await openSettings(browser);
    tasks.push(await untilShown(other.page, other.devtools, '/tasks', 'tbody tr', '/scheduled_tasks'));
    await other.page.context().close();
  }
  judge('first rows of a million reports, from opening the screen', median(reports, 'waited'), 300, ' ms');
  tell('computed for it', median(reports, 'computed'), ' ms');
  judge('10,000 tasks, from the reply', median(tasks, 'waited'), 300, ' ms');
  tell('computed for it, from opening the screen', median(tasks, 'computed'), ' ms');

  for (const [list, count] of [
    ['users', userCount],
    ['rooms', roomCount],
    ['media', uploadCount],
  ] as const) {
    const shown: Shown[] = [];
    let perFrame = Number.NaN;
    for (let round = 0; round < rounds; round++) {
      const { page, devtools } = await openSettings(browser);
      shown.push(await untilShown(page, devtools, `/${list}`, 'tbody tr a', undefined));
      if (round === 0) perFrame = await flyThrough(page, devtools);
      await page.context().close();
    }
    judge(
      `first rows of ${list} where there are ${count}, from opening the screen`,
      median(shown, 'waited'),
      300,
      ' ms',
    );
    tell('computed for it', median(shown, 'computed'), ' ms');
    judge(`computed for a frame from top to bottom of ${list}`, perFrame, 8, ' ms');
  }

  const { page, devtools } = await openSettings(browser);
  await untilShown(page, devtools, '/reports', '[role="listbox"] [role="option"]', undefined);
  const { droppedPercent, perFrame, peakMegabytes, reached } = await scrollThrough(page, devtools);
  judge('frames dropped from top to bottom', droppedPercent, 1, '%');
  tell('computed for a frame of it', perFrame, ' ms');
  judge('heap while scrolling, at its highest', peakMegabytes, 150, ' MB');
  judge('rows left below the end of the way', reportCount - reached, 0, '');
  judge('computed for a frame at the pace of reading', await readAlong(page, devtools), 8, ' ms');
}

/** Opens the console on the settings screen, which loads none of the measured data. Uses a new browser profile. */
async function openSettings(browser: Browser): Promise<{ page: Page; devtools: CDPSession }> {
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
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  return { page, devtools };
}

/** Returns the CPU time of the page's main thread since it started, in milliseconds. */
async function computed(devtools: CDPSession): Promise<number> {
  return 1000 * (await metric(devtools, 'TaskDuration'));
}

async function metric(devtools: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === wanted)?.value ?? 0;
}

type Shown = { waited: number; computed: number };

/**
 * Measures the time until the first row is painted, in milliseconds. It starts with the click, or with the end of a
 * reply to a path. Hovers over the link first, as a user would.
 */
async function untilShown(
  page: Page,
  devtools: CDPSession,
  screen: string,
  row: string,
  reply: string | undefined,
): Promise<Shown> {
  const link = `nav a[href*="${screen}"]`;
  await page.hover(link);
  await page.waitForLoadState('networkidle');
  const before = await computed(devtools);
  const waited = await page.evaluate(
    async ([link, row, reply]) => {
      const start = performance.now();
      document.querySelector<HTMLElement>(link)?.click();
      while (!document.querySelector(row)) await new Promise(requestAnimationFrame);
      const shown = performance.now();
      if (!reply) return shown - start;
      const [request] = performance.getEntriesByType('resource').filter(({ name }) => name.includes(reply));
      return shown - ((request as PerformanceResourceTiming | undefined)?.responseEnd ?? start);
    },
    [link, row, reply] as const,
  );
  return { waited, computed: (await computed(devtools)) - before };
}

async function scrollThrough(page: Page, devtools: CDPSession) {
  let peak = 0;
  const sample = async () => {
    peak = Math.max(peak, await metric(devtools, 'JSHeapUsedSize'));
  };
  const before = await computed(devtools);
  const sampling = setInterval(() => void sample(), 250);
  const { dropped, frames, drawn, reached } = await page.evaluate(async (scrollTime) => {
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
    return { dropped, frames, drawn: frames - dropped, reached: position() };
  }, scrollTime);
  clearInterval(sampling);
  await sample();
  return {
    droppedPercent: (100 * dropped) / frames,
    perFrame: ((await computed(devtools)) - before) / drawn,
    peakMegabytes: peak / 1e6,
    reached,
  };
}

/** Returns the CPU time per frame, in milliseconds, of a scroll through the whole table. */
async function flyThrough(page: Page, devtools: CDPSession): Promise<number> {
  const before = await computed(devtools);
  const drawn = await page.evaluate(async (frames) => {
    const table = document.querySelector('section:has(> table)') as HTMLElement;
    for (let frame = 1; frame <= frames; frame++) {
      table.scrollTop = (frame / frames) * (table.scrollHeight - table.clientHeight);
      await new Promise(requestAnimationFrame);
    }
    return frames;
  }, readingFrames);
  return ((await computed(devtools)) - before) / drawn;
}

/** Returns the CPU time per frame, in milliseconds, of scrolling at reading speed. */
async function readAlong(page: Page, devtools: CDPSession): Promise<number> {
  const before = await computed(devtools);
  await page.evaluate(
    async ([frames, step]) => {
      const list = document.querySelector('[role="listbox"]') as HTMLElement;
      list.scrollTop = 0;
      for (let frame = 0; frame < frames; frame++) {
        list.scrollTop += step;
        await new Promise(requestAnimationFrame);
      }
    },
    [readingFrames, readingStep] as const,
  );
  return ((await computed(devtools)) - before) / readingFrames;
}

function median(rounds: Shown[], what: keyof Shown): number {
  const values = rounds.map((round) => round[what]).sort((one, other) => one - other);
  return values[Math.floor(values.length / 2)] ?? Number.NaN;
}
