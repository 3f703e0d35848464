/** Reports grouped by event, sender, room or reporter, with the server's own counts. */
import { expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import type { FakeHomeserver } from './fake-homeserver.ts';
import { manyReports } from './many-reports.ts';
import { sampleReport } from './sample-reports.ts';

const console = consoleUnderTest();

const groups = () => console.page.getByRole('list', { name: 'Grouped reports' });
const group = (text: string | RegExp) => groups().getByRole('button', { name: text, expanded: false });
const looked = () => console.page.getByRole('status', { name: 'Scan progress' });
const progress = () => console.page.getByRole('progressbar', { name: 'Scan progress' });
const button = (name: string) => console.page.getByRole('button', { name, exact: true });
const names = async (name: RegExp) =>
  (
    await groups()
      .getByRole('button', { expanded: false })
      .or(groups().locator('[data-subject]'))
      .allTextContents()
  ).map((text) => name.exec(text)?.[0]);
const members = () => console.page.getByRole('list', { name: 'Reports in group' }).getByRole('button');

test('a sender is one row with all of its reports, and expands', async () => {
  const { page, homeserver } = console;
  homeserver.reports = [
    ...Array.from({ length: 45 }, (_, index) =>
      sampleReport(index + 1, {
        sender: '@flood:fake.example',
        user_id: `@reporter${index % 40}:fake.example`,
        score: index === 3 ? -97 : -20,
      }),
    ),
    sampleReport(46, { sender: '@once:fake.example' }),
  ];
  await console.open('/reports');
  await page.getByRole('option').first().waitFor();
  await page.getByRole('button', { name: 'Group reports' }).click();
  await page.getByRole('menuitemradio', { name: 'By sender' }).click();
  await group(/@flood.*45 reports.*by 40 users.*−97/).waitFor();
  await group(/@once.*1 report\b/).waitFor();
  await expect.poll(console.address).toContain('group=sender');

  await group(/@flood/).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => members().count()).toBe(20);
  for (const shown of [40, 45]) {
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => members().count()).toBe(shown);
  }
  await members().last().click();
  await page.getByRole('article').getByText('Message 1', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show as list' }).click();
  await page.getByText('45 matches').waitFor();
  expect(console.problems).toEqual([]);
});

test('from a report hidden by filters, keys continue after its position in the group', async () => {
  const { page, homeserver } = console;
  const [ada, bob] = ['@ada:fake.example', '@bob:fake.example'];
  homeserver.reports = [
    sampleReport(1, { sender: ada, score: -5, reason: 'Rude' }),
    sampleReport(2, { sender: bob, score: -30, reason: 'Rude' }),
    sampleReport(3, { sender: ada, score: -15, reason: 'Spam' }),
    sampleReport(4, { sender: ada, score: -20, reason: 'Rude' }),
    sampleReport(5, { sender: bob, score: -90, reason: 'Rude' }),
    sampleReport(6, { sender: ada, score: -10, reason: 'Rude' }),
  ];
  await console.open('/reports?text=rude&group=sender&order=severity&report=3');
  await group(/@bob.*2 reports/).waitFor();
  await page.getByRole('heading', { name: 'Report 3' }).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'Report 6' }).waitFor();
});

test('marks users who flood reports and those who report most messages first', async () => {
  const { homeserver } = console;
  const start = Date.UTC(2026, 4, 1);
  homeserver.reports = [
    ...Array.from({ length: 30 }, (_, index) =>
      sampleReport(index + 1, {
        user_id: '@busy:fake.example',
        event_id: index < 12 ? '$disliked' : `$other-${index}`,
        received_ts: start + index * 60_000,
      }),
    ),
    ...[31, 32].map((id) =>
      sampleReport(id, {
        user_id: '@calm:fake.example',
        event_id: '$disliked',
        received_ts: start + id * 7e6,
      }),
    ),
  ];
  await console.open('/reports?group=reporter');
  await group(/@busy.*30 reports.*30 reports in an hour/).waitFor();
  await group(/@calm.*2 reports/).waitFor();
  expect(await groups().getByText('in an hour').count()).toBe(1);

  await console.open('/reports?group=event');
  await group(/14 reports.*by 2 users.*12 of 14 by @busy/).waitFor();
});

test("groups of more than 5,000 reports show the server's counts", async () => {
  const { page, homeserver } = console;
  manyReports(homeserver, 6_000, (id) => ({ room_id: `!r${id % 3}:fake.example`, name: `Room ${id % 3}` }));
  await console.open('/reports?group=room');
  await group(/Room 0.*2,000 reports/).waitFor();
  await page.getByText(/3 groups, [\d,]+ reports/).waitFor();
  await looked().getByText('All 6,000 reports scanned').waitFor();
  await group(/Room 0.*newest 1,000/).waitFor();
});

/** Delays pages beyond the first 6,000 reports until released. */
function heldBeyond6000(homeserver: FakeHomeserver) {
  const { interfere } = homeserver;
  const { promise, resolve } = Promise.withResolvers<void>();
  homeserver.interfere = async (method, path, query) => {
    if (Number(query.get('from')) > 6_000 && Number(query.get('limit')) > 1) await promise;
    return interfere(method, path, query);
  };
  return { release: resolve };
}

test('scans for groups to the end or until stopped, and resumes', async () => {
  const { page, homeserver } = console;
  manyReports(homeserver, 8_000, (id) =>
    id > 5
      ? { room_id: '!busy:fake.example', name: 'Busy' }
      : { room_id: '!early:fake.example', name: 'Early' },
  );
  const { release } = heldBeyond6000(homeserver);
  await console.open('/reports?group=room');
  await group(/Busy.*7,995 reports/).waitFor();
  await looked()
    .getByText(/6,\d{3} of 8,000 reports scanned/)
    .waitFor();
  await progress().waitFor();
  await button('Stop').click();
  await progress().waitFor({ state: 'detached' });
  release();
  await page.getByText(/^1 group, /).waitFor();

  await button('Scan more').click();
  await group(/Early.*5 reports/).waitFor();
  await looked().getByText('All 8,000 reports scanned').waitFor();
  expect(await button('Stop').count()).toBe(0);
  const walked = homeserver.requests.filter((request) => /event_reports\?.*limit=1000$/.test(request));
  expect(walked.filter((request) => !request.includes('room_id')).length).toBeLessThan(15);
});

test('groups keep their positions under the pointer and while expanded, until sorted', async () => {
  const { page, homeserver } = console;
  manyReports(homeserver, 8_000, (id) => ({
    sender: id % 2 ? '@rude:fake.example' : '@worse:fake.example',
    score: id % 2 ? -50 : id > 10 ? -40 : -99,
  }));
  const order = () => names(/@(rude|worse)/);
  const { release } = heldBeyond6000(homeserver);
  await console.open('/reports?group=sender&order=severity');
  await progress().waitFor();
  await looked()
    .getByText(/\b6,\d{3} of 8,000 reports scanned/)
    .waitFor();
  await expect.poll(order).toEqual(['@rude', '@worse']);
  await group(/@rude/).hover();
  release();
  await looked().getByText('All 8,000 reports scanned').waitFor();
  expect(await order()).toEqual(['@rude', '@worse']);
  await group(/@rude/).click();
  await members().first().waitFor();
  await page.mouse.move(0, 0);
  expect(await order()).toEqual(['@rude', '@worse']);
  await button('Sort reports').click();
  await expect.poll(order).toEqual(['@worse', '@rude']);
  expect(await button('Sort reports').count()).toBe(0);
});

test('waits for a busy server, then scans to the end', async () => {
  const { page, homeserver } = console;
  manyReports(homeserver, 6_500, (id) => ({
    sender: id > 5 ? '@often:fake.example' : '@once:fake.example',
  }));
  const { interfere } = homeserver;
  const refusals = [{ status: 503, body: { errcode: 'M_UNKNOWN', error: 'Busy' } }];
  homeserver.interfere = (method, path, query) =>
    (Number(query.get('from')) > 5_000 && refusals.shift()) || interfere(method, path, query);
  await console.open('/reports?group=sender');
  await group(/@often/).waitFor();
  await page.getByText('Server busy. Retrying shortly…').waitFor();
  await group(/@once.*5 reports/).waitFor();
  await looked().getByText('All 6,500 reports scanned').waitFor();
  expect(refusals).toEqual([]);
});

test("the server's counts sort the largest groups, and another order can be chosen", async () => {
  const { page, homeserver } = console;
  // The newest 5,000 reports are mostly against one user, all older ones against another.
  manyReports(homeserver, 8_000, (id) => ({
    sender:
      id === 8_000
        ? '@last:fake.example'
        : id > 3_000 && id % 3
          ? '@lately:fake.example'
          : '@ever:fake.example',
    score: id === 8_000 ? -99 : -10,
  }));
  const names = async () =>
    (await groups().getByRole('button', { expanded: false }).allTextContents()).map(
      (text) => /@(ever|lately|last)/.exec(text)?.[1],
    );
  await console.open('/reports?group=sender');
  await page.getByRole('button', { name: 'Sort: Most reports' }).waitFor();
  await expect.poll(names).toEqual(['ever', 'lately', 'last']);

  await page.getByRole('button', { name: /^Sort/ }).click();
  await page.getByRole('menuitemradio', { name: 'Newest first' }).click();
  await expect.poll(names).toEqual(['last', 'lately', 'ever']);
  await expect.poll(console.address).toContain('order=newest');
});

test('keys step through a group and into the next', async () => {
  const { page, homeserver } = console;
  homeserver.reports = [
    ...[1, 3, 5].map((id) => sampleReport(id, { sender: '@thrice:fake.example' })),
    ...[2, 4].map((id) => sampleReport(id, { sender: '@twice:fake.example' })),
  ];
  const walk = async (...ids: number[]) => {
    for (const id of ids) {
      await page.keyboard.press('j');
      await page.getByRole('article').getByText(`Message ${id}`, { exact: true }).waitFor();
    }
  };
  await console.open('/reports?group=sender');
  await group(/@thrice/).waitFor();
  await walk(5, 3, 1, 4);
  await expect.poll(() => members().count()).toBe(5);
});

test('selecting a group selects all of its reports, and Escape clears the selection', async () => {
  const { page, homeserver } = console;
  manyReports(homeserver, 600, (id) => ({
    user_id: id % 10 ? '@many:fake.example' : '@few:fake.example',
    sender: `@accused${id % 3}:fake.example`,
  }));
  await console.open('/reports?group=reporter');
  await group(/@many.*540 reports/).waitFor();
  const selected = (count: string) => page.getByText(`${count} selected`).first().waitFor();
  const checkboxes = groups().getByRole('checkbox', { name: 'Select group' });
  await checkboxes.nth(1).click();
  await selected('60');
  await page.keyboard.press('Escape');
  await page.getByText('60 selected').waitFor({ state: 'detached' });
  expect(await checkboxes.nth(1).isChecked()).toBe(false);

  // The key selects only the focused group.
  await group(/@few/).focus();
  await page.keyboard.press('x');
  await selected('60');
  await page.keyboard.press('e');
  const notice = page.getByRole('status').filter({ hasText: '60 reports resolved' });
  await notice.waitFor();
  await group(/@few.*resolved/).waitFor();
  await group(/@few/).press('Enter');
  await members().filter({ hasText: '@accused' }).first().waitFor();
  await page.getByText('20 of 60 shown').waitFor();
  expect(await members().filter({ hasText: '@few' }).count()).toBe(0);
  const waiting = () => groups().getByRole('img', { name: 'Open' }).count();
  expect(await waiting()).toBe(1);

  await page.keyboard.press('z');
  await notice.waitFor({ state: 'detached' });
  await expect.poll(waiting).toBe(22);
  await page
    .getByRole('checkbox', { name: /^Select report/ })
    .first()
    .check();
  await page.getByText('1 of 600 selected').waitFor();
  expect(console.problems).toEqual([]);
});
