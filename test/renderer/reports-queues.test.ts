/** Queues by the team's status, and sorting and search that the server doesn't support. */
import type { Route } from 'playwright';
import { expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { manyReports } from './many-reports.ts';
import { sampleReport, sampleReports } from './sample-reports.ts';
import { storedMarks } from './stored-marks.ts';

const console = consoleUnderTest();

const list = () => console.page.getByRole('listbox', { name: 'Reports' });
const row = (id: number) => list().getByText(`Reason ${id}`, { exact: true });
const queue = (name: string | RegExp) =>
  console.page.getByRole('group', { name: 'Queues' }).getByRole('button', { name });
const press = async (...keys: string[]) => {
  for (const key of keys) await console.page.keyboard.press(key);
};
/** Waits for the report: decision keys do nothing before it's shown. */
const shown = (id: number) =>
  console.page
    .getByRole('region', { name: 'Report', exact: true })
    .filter({ has: console.page.getByRole('heading', { name: `Report ${id}`, exact: true }) })
    .getByRole('article', { name: 'Reported message' })
    .waitFor();
const looked = () => console.page.getByRole('status', { name: 'Scan progress' });
const pages = () => console.homeserver.requests.filter((request) => request.includes('/event_reports?'));

async function keepMarks(reports: number[]) {
  await console.page.addInitScript((marks) => {
    if (localStorage.getItem('marked')) return;
    localStorage.setItem('marked', 'yes');
    localStorage.setItem('gatehouse.team.admin@fake', marks);
  }, storedMarks(reports));
}

test('queues are processed by keyboard, and a status can be undone', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(6);
  await console.open('/reports?queue=unreviewed');
  await row(6).waitFor();
  await press('j');
  await shown(6);
  await press('e');
  await row(6).waitFor({ state: 'detached' });
  await expect.poll(console.address).toContain('report=5');
  await shown(5);
  // The rail counts open reports of all users.
  const waiting = (name: string) => page.getByRole('status', { name, exact: true });
  await waiting('5 open').waitFor();
  await press('!', 'Enter');
  await waiting('4 open, 1 escalated').waitFor();
  expect(await waiting('4 open, 1 escalated').innerText()).toBe('5');
  await row(5).waitFor({ state: 'detached' });
  await expect.poll(console.address).toContain('report=4');
  await queue('Open 4').waitFor();
  await queue('Escalated 1').click();
  await row(5).waitFor();
  expect(await page.getByRole('option').count()).toBe(1);
  await queue('Resolved 1').click();
  await row(6).waitFor();
  await expect.poll(console.address).toContain('queue=resolved');

  // Undo from another queue: first the latest status, then the one before.
  await queue('Open 4').click();
  await row(4).waitFor();
  await press('t');
  await row(5).waitFor();
  await press('j', 't');
  await row(6).waitFor();
  await queue('Open 6').waitFor();
  expect(console.problems).toEqual([]);
});

test('a reloaded queue shows the row of the open report', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(60);
  await console.open('/reports?queue=unreviewed');
  await row(60).waitFor();
  for (let times = 0; times < 15; times++) await press('j');
  await page.getByRole('heading', { name: 'Report 46' }).waitFor();
  const isSeen = async () => {
    const [seen, within] = [await row(46).boundingBox(), await list().boundingBox()];
    if (!seen || !within) return false;
    return seen.y >= within.y && seen.y + seen.height <= within.y + within.height;
  };
  expect(await isSeen()).toBe(true);
  await page.reload();
  await page.getByRole('heading', { name: 'Report 46' }).waitFor();
  await row(45).waitFor();
  await expect.poll(isSeen).toBe(true);
});

test("a double click on Resolve doesn't resolve the next report", async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(4);
  await console.open('/reports?queue=unreviewed&report=4');
  // The next report is known from the list.
  await row(4).waitFor();
  const button = page.getByRole('button', { name: 'Resolve', exact: true });
  await button.click();
  await page.getByRole('heading', { name: 'Report 3' }).waitFor();
  const box = await button.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 10, (box?.y ?? 0) + 10);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await queue('Open 3').waitFor();
  // A separate click applies to the next report.
  await button.click();
  await queue('Open 2').waitFor();
  expect(console.address()).toContain('report=2');
});

/** Delays the list's replies until the returned function is called. */
function heldList(): () => void {
  const { homeserver } = console;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  homeserver.interfere = (_, path) => (path.endsWith('/event_reports') ? promise : undefined);
  return () => {
    homeserver.interfere = () => undefined;
    resolve(undefined);
  };
}

test.each([
  ['Resolve', 'report=150', 149],
  ['Escalate', 'report=380&queue=unreviewed', 379],
  // Further down than the first scan.
  ['Resolve', 'report=150&text=Reason', 149],
])('%s at %s before the list has loaded: the next one follows', async (name, address, next) => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(400);
  const letGo = heldList();
  await console.open(`/reports?${address}`);
  await page.getByRole('button', { name, exact: true }).click();
  if (name === 'Escalate') await page.keyboard.press('Enter');
  expect(console.address()).toContain(address);
  letGo();
  await page.getByRole('heading', { name: `Report ${next}` }).waitFor();
  await row(next).waitFor();
  expect(console.problems).toEqual([]);
});

const notInList = () =>
  console.page
    .getByRole('status')
    .filter({ hasText: /Filters hide this report\.|This report isn't in this queue\./ });

test('a report outside the filter stays open with a note, and keys lead into the list', async () => {
  const { page, homeserver } = console;
  homeserver.reports = Array.from({ length: 80 }, (_, index) =>
    sampleReport(index + 1, { room_id: index % 2 ? '!even:fake.example' : '!odd:fake.example' }),
  );
  await console.open('/reports?report=21');
  await row(21).waitFor();
  await page.getByRole('heading', { name: 'Report 21', exact: true }).waitFor();
  expect(await notInList().count()).toBe(0);
  const filterByEven = async () => {
    await press('/');
    await page.keyboard.type('!even:fake.example');
    await page.getByRole('option', { name: /!even/ }).first().click();
    await row(80).waitFor();
    await row(79).waitFor({ state: 'detached' });
  };
  await filterByEven();
  await page.getByRole('heading', { name: 'Report 21', exact: true }).waitFor();
  await notInList().getByText('Filters hide this report.').waitFor();
  await list().focus();
  await press('j');
  await page.getByRole('heading', { name: 'Report 20', exact: true }).waitFor();
  await notInList().waitFor({ state: 'detached' });

  await page.goBack();
  await page.getByRole('heading', { name: 'Report 21', exact: true }).waitFor();
  await row(19).waitFor();
  expect(await notInList().count()).toBe(0);
});

test('one key clears the filters', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(6);
  await console.open('/reports?room=!nothing%3Afake.example&queue=unreviewed');
  await page.getByText('No matching reports').waitFor();
  await press('C');
  await row(6).waitFor();
  // The queue isn't a filter.
  expect(console.address()).toContain('queue=unreviewed');
  expect(console.address()).not.toContain('room=');
});

test("a report outside the queue has a note with a link to all reports, one resolved there doesn't", async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(6);
  await keepMarks([3]);
  await console.open('/reports?queue=unreviewed&report=3');
  await row(6).waitFor();
  await notInList().getByText("This report isn't in this queue.").waitFor();
  await page.getByRole('button', { name: 'Show all reports' }).click();
  await row(3).waitFor();
  await page.getByRole('heading', { name: 'Report 3', exact: true }).waitFor();
  await notInList().waitFor({ state: 'detached' });

  await console.open('/reports?queue=unreviewed&report=1');
  await row(1).waitFor();
  await press('e');
  await row(1).waitFor({ state: 'detached' });
  expect(await notInList().count()).toBe(0);
  // There's no later report, so the first one opens.
  await page.getByRole('heading', { name: 'Report 6', exact: true }).waitFor();
});

test('a report whose status is undone is back in the queue', async () => {
  const { homeserver } = console;
  homeserver.reports = sampleReports(6);
  await keepMarks([3]);
  await console.open('/reports?queue=unreviewed&report=3');
  await notInList().getByText("This report isn't in this queue.").waitFor();
  await press('t');
  await notInList().waitFor({ state: 'detached' });
  await row(3).waitFor();
});

test('in the escalated queue, T continues within it', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(6);
  await escalate([6, 4, 2]);
  await console.open('/reports?report=6&queue=escalated');
  await page.getByRole('heading', { name: 'Report 6' }).waitFor();
  await row(2).waitFor();
  await press('t');
  await page.getByRole('heading', { name: 'Report 4' }).waitFor();
  await press('t');
  await page.getByRole('heading', { name: 'Report 2' }).waitFor();
});

test('a status key before the report is shown does nothing and announces that', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(3);
  const held: Route[] = [];
  await page.route(/\/event_reports\/2(\?|$)/, (route) => void held.push(route));
  await console.open('/reports?report=3');
  await page.getByRole('heading', { name: 'Report 3' }).waitFor();
  await press('e');
  await expect.poll(console.address).toContain('report=2');
  await press('e', 'e', '!');
  const said = page.getByText('Report 2 is still loading');
  await said.waitFor();
  expect(await said.count()).toBe(1);
  for (const route of held) await route.continue();
  await page.getByRole('heading', { name: 'Report 2' }).waitFor();
  await queue('Resolved 1').waitFor();
  await press('e');
  await queue('Resolved 2').waitFor();
});

test('Escape clears the filter of an empty list, and keys work again', async () => {
  console.homeserver.reports = sampleReports(2);
  await console.open('/reports?text=nothing');
  const { page } = console;
  await page.getByText('No matching reports').waitFor();
  await press('/');
  await page.getByRole('combobox', { name: 'Filter reports' }).pressSequentially('x');
  await press('Escape', 'C');
  await row(2).waitFor();
});

/** In the format of the local team log. */
const escalate = (reports: number[]) =>
  console.page.addInitScript((marked) => {
    const body = { type: 'mark', reports: marked, state: 'escalated' };
    localStorage.setItem('gatehouse.team.admin@fake', JSON.stringify([{ id: 'kept', at: 1, body }]));
  }, reports);

test('one key undoes the last change of any kind, and all matches are selected at once', async () => {
  const { page, homeserver } = console;
  manyReports(homeserver, 1_500);
  await console.open('/reports');
  await row(1_500).waitFor();
  await press('j');
  await shown(1_500);
  await press('!', 'Enter', 'x', 'A');
  await page.getByText('1,500 selected', { exact: true }).waitFor();
  await press('e');
  await page.getByText('1,500 reports resolved').waitFor();
  await queue(/Resolved 1,500/).waitFor();
  await press('z');
  // The previous statuses are restored: one was escalated.
  await queue('Escalated 1').waitFor();
  await queue('Resolved 0').waitFor();
  await page.getByText('1,500 reports resolved').waitFor({ state: 'detached' });
  await press('U');
  await queue('Escalated 0').waitFor();
  await press('a');
  await page.getByRole('button', { name: 'Select all 1,500' }).click();
  await page.getByText('1,500 selected', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('1,500 selected').waitFor({ state: 'detached' });
  expect(console.problems).toEqual([]);
});

test('a partly loaded queue offers to select all of its reports', async () => {
  const { page, homeserver } = console;
  manyReports(homeserver, 3_000);
  // One visible report, and many far below.
  await keepMarks([2_999, ...Array.from({ length: 500 }, (_, index) => index + 1)]);
  await console.open('/reports?queue=unreviewed');
  await row(3_000).waitFor();
  await queue('Open 2,499').waitFor();
  await press('j', 'x', 'j', 'x');
  await page.getByRole('button', { name: 'Select all 2,499' }).click();
  await page.getByText('2,499 selected').waitFor();
  expect(console.problems).toEqual([]);
});

test('reports are escalated by mouse, one or many, and resolved from there', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(4);
  await console.open('/reports?report=4');
  const report = page.getByRole('region', { name: 'Report', exact: true });
  const panel = page.getByRole('dialog');
  await report.getByRole('button', { name: 'Escalate' }).click();
  await panel.getByRole('textbox', { name: 'Reason' }).fill('Third time');
  await panel.getByRole('button', { name: 'Escalate' }).click();
  await queue('Escalated 1').click();
  await row(4).click();
  await report.getByRole('button', { name: 'Remove escalation' }).waitFor();
  await report.getByRole('complementary').getByText('Third time').waitFor();
  // An escalated report is resolved in one step.
  await report.getByRole('button', { name: 'Resolve', exact: true }).click();
  await queue('Resolved 1').waitFor();
  await queue('Open 3').click();
  await row(3).click({ modifiers: ['ControlOrMeta'] });
  await row(2).click({ modifiers: ['ControlOrMeta'] });
  // The open report's buttons show no keys while those apply to the selection.
  expect(await report.getByRole('button', { name: 'Escalate' }).locator('kbd').count()).toBe(0);
  await page.getByRole('button', { name: 'Escalate (2)' }).click();
  await page.getByRole('dialog', { name: 'Escalate 2 reports' }).waitFor();
  await page.keyboard.press('Enter');
  await queue('Escalated 2').waitFor();
  await queue('Open 1').waitFor();
  expect(console.problems).toEqual([]);
});

test('escalated reports of any age load immediately, without loading others', async () => {
  const { page, homeserver } = console;
  manyReports(homeserver, 5_000);
  await escalate([17, 2_500, 4_000]);
  await console.open('/reports?queue=escalated&reporter=@nobody:fake.example');
  // With a filter, the counts of other queues are unknown.
  await queue('Escalated 0').waitFor();
  expect(await queue(/^Open \d/).count()).toBe(0);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await row(17).waitFor();
  expect(await page.getByRole('option').count()).toBe(3);
  expect(pages().filter((request) => request.includes('limit=500'))).toEqual([]);
  await row(4_000).click();
  await shown(4_000);
  await press('e');
  await row(4_000).waitFor({ state: 'detached' });
  await queue('Escalated 2').waitFor();
  await shown(2_500);
  await press('e');
  await shown(17);
  await press('e');
  await page.getByText('No reports in this queue').waitFor();
  expect(console.problems).toEqual([]);
});

test("a report ID that may exist is requested, a future one isn't", async () => {
  const { page, homeserver } = console;
  manyReports(homeserver, 300).gone.add(40);
  await keepMarks([17, 40, 301]);
  await console.open('/reports');
  await row(300).waitFor();
  await queue('Resolved 1').waitFor();
  const asked = (id: number) => homeserver.requests.some((path) => path.endsWith(`/event_reports/${id}`));
  expect([asked(40), asked(301)]).toEqual([true, false]);
  await page.reload();
  await queue('Open 298').waitFor();
});

test('in a list of all reports, the key continues to the next open one at any distance', async () => {
  const { homeserver } = console;
  manyReports(homeserver, 2_000);
  await keepMarks(Array.from({ length: 1_298 }, (_, index) => 1_999 - index));
  await console.open('/reports');
  await row(2_000).waitFor();
  await press('j');
  await shown(2_000);
  await press('e');
  await expect.poll(console.address).toContain('report=701');
  await row(701).waitFor();
});

test('finds the few open reports among many without loading all, and shows progress', async () => {
  const { page, homeserver } = console;
  manyReports(homeserver, 6_000);
  const unreviewed = new Set(Array.from({ length: 300 }, (_, index) => 5_500 - index * 15));
  await keepMarks(Array.from({ length: 5_999 }, (_, index) => index + 1).filter((id) => !unreviewed.has(id)));
  await console.open('/reports?queue=unreviewed');
  await row(5_500).waitFor();
  await queue('Open 301').waitFor();
  await looked()
    .getByText(/[\d,]+ of 6,000 reports scanned/)
    .waitFor();
  expect(pages().filter((request) => request.includes('limit=500')).length).toBeLessThan(7);

  await page.getByRole('button', { name: 'Scan more' }).click();
  await expect
    .poll(async () => {
      await list().evaluate((element) => element.scrollTo(0, 60 * 74));
      return row(5_500 - 59 * 15).count();
    })
    .toBe(1);
});

test('with most of many thousands open, the end of the queue loads fast, and keys continue there', async () => {
  const { page, homeserver } = console;
  manyReports(homeserver, 20_000);
  await keepMarks([20_000, 19_998, 2]);
  await console.open('/reports?queue=unreviewed');
  await row(19_999).waitFor();
  await page.getByText('19,997 reports', { exact: true }).waitFor();
  expect(await looked().count()).toBe(0);
  await list().focus();
  await press('End');
  await row(1).waitFor();
  await row(3).waitFor();
  expect(await row(2).count()).toBe(0);
  await press('k');
  await expect.poll(console.address).toContain('report=1');
  /** Presses the key until it has an effect. It does nothing before the report is shown, or on a resolved one. */
  const markOnceShown = async () => {
    await press('e');
    return queue('Open 19,996').count();
  };
  await expect.poll(markOnceShown).toBe(1);
  await queue('All 20,000').waitFor();
  await press('Home', 'j');
  await expect.poll(console.address).toContain('report=19997');
  await expect
    .poll(async () => {
      if (console.address().includes('report=19997')) await press('e');
      return console.address();
    })
    .toContain('report=19996');
  await press('g');
  await page.getByRole('button', { name: 'Middle', exact: true }).click();
  await expect.poll(console.address).toMatch(/report=(999|1000)\d/);
});

test('the most severe of thousands come first immediately, and the screen shows of how many', async () => {
  const { page, homeserver } = console;
  manyReports(homeserver, 8_000, (id) => ({ score: id % 500 === 0 ? -99 : -(id % 50) }));
  await console.open('/reports?order=severity');
  await looked()
    .getByText(/Sorted the first 5,\d{3} of 8,000 reports/)
    .waitFor();
  const first = async (count: number) =>
    (await page.getByRole('option').allTextContents())
      .slice(0, count)
      .map((text) => /Reason (\d+)/.exec(text)?.[1]);
  await expect.poll(() => first(3)).toEqual(['8000', '7500', '7000']);
  await page.getByRole('button', { name: 'Scan more' }).click();
  await looked().getByText('All 8,000 reports scanned').waitFor();
});

test('another order opens the list at its start', async () => {
  const { page, homeserver } = console;
  manyReports(homeserver, 400, (id) => ({ score: id === 400 ? 0 : -(id % 90) - 1 }));
  await console.open('/reports?report=400');
  await row(400).waitFor();
  await page.getByRole('button', { name: 'Sort: Newest first' }).click();
  await page.getByRole('menuitemradio', { name: 'Most severe first' }).click();
  await looked().getByText('All 400 reports scanned').waitFor();
  await row(359).waitFor();
  await expect.poll(() => list().evaluate((element) => element.scrollTop)).toBe(0);
  await page.getByRole('article').getByText('Message 400', { exact: true }).waitFor();
});

test('words are found in reasons, and in messages once loaded', async () => {
  const { page, homeserver } = console;
  homeserver.reports = [
    sampleReport(1),
    sampleReport(2, { content: { msgtype: 'm.text', body: 'Cheap watches here' } }),
    sampleReport(3, { reason: 'Sells fake watches' }),
    sampleReport(4),
  ];
  await console.open('/reports');
  await row(1).waitFor();
  await press('/');
  await page.keyboard.type('WATCHES');
  await page.getByRole('option', { name: /In reason or message/ }).click();
  await page.getByText('1 report found').waitFor();
  await list().getByText('Sells fake watches').waitFor();
  await page.getByText(/^Searched all reasons and [012] of 4 messages$/).waitFor();
  await page.getByRole('button', { name: /^Search [234] more messages$/ }).click();
  await page.getByText('2 reports found').waitFor();
  await page.getByText('Searched all reasons and messages').waitFor();
  // After a full scan the counts are exact.
  await expect.poll(() => queue(/^All/).innerText()).toMatch(/^All\s+2\b/);
  await row(2).waitFor();
  await expect.poll(console.address).toContain('text=WATCHES');
  // Each row highlights its match.
  expect(await list().locator('mark').allInnerTexts()).toEqual(['watches', 'watches']);
  const found = list().getByRole('option').filter({ hasText: 'Reason 2' });
  await found.getByRole('img', { name: 'In message:' }).waitFor();
  expect(await found.innerText()).toContain('Cheap watches here');
});

test('a match is shown as a short excerpt and stays text', async () => {
  const { page, homeserver } = console;
  const body = `${'Long before. '.repeat(40)}<b>\u202Ethe needle</b> is (here), and ${'long after. '.repeat(40)}`;
  homeserver.reports = [sampleReport(1, { content: { msgtype: 'm.text', body } })];
  // The message loads when the report is opened.
  await console.open('/reports?text=needle+(HERE)&report=1');
  const found = list().getByRole('option').filter({ hasText: 'Reason 1' });
  await expect.poll(() => found.locator('mark').allInnerTexts()).toEqual(['needle', '(here)']);
  const said = await found.innerText();
  expect(said).toContain('RLO');
  expect(said).toContain('</b> is (here), and long after.');
  expect(said).not.toContain('Long before. Long before. ');
  expect(said.length).toBeLessThan(400);
  expect(await page.locator('[role=option] b').count()).toBe(0);
  // Also in groups.
  await console.open('/reports?text=needle+(HERE)&report=1&group=room');
  const grouped = page.getByRole('list', { name: 'Reports in group' });
  await grouped.getByRole('img', { name: 'In message:' }).waitFor();
  await expect.poll(() => grouped.locator('mark').allInnerTexts()).toEqual(['needle', '(here)']);
  await page.getByText('1 report found', { exact: true }).waitFor();
});

test("rows show the server's counts for their sender and event", async () => {
  const { homeserver } = console;
  homeserver.reports = [
    ...Array.from({ length: 105 }, (_, index) =>
      sampleReport(index + 1, {
        sender: '@flood:fake.example',
        event_id: index % 3 === 0 ? '$same' : `$event-${index}`,
      }),
    ),
    sampleReport(106, { sender: '@once:fake.example' }),
  ];
  await console.open('/reports');
  await row(105).waitFor();
  const of = (id: number, what: string) =>
    list()
      .getByRole('option')
      .filter({ hasText: new RegExp(`Reason ${id}(?!\\d)`) })
      .locator(`[data-others="${what}"]`);
  await of(105, 'sender').getByText('+104').waitFor();
  await of(103, 'event').getByText('+34').waitFor();
  expect(await of(106, 'sender').count()).toBe(0);
  await row(103).click();
  const detail = console.page.getByRole('region', { name: 'Report', exact: true });
  await detail.getByText('104 more against this sender').waitFor();
  await detail.getByText('34 more on this event', { exact: true }).waitFor();
  await list().evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await of(1, 'sender').getByText('+104').waitFor();
  await of(1, 'event').getByText('+34').waitFor();
});
