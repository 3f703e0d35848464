import { expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReport, sampleReports } from './sample-reports.ts';
import { timePasses } from './time-passes.ts';

const console = consoleUnderTest();

const list = () => console.page.getByRole('listbox', { name: 'Reports' });
const detail = () => console.page.getByRole('region', { name: 'Report', exact: true });
const message = (text: string) =>
  console.page.getByRole('article', { name: 'Reported message' }).getByText(text, { exact: true });
const press = (...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => console.page.keyboard.press(key)), Promise.resolve());
const deletions = () => console.homeserver.requests.filter((request) => request.startsWith('DELETE'));

/** Opens the panel that confirms deleting the selection or the open report. */
async function askToDelete(count = 1) {
  const name = count === 1 ? 'Delete report' : `Delete ${count} reports`;
  const bar = console.page.getByRole('toolbar', { name: 'Actions' }).first();
  await bar.getByRole('button', { name: 'More' }).click();
  await console.page.getByRole('menuitem', { name }).click();
  return console.page.getByRole('dialog', { name });
}

async function remove(count = 1) {
  const panel = await askToDelete(count);
  if (count > 20) await panel.getByLabel(`Type ${count} to confirm`).fill(String(count));
  await panel.getByRole('button', { name: /^Delete/ }).click();
}

/** Scrolls through the whole list in a tall window. Returns the reasons in order. */
async function readWholeList(): Promise<string[]> {
  const seen = new Map<number, string>();
  await console.page.setViewportSize({ width: 1280, height: 6_000 });
  await list().evaluate((element) => element.scrollTo(0, 0));
  await expect
    .poll(
      async () => {
        const rows = await console.page.getByRole('option').evaluateAll((options) =>
          options.map((option) => ({
            place: Number(option.getAttribute('aria-posinset')),
            of: Number(option.getAttribute('aria-setsize')),
            reason: /Reason \d+/.exec(option.textContent ?? '')?.[0] ?? '',
          })),
        );
        // During a scroll there may be no rows for a moment.
        if (rows.length === 0) return false;
        for (const { place, reason } of rows) {
          if (reason === '') continue;
          if (seen.has(place) && seen.get(place) !== reason) seen.clear();
          seen.set(place, reason);
        }
        const missing = Array.from({ length: rows[0]?.of ?? 1 }, (_, index) => index + 1).find(
          (place) => !seen.has(place),
        );
        if (missing !== undefined) {
          await list().evaluate((element, top) => element.scrollTo(0, top), (missing - 2) * 74);
        }
        return missing === undefined;
      },
      { timeout: 40_000, interval: 50 },
    )
    .toBe(true);
  return [...seen].sort(([one], [other]) => one - other).map(([, reason]) => reason);
}

/**
 * Resolves the newest two of five reports. Waits for each, because the key doesn't apply before the report is shown.
 */
async function reviewNewestTwo() {
  await press('j');
  await message('Message 5').waitFor();
  await press('e');
  await message('Message 4').waitFor();
  await press('e');
}

async function openReports(search = '') {
  await console.open(`/reports${search}`);
  await console.page.getByRole('option').first().waitFor();
}

test('reports are processed by keyboard alone', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(20);
  await openReports();
  await press('j');
  await message('Message 20').waitFor();
  await press('j', 'ArrowDown', 'k');
  await message('Message 19').waitFor();
  await expect.poll(console.address).toContain('report=19');

  await press('e');
  await message('Message 18').waitFor();
  await page.getByRole('status', { name: '19 open' }).waitFor();

  await press('Enter');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Report');
  await press('Escape');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Reports');

  await press('/');
  await page.keyboard.type('@alice');
  await press('Enter');
  await page.getByText('20 matches').waitFor();
  await expect.poll(console.address).toContain('reporter=@alice:fake.example');

  await press('Escape', '?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  expect(console.problems).toEqual([]);
});

test('a right-to-left reason is next to its label', async () => {
  const { page, homeserver } = console;
  homeserver.reports = [sampleReport(1, { reason: 'رسائل مزعجة' })];
  await page.setViewportSize({ width: 2560, height: 1440 });
  await openReports('?report=1');
  const reason = page.getByRole('definition').getByText('رسائل مزعجة');
  await reason.waitFor();
  const place = await reason.evaluate((element) => {
    const text = document.createRange();
    text.selectNodeContents(element);
    const { left, right } = text.getBoundingClientRect();
    return { left, right, direction: getComputedStyle(element).direction };
  });
  const label = await page.getByRole('term').getByText('Reason', { exact: true }).boundingBox();
  expect(place.direction).toBe('rtl');
  expect(place.left - (label?.x ?? Number.NaN)).toBeLessThan(200);
});

test('a long right-to-left reason is cut at its end', async () => {
  const { page, homeserver } = console;
  homeserver.reports = [sampleReport(1, { reason: 'رسائل مزعجة '.repeat(30) })];
  await openReports();
  const reason = page.getByRole('option').getByText('رسائل مزعجة');
  await reason.waitFor();
  const { cut, overflow, place, row } = await reason.evaluate((element) => {
    const first = document.createRange();
    first.setStart(element.firstChild as Node, 0);
    first.setEnd(element.firstChild as Node, 1);
    const { direction, textOverflow } = getComputedStyle(element);
    return {
      cut: element.scrollWidth > element.clientWidth,
      overflow: `${direction} ${textOverflow}`,
      place: first.getBoundingClientRect().right,
      row: element.parentElement?.getBoundingClientRect().right ?? 0,
    };
  });
  expect(cut).toBe(true);
  expect(overflow).toBe('rtl ellipsis');
  expect(place).toBeLessThanOrEqual(row);
});

test('each report opens at its top, with the next list row in sight', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(40);
  await openReports();
  await press('j');
  await message('Message 40').waitFor();
  const detail = page.getByRole('region', { name: 'Report', exact: true });
  await detail.evaluate((element) => element.scrollTo(0, 300));
  await expect.poll(() => detail.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(100);
  await press('j');
  await message('Message 39').waitFor();
  await expect.poll(() => detail.evaluate(({ scrollTop }) => scrollTop)).toBe(0);

  for (let id = 38; id > 28; id--) await press('j');
  await message('Message 29').waitFor();
  const list = page.getByRole('listbox', { name: 'Reports' });
  const next = page.getByRole('option', { name: /Reason 28\b/ });
  const isInSight = async () => {
    const [frame, row] = [await list.boundingBox(), await next.boundingBox()];
    return frame && row && row.y + row.height <= frame.y + frame.height + 1;
  };
  await expect.poll(isInSight).toBe(true);
});

test('Escape clears the selection with any focus, from the report via the list', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(20);
  await openReports();
  const selected = page.getByText(/^20 selected/);
  // The focus is on the screen after sign-in.
  await page.getByRole('main').focus();
  await press('A');
  await selected.waitFor();
  await press('Escape');
  await selected.waitFor({ state: 'detached' });

  await press('j');
  await message('Message 20').waitFor();
  await press('A');
  await selected.waitFor();
  await page.getByRole('region', { name: 'Report', exact: true }).focus();
  await press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.role)).toBe('listbox');
  expect(await selected.count()).toBe(1);
  await press('Escape');
  await selected.waitFor({ state: 'detached' });
});

test("a verdict resolves a report with one key and shows the reporter's accuracy", async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(6);
  await console.open('/reports?report=6');
  const report = page.getByRole('region', { name: 'Report', exact: true });
  const heading = (id: number) => report.getByRole('heading', { name: `Report ${id}`, exact: true });
  for (const [index, key] of ['y', 'u', '=', 'e'].entries()) {
    await heading(6 - index).waitFor();
    await report.getByRole('article', { name: 'Reported message' }).waitFor();
    await page.keyboard.press(key);
  }
  await heading(2).waitFor();
  await page.getByText('Report 3 resolved').first().waitFor();
  await report.getByText('1 of 2 upheld').waitFor();

  // A resolved report keeps its verdict until it gets another.
  await console.open('/reports?report=5');
  await report.getByText('Not upheld', { exact: true }).waitFor();
  await report.getByRole('button', { name: 'Resolve with verdict' }).click();
  await page.getByRole('menuitem', { name: 'Resolve as upheld' }).click();
  await report.getByText('2 of 2 upheld').waitFor();
});

test('no fast keystroke is lost', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(60);
  const answers = Promise.withResolvers<void>();
  await page.route('**/event_reports?**', async (route) => {
    await answers.promise;
    await route.fallback();
  });
  await console.open('/reports');
  await page.getByText('Loading reports…').waitFor({ state: 'attached' });
  const follows = page.getByText(/^“.+” runs once reports load\.$/);
  await press('j');
  await follows.filter({ hasText: 'Next report' }).waitFor();
  answers.resolve();
  await message('Message 60').waitFor();
  await Promise.all(Array.from({ length: 24 }, () => page.keyboard.press('j')));
  await message('Message 36').waitFor();
});

test('no key deletes without a confirmation that lists the lost data', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(5);
  await openReports();
  await press('j', 'j');
  await message('Message 4').waitFor();
  await press('e');
  await message('Message 3').waitFor();
  await press('k', 'k');
  await message('Message 5').waitFor();
  await press('!', 'Enter', 'k', 'k', 'Delete', 'Backspace');
  await message('Message 5').waitFor();
  await page.getByText('5 reports', { exact: true }).waitFor();

  const panel = await askToDelete();
  await panel.getByText('This report is escalated.').waitFor();
  await panel.getByText("This can't be undone.").waitFor();
  await press('Escape');
  await panel.waitFor({ state: 'detached' });
  expect(deletions()).toEqual([]);

  await remove();
  await page.getByRole('status').filter({ hasText: 'Report deleted' }).waitFor();
  await page.getByText('4 reports', { exact: true }).waitFor();
  expect(deletions()).toEqual(['DELETE /_service/admin/v1/event_reports/5']);
  await message('Message 3').waitFor();

  await console.open('/reports?report=5');
  await page.getByText(/^Deleted by @admin:fake/).waitFor();
  await detail().getByRole('definition').getByText('Reason 5', { exact: true }).waitFor();
  await detail().getByText('escalated this').waitFor();
});

test("an emptied list doesn't claim that there were no reports", async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(1);
  await openReports();
  await press('j');
  await remove();
  await page.getByRole('heading', { name: 'No reports' }).waitFor();
  await page.getByText('This server has no event reports.').waitFor();
  expect(await page.getByText('npx gatehouse sample-data').count()).toBe(0);
});

test('deleting more than 20 reports needs their number typed', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(21);
  await openReports();
  await press('j', 'A');
  await page.getByText('21 selected').waitFor();
  const panel = await askToDelete(21);
  await panel.getByRole('button', { name: 'Delete 21 reports' }).click();
  await panel.getByText("Doesn't match yet").waitFor();
  expect(deletions()).toEqual([]);
});

test('a refused deletion shows why, and the report stays', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(3);
  homeserver.interfere = (method) =>
    method === 'DELETE' ? { status: 500, body: { errcode: 'M_UNKNOWN', error: 'Disk is full' } } : undefined;
  await openReports();
  await press('j');
  await remove();
  await page.getByRole('dialog').getByText('Disk is full').waitFor();
  await page.getByText('3 reports', { exact: true }).waitFor();
  expect(await page.getByRole('option').count()).toBe(3);
});

test('a report with a purged event shows the data of its row', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(3);
  homeserver.interfere = (method, path) =>
    method === 'GET' && path.endsWith('/event_reports/3')
      ? { status: 404, body: { errcode: 'M_NOT_FOUND', error: 'Event report not found' } }
      : undefined;
  await openReports();
  await press('j');
  await page.getByText('The reported event is unavailable, possibly purged.').waitFor();
  await detail().getByRole('definition').getByText('Reason 3', { exact: true }).waitFor();
  await press('e');
  await message('Message 2').waitFor();
  await page.getByRole('status', { name: '2 open' }).waitFor();
});

test('a bulk deletion runs in the tray: it stops, survives a reload, and lists failures', async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.reports = sampleReports(30);
  const held = new Set<() => void>();
  let answer: 'hold' | 'pass' = 'hold';
  homeserver.interfere = (method, path) => {
    if (method !== 'DELETE') return undefined;
    if (path.endsWith('/7')) return { status: 500, body: { errcode: 'M_UNKNOWN', error: 'Disk is full' } };
    if (answer === 'pass') return undefined;
    return new Promise((resolve) => held.add(() => resolve(undefined)));
  };
  await openReports();
  await press('j', 'A');
  await page.getByText('30 selected').waitFor();
  await remove(30);
  const tray = page.getByRole('region', { name: 'Jobs' });
  await expect.poll(() => held.size).toBe(4);
  await tray.getByRole('button', { name: 'Stop' }).click();
  for (const go of held) go();
  answer = 'pass';
  await page.clock.runFor(1_000);
  await tray.getByText('4 of 30 done, 26 left').waitFor();
  await page.getByText('26 reports', { exact: true }).waitFor();

  await page.reload();
  await page.getByText('26 reports', { exact: true }).waitFor();
  await tray.getByRole('button', { name: 'Resume' }).click();
  await page.clock.runFor(1_000);
  await tray.getByText('29 of 30 done, 1 failed').waitFor();
  await page.getByText('1 report', { exact: true }).waitFor();
  await tray.getByRole('button', { name: 'One failure' }).click();
  await tray.getByRole('listitem').getByText('Disk is full').waitFor();
  homeserver.interfere = () => undefined;
  await tray.getByRole('button', { name: /^Retry report 7 / }).click();
  await page.clock.runFor(1_000);
  await tray.getByRole('article', { name: '30 reports deleted' }).waitFor();
  expect(homeserver.reports).toEqual([]);
});

test('during a bulk deletion open counts are right, and no status changes', async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.reports = sampleReports(30);
  await openReports();
  await press('j');
  for (const id of [30, 29, 28, 27]) {
    await message(`Message ${id}`).waitFor();
    await press('e');
  }
  await page.getByRole('status', { name: '26 open' }).waitFor();
  await press('k', 'k', 'k', 'k');
  for (let each = 0; each < 10; each++) await press('x', 'j');
  await page.getByText('10 selected').waitFor();
  await page.evaluate(() => {
    const shown = new Set<string>();
    Object.assign(window, { shown });
    new MutationObserver(() => {
      for (const status of document.querySelectorAll('[role=status]')) {
        const name = status.getAttribute('aria-label') ?? '';
        if (name.endsWith(' open')) shown.add(name);
      }
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
  // A count during a deletion may or may not include the report.
  homeserver.interfere = async (method, path) => {
    const id = Number(/event_reports\/(\d+)$/.exec(path)?.[1]);
    if (method !== 'DELETE') return undefined;
    homeserver.reports = homeserver.reports.filter((report) => report.id !== id);
    await page.clock.fastForward(5_000);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    return { status: 200, body: {} };
  };
  await remove(10);
  await page
    .getByRole('region', { name: 'Jobs' })
    .getByRole('article', { name: '10 reports deleted' })
    .waitFor();
  await page.getByText('20 reports', { exact: true }).waitFor();
  await page.clock.fastForward(21_000);
  await page.getByRole('status', { name: '20 open' }).waitFor();
  const shown = await page.evaluate(() => [...(window as unknown as { shown: Set<string> }).shown]);
  expect(shown.filter((name) => !['26 open', '20 open'].includes(name))).toEqual([]);
  const log = await page.evaluate(() =>
    JSON.parse(localStorage.getItem('gatehouse.team.admin@fake') ?? '[]'),
  );
  expect(log.filter(({ body }: { body: { state?: string } }) => body.state === 'open')).toEqual([]);
});

test('a late page restores no deleted report, and none is skipped', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(210);
  // The reply with the second page is from before five reports arrive and three are deleted, but arrives after that.
  let arrive = () => {};
  const late = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const stale = sampleReports(210)
    .toReversed()
    .slice(100, 200)
    .map(({ event_json: _, ...item }) => item);
  homeserver.interfere = async (_method, path, query) => {
    if (!path.endsWith('/event_reports') || query.get('from') !== '100') return undefined;
    await late;
    return { status: 200, body: { event_reports: stale, next_token: 200, total: 210 } };
  };
  const held = page.waitForRequest(/from=100/);
  await openReports();
  await page.getByText('210 reports').waitFor();
  await list().evaluate((element) => element.scrollTo(0, 85 * 74));
  await held;
  homeserver.reports.push(...[211, 212, 213, 214, 215].map((id) => sampleReport(id)));
  await page.getByText('Reason 111', { exact: true }).click();
  await press('x', 'k', 'x', 'k', 'x');
  await page.getByText('3 selected').waitFor();
  await remove(3);
  await page.getByText('207 reports').waitFor();
  await expect.poll(() => deletions().length).toBe(3);
  arrive();
  homeserver.interfere = () => undefined;
  await page.getByRole('button', { name: '5 new reports' }).waitFor();

  const seen = await readWholeList();
  await page.getByText('207 reports').waitFor();
  const all = Array.from({ length: 210 }, (_, index) => `Reason ${index + 1}`);
  expect(seen).toEqual(all.filter((reason) => !/ (111|112|113)$/.test(reason)).reverse());
});

test('filters, order and selection are in the address and survive reload and Back', async () => {
  const { page, homeserver } = console;
  homeserver.reports = [
    ...sampleReports(10),
    sampleReport(11, { sender: '@trudy:other.example', room_id: '!quiet:fake.example', name: 'Quiet' }),
    sampleReport(12, { sender: '@trudy:other.example' }),
  ];
  await openReports('?sender=@trudy:other.example&order=oldest');
  await page.getByText('2 matches').waitFor();
  await page.getByRole('option').first().click();
  await message('Message 11').waitFor();

  await page.reload();
  await page.getByText('2 matches').waitFor();
  await message('Message 11').waitFor();

  await page.getByRole('button', { name: 'Remove filter: Sender' }).click();
  await page.getByText('12 reports', { exact: true }).waitFor();
  await page.goBack();
  await page.getByText('2 matches').waitFor();
  await expect.poll(console.address).toContain('order=oldest');
});

test('a filtered list leaves nothing in the list of all', async () => {
  const { page, homeserver } = console;
  homeserver.reports = [
    ...sampleReports(4),
    ...[5, 6].map((id) => sampleReport(id, { sender: '@trudy:fake.example' })),
  ];
  await openReports('?order=oldest');
  await page.getByText('6 reports', { exact: true }).waitFor();
  await page.getByText('Reason 5', { exact: true }).click();
  await detail().getByText('1 more against this sender').click();
  await page.getByText('2 matches').waitFor();
  await page.getByRole('button', { name: 'Remove filter: Sender' }).click();
  await page.getByText('6 reports', { exact: true }).waitFor();
  const reasons = [1, 2, 3, 4, 5, 6].map((id) => `Reason ${id}`);
  await expect
    .poll(() =>
      list()
        .getByText(/^Reason \d$/)
        .allTextContents(),
    )
    .toEqual(reasons);
});

test('the detail counts related reports and links to them', async () => {
  const { page, homeserver } = console;
  homeserver.reports = [
    sampleReport(1, { sender: '@trudy:fake.example', event_id: '$same' }),
    sampleReport(2, { sender: '@trudy:fake.example', event_id: '$same', reason: 'The same again' }),
    sampleReport(3, { sender: '@trudy:fake.example' }),
    sampleReport(4),
  ];
  await openReports('?report=1');
  await detail().getByText('1 more on this event').waitFor();
  await detail().getByText('2 more against this sender').click();
  await page.getByText('3 matches').waitFor();
  await detail().getByText('The same again').click();
  await message('Message 2').waitFor();
});

test('scrolls through over a thousand reports and draws only visible rows', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(1_200);
  await openReports();
  await page.getByText('1,200 reports').waitFor();
  await list().focus();
  await expect
    .poll(
      async () => {
        await list().evaluate((element) => element.scrollTo(0, element.scrollHeight));
        return page.getByText('Reason 1', { exact: true }).count();
      },
      { timeout: 30_000 },
    )
    .toBe(1);
  expect(await page.getByRole('option').count()).toBeLessThan(60);
});

test('no report is skipped when others are deleted between two pages', async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.reports = sampleReports(210);
  await openReports();
  for (let count = 0; count < 5; count++) await press('j', 'x');
  await remove(5);
  await page.getByText('205 reports').waitFor();
  await list().focus();
  expect((await readWholeList()).length).toBe(205);
});

test('no report is skipped or repeated when others are deleted and added', async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.reports = sampleReports(330);
  await openReports();
  await page.getByText('330 reports').waitFor();
  // The first pages are loaded; later ones aren't.
  await page.getByText('Reason 330', { exact: true }).waitFor();
  const gone = new Set([325, 324, 300, 200, 120, 2]);
  homeserver.reports = homeserver.reports.filter(({ id }) => !gone.has(id));
  homeserver.reports.push(sampleReport(331), sampleReport(332));
  const seen = await readWholeList();
  const left = sampleReports(330).filter(({ id }) => !gone.has(id));
  expect(seen).toEqual(left.map(({ reason }) => reason).reverse());
  await page.getByRole('button', { name: '2 new reports' }).waitFor();
});

test('reports deleted elsewhere disappear within a minute, and the open one stays in place', async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.reports = sampleReports(300);
  await openReports();
  await list().evaluate((element) => element.scrollTo(0, 130 * 74 + 10));
  const read = page.getByText('Reason 168', { exact: true });
  await read.waitFor();
  const before = await read.boundingBox();
  const gone = new Set([299, 250, 249, 167]);
  homeserver.reports = homeserver.reports.filter(({ id }) => !gone.has(id));
  await page.clock.fastForward(21_000);
  await page.getByText('296 reports').waitFor();
  await page.getByText('Reason 167', { exact: true }).waitFor({ state: 'detached' });
  expect((await read.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
});

test('while others delete, no queue counts too many', async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.reports = sampleReports(9);
  await openReports();
  const counts = (name: string) => page.getByRole('group', { name: 'Queues' }).getByRole('button', { name });
  await counts('Open 9').waitFor();
  const keep = (fits: (id: number) => boolean) => {
    homeserver.reports = homeserver.reports.filter(({ id }) => fits(id));
  };
  keep((id) => id !== 5);
  // More reports are deleted between the requests for the count and the list.
  homeserver.interfere = (_, path, query) => {
    if (path.endsWith('/event_reports') && Number(query.get('limit')) > 1) keep((id) => id > 6);
    return undefined;
  };
  await page.clock.fastForward(60_000);
  // Earlier than the next poll.
  await counts('All 3').waitFor({ timeout: 10_000 });
  await counts('Open 3').waitFor({ timeout: 5_000 });
});

test('an open report deleted elsewhere is shown as deleted, and the key continues to the next', async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.reports = sampleReports(6);
  await openReports();
  await press('j', 'j');
  await page.getByRole('heading', { name: 'Report 5' }).waitFor();
  homeserver.reports = homeserver.reports.filter(({ id }) => id !== 5);
  await page.clock.fastForward(21_000);
  await page.getByText('Report 5 not found').waitFor();
  await page.getByText('5 reports', { exact: true }).waitFor();
  await press('e');
  await page.getByRole('heading', { name: 'Report 4' }).waitFor();
  await page.getByRole('status', { name: '5 open' }).waitFor();
  homeserver.reports = homeserver.reports.filter(({ id }) => id !== 4);
  await page.clock.fastForward(21_000);
  await page.getByText('Report 4 not found').waitFor();
  await press('j');
  await page.getByRole('heading', { name: 'Report 3' }).waitFor();
});

test("statuses of reports deleted elsewhere aren't counted", async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.reports = sampleReports(5);
  await openReports();
  await reviewNewestTwo();
  await page.getByRole('status', { name: '3 open' }).waitFor();
  homeserver.reports = homeserver.reports.filter(({ id }) => id !== 5);
  let searches = 0;
  homeserver.interfere = (_, path, query) => {
    if (path.endsWith('/event_reports') && query.get('limit') === '1000') searches++;
    return undefined;
  };
  await page.clock.fastForward(21_000);
  await page.getByText('4 reports', { exact: true }).waitFor();
  await page.getByRole('status', { name: '3 open' }).waitFor();
  await page.clock.fastForward(21_000);
  await page.getByRole('status', { name: '3 open' }).waitFor();
  expect(searches).toBe(1);
});

test("statuses of reports deleted elsewhere aren't counted while another screen is open", async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.reports = sampleReports(5);
  await openReports();
  await reviewNewestTwo();
  await page.getByRole('status', { name: '3 open' }).waitFor();
  await page.getByRole('link', { name: 'Tasks' }).click();
  await page.getByText('No tasks', { exact: true }).waitFor();
  homeserver.reports = homeserver.reports.filter(({ id }) => id !== 4);
  const checked = page.waitForResponse((reply) => reply.url().endsWith('/event_reports/4'));
  await page.clock.fastForward(21_000);
  await checked;
  await page.getByRole('status', { name: '3 open' }).waitFor();
});

test("statuses of reports deleted elsewhere aren't counted, even if the server fails when asked", async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.reports = sampleReports(5);
  await openReports();
  await reviewNewestTwo();
  await page.getByRole('status', { name: '3 open' }).waitFor();
  homeserver.reports = homeserver.reports.filter(({ id }) => id !== 4);
  let failed = 0;
  homeserver.interfere = (_method, path) =>
    path.endsWith('/event_reports/4') && failed++ === 0
      ? { status: 503, body: { errcode: 'M_UNKNOWN', error: 'Not now' } }
      : undefined;
  await page.clock.fastForward(21_000);
  await page.getByText('4 reports', { exact: true }).waitFor();
  await expect.poll(() => failed).toBeGreaterThan(0);
  await page.clock.fastForward(6_000);
  await page.getByRole('status', { name: '3 open' }).waitFor();
});

test("statuses of reports deleted elsewhere aren't counted after deletions here", async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.reports = sampleReports(5);
  await openReports();
  await press('j');
  await remove();
  await page.getByText('4 reports', { exact: true }).waitFor();
  await message('Message 4').waitFor();
  await press('e');
  await page.getByRole('status', { name: '3 open' }).waitFor();
  await page.getByRole('link', { name: 'Tasks' }).click();
  await page.getByText('No tasks', { exact: true }).waitFor();
  await page.getByRole('link', { name: /Reports/ }).click();
  await page.getByRole('button', { name: /^All/ }).click();
  await page.getByText('4 reports', { exact: true }).waitFor();
  homeserver.reports = homeserver.reports.filter(({ id }) => id !== 4);
  await page.clock.fastForward(21_000);
  await page.getByText('3 reports', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resolved 0' }).waitFor();
});

test.each([
  ['shown whole', '', '60 reports', '64 reports'],
  ['looked through', '&order=severity', '60 reports found', '58 reports found'],
])(
  'deletions elsewhere leave a queue %s, including its last report, while new ones arrive',
  async (_, order, before, after) => {
    const { homeserver } = console;
    const page = await console.pageWithClock();
    homeserver.reports = sampleReports(60);
    await openReports(`?queue=unreviewed${order}`);
    await page.getByText(before, { exact: true }).waitFor();
    let id = 60;
    homeserver.interfere = (_method, path) => {
      if (path.endsWith('/event_reports') && id < 66) homeserver.reports.push(sampleReport(++id));
      return undefined;
    };
    homeserver.reports = homeserver.reports.filter(({ id }) => id !== 30 && id !== 1);
    await page.clock.fastForward(21_000);
    await page.getByText(after, { exact: true }).waitFor();
  },
);

test("statuses of reports deleted while no console was open aren't counted", async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(5);
  await openReports();
  await reviewNewestTwo();
  await page.getByRole('status', { name: '3 open' }).waitFor();
  await page.goto('about:blank');
  // A resolved report was deleted, and a new one arrived.
  homeserver.reports = [sampleReport(6), ...homeserver.reports.filter(({ id }) => id !== 5)];
  await openReports();
  await page.getByText('5 reports', { exact: true }).waitFor();
  await page.getByRole('status', { name: '4 open' }).waitFor();
});

test('the list position is kept while another screen is open', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(90);
  await openReports('?queue=unreviewed');
  await list().evaluate((element) => element.scrollTo(0, 2_000));
  await page.getByText('Reason 60', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Tasks' }).click();
  await page.getByText('No tasks', { exact: true }).waitFor();
  await page.getByRole('link', { name: /Reports/ }).click();
  await page.getByText('Reason 60', { exact: true }).waitFor();
  expect(await list().evaluate((element) => element.scrollTop)).toBe(2_000);
});

test('the palette opens screens and acts on the selection', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(3);
  await openReports();
  await press('j', 'Control+k');
  await page.getByRole('textbox', { name: 'Search screens and actions' }).fill('delete');
  await press('Enter');
  await page.getByRole('dialog', { name: 'Delete report' }).waitFor();
  await press('Escape');
  await press('Control+k');
  await page.getByRole('textbox', { name: 'Search screens and actions' }).fill('tasks');
  await press('Enter');
  await page.getByRole('heading', { name: 'Tasks', exact: true }).waitFor();
});

test('an empty queue shows arriving reports, and asks once for each if the server fails', async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  const failures: string[] = [];
  page.on('pageerror', ({ message: text }) => failures.push(text));
  homeserver.reports = sampleReports(1);
  await openReports('?queue=unreviewed&report=1');
  await message('Message 1').waitFor();
  await press('e');
  await page.getByText('No open reports').waitFor();
  homeserver.reports.push(sampleReport(2));
  await page.clock.fastForward(21_000);
  await page.getByText('Reason 2', { exact: true }).waitFor();
  await press('j');
  await message('Message 2').waitFor();
  await press('e');
  await page.getByText('No open reports').waitFor();
  // Polls and counts of new reports succeed; loading the list hangs.
  let lists = 0;
  homeserver.interfere = (_method, path, query) =>
    path.endsWith('/event_reports') && query.get('limit') !== '1' && ++lists > 1
      ? { status: 500, body: {} }
      : undefined;
  // The list is retried later, so time that the test takes doesn't count.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  homeserver.reports.push(sampleReport(3));
  while (lists < 2) await timePasses(page, 1_000);
  // The next poll doesn't ask again.
  await timePasses(page, 24_000);
  expect(lists).toBe(2);
  expect(failures).toEqual([]);
});

test("arriving reports are offered and don't move the open report", async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.reports = sampleReports(4);
  await openReports('?report=4');
  homeserver.reports.push(sampleReport(5));
  await page.clock.fastForward(21_000);
  await page.getByRole('button', { name: '1 new report' }).waitFor();
  await page.keyboard.press('.');
  await page.getByText('5 reports', { exact: true }).waitFor();
  await message('Message 4').waitFor();
});

test('a status set in a filtered list shows in a list loaded before', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(3);
  await openReports();
  homeserver.reports.push(sampleReport(4, { sender: '@trudy:fake.example' }));
  await list().press('/');
  await page.keyboard.type('@trudy:fake.example');
  await page
    .getByRole('group', { name: 'Sender' })
    .getByRole('option', { name: '@trudy:fake.example' })
    .click();
  await page.getByText('1 match').waitFor();
  await list().focus();
  await press('j');
  await message('Message 4').waitFor();
  await press('e');
  await page.getByRole('button', { name: 'Remove filter: Sender' }).click();
  await page.getByText('3 reports', { exact: true }).waitFor();
  const kept = await page.evaluate(() => localStorage.getItem('gatehouse.team.admin@fake'));
  expect(JSON.parse(kept ?? '')).toMatchObject([{ body: { type: 'mark', reports: [4], state: 'reviewed' } }]);
});

test('a narrow window shows the full event ID', async () => {
  const { page, homeserver } = console;
  const eventId = `$${'aB3'.repeat(14)}`;
  homeserver.reports = [{ ...sampleReport(1), event_id: eventId }];
  await page.setViewportSize({ width: 720, height: 900 });
  await openReports();
  await press('j');
  const shown = detail().getByText(eventId, { exact: true });
  await detail().getByRole('button', { name: 'Details' }).click();
  await shown.waitFor();
  const { x, width } = (await shown.boundingBox()) ?? { x: 0, width: Number.POSITIVE_INFINITY };
  expect(x + width).toBeLessThanOrEqual(720);
  // The expanded state is stored on this device.
  await page.reload();
  await shown.waitFor();
});

test('a narrow window shows the list or a report, and keys switch between them', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(20);
  await page.setViewportSize({ width: 720, height: 900 });
  await openReports();
  const list = page.getByRole('listbox', { name: 'Reports' });
  const showsList = () => list.isVisible();
  await page.getByRole('option', { name: /Reason 15/ }).click();
  await message('Message 15').waitFor();
  expect(await showsList()).toBe(false);
  await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Report');
  await press('j');
  await message('Message 14').waitFor();
  expect(await showsList()).toBe(false);
  await press('Escape');
  await expect.poll(showsList).toBe(true);
  await expect.poll(() => page.evaluate(() => document.activeElement?.role)).toBe('listbox');
  await press('k');
  await message('Message 15').waitFor();
  await page.getByRole('button', { name: 'Back to list' }).click();
  await expect.poll(showsList).toBe(true);
  // The list shows the open report at its position.
  await page.locator('[role=option][aria-current]', { hasText: 'Reason 15' }).click();
  await expect.poll(showsList).toBe(false);
  await press('x');
  await page.getByText('1 of 20 selected').waitFor();
});

test("a button's tooltip shows on hover until leaving, pressing or Escape", async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(2);
  await openReports();
  const button = page.getByRole('button', { name: 'Export reports' });
  const said = page.getByRole('tooltip', { name: 'Export to file' });
  await button.hover();
  await said.waitFor();
  expect(await button.getAttribute('aria-describedby')).toBe(await said.getAttribute('id'));
  await press('Escape');
  await said.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Jump in list' }).hover();
  await page.getByRole('tooltip', { name: 'Jump to date or position' }).waitFor();
  await list().hover();
  await page.getByRole('tooltip').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Jump in list' }).hover();
  await page.getByRole('tooltip').waitFor();
  const opener = page.getByRole('button', { name: 'Jump in list' });
  const isSaid = async () => [
    await opener.getAttribute('aria-haspopup'),
    await opener.getAttribute('aria-expanded'),
  ];
  expect(await isSaid()).toEqual(['dialog', 'false']);
  await opener.click();
  await page.getByRole('tooltip').waitFor({ state: 'detached' });
  expect(await isSaid()).toEqual(['dialog', 'true']);
  const panel = await page.getByRole('dialog', { name: 'Jump in list' }).getAttribute('id');
  expect(await opener.getAttribute('aria-controls')).toBe(panel);
  await opener.click();
  await page.getByRole('dialog', { name: 'Jump in list' }).waitFor({ state: 'detached' });
});

test('tooltips also show on keyboard focus, and never cover menus that open there', async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.reports = sampleReports(2);
  await openReports();
  const jump = page.getByRole('button', { name: 'Jump in list' });
  const said = page.getByRole('tooltip', { name: 'Jump to date or position' });
  const isSaid = async () => {
    // Longer than the tooltip's delay.
    await timePasses(page, 1_000);
    return (await page.getByRole('tooltip').count()) > 0;
  };
  const order = page.getByRole('button', { name: /^Sort:/ });
  await order.focus();
  await press('Shift+Tab', 'Tab');
  await page.getByRole('tooltip', { name: 'Newest first' }).waitFor();
  expect(await order.getAttribute('aria-describedby')).toBe(
    await page.getByRole('tooltip').getAttribute('id'),
  );
  await press('Escape');
  await page.getByRole('tooltip').waitFor({ state: 'detached' });

  // Dismissing the tooltip keeps the focus.
  expect(await order.evaluate((element) => element === document.activeElement)).toBe(true);

  await jump.focus();
  await press('Shift+Tab', 'Tab');
  await said.waitFor();
  await press('Enter');
  await page.getByRole('dialog', { name: 'Jump in list' }).waitFor();
  expect(await isSaid()).toBe(false);
  // Hovering shows no tooltip over the dialog either.
  await jump.hover();
  expect(await isSaid()).toBe(false);
  await press('Escape');
  await page.getByRole('dialog', { name: 'Jump in list' }).waitFor({ state: 'detached' });
  await list().hover();
  // Closing the dialog restores the focus, which shows no tooltip.
  await expect.poll(() => jump.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await isSaid()).toBe(false);
  await order.focus();
  await press('Enter');
  await page.getByRole('menu').waitFor();
  await press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await expect.poll(() => order.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await isSaid()).toBe(false);
  // Mouse users see no focus ring.
  await list().hover();
  await list().getByRole('option').last().click();
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await list().hover();
  expect(await isSaid()).toBe(false);
  expect(console.problems).toEqual([]);
});
