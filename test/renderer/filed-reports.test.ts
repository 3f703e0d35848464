/** User and room reports, background updates, and federation, which not every server supports. */
import type { Route } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { consoleOnHomeserver } from './console-on-homeserver.ts';

const console = consoleOnHomeserver();
const enc = encodeURIComponent;
const row = (text: string) => console.page.getByRole('row').filter({ hasText: text });

beforeAll(async () => {
  const { homeserver } = console;
  for (const [by, about, reason] of [
    ['alice', 'bob', 'Sells things'],
    ['bob', 'carol', '<b>Rude</b>'],
    ['alice', 'carol', ''],
  ] as const) {
    const path = `/_chat/client/v3/users/${enc(homeserver.as(about).userId)}/report`;
    expect((await homeserver.as(by).post(path, { reason })).status).toBe(200);
  }
});

const option = (text: string) => console.page.getByRole('option').filter({ hasText: text });
/** Resolves each report in turn, and waits for each: the key does nothing before its report is shown. */
async function resolveInTurn(...ids: number[]) {
  const { page } = console;
  await page.keyboard.press('j');
  for (const id of ids) {
    await page
      .getByRole('region', { name: 'Report', exact: true })
      .filter({ has: page.getByRole('heading', { name: `Report ${id}`, exact: true }) })
      .getByText('Reported by', { exact: true })
      .waitFor();
    await page.keyboard.press('e');
  }
}
const queue = (name: RegExp) =>
  console.page.getByRole('group', { name: 'Queues' }).getByRole('button', { name });

test('user reports are processed like event reports', async () => {
  const { page } = console;
  await console.open('/reports/users');
  await page.getByText('3 reports', { exact: true }).waitFor();
  // The reason is shown as text, not as HTML.
  await option('<b>Rude</b>').getByText('@carol').waitFor();
  await option('@alice').getByText('No reason given').waitFor();
  // User reports count as open in the tabs, the badge and the title.
  await page.getByRole('link', { name: 'User reports 3' }).waitFor();
  await page.getByRole('status', { name: '3 open' }).waitFor();
  await expect.poll(() => page.title()).toMatch(/^\(3\) /);
  await page.keyboard.press('j');
  const report = page.getByRole('region', { name: 'Report', exact: true });
  await report.getByRole('heading', { level: 1, name: 'Report 3' }).waitFor();
  const history = report.getByRole('region', { name: 'Activity' });
  await history.getByText('reported this user (report 3)').waitFor();
  await option('<b>Rude</b>').getByText('Report 2, reported by').waitFor();
  await report.getByRole('region', { name: 'Other user reports' }).getByText('<b>Rude</b>').waitFor();
  await page.keyboard.press('e');
  await report.getByRole('heading', { level: 1, name: 'Report 2' }).waitFor();
  await queue(/^Resolved 1/).waitFor();
  await page.keyboard.press('!');
  await page.keyboard.press('Enter');
  await queue(/^Escalated 1/).waitFor();
  await page.getByRole('status', { name: '1 open' }).waitFor();
  await queue(/^Escalated/).click();
  await expect.poll(() => page.getByRole('option').count()).toBe(1);
  await option('<b>Rude</b>').click();
  await history.getByText('escalated this').waitFor();
  await report.getByText(/^Escalated by @admin, /).waitFor();
  await page.keyboard.press('t');
  await page.getByText('No reports in this queue').waitFor();
  await page.getByRole('status', { name: '2 open' }).waitFor();
  // Event reports are counted separately.
  await page.getByRole('link', { name: 'Event reports' }).click();
  await page.getByRole('heading', { name: 'No reports' }).waitFor();
  expect(console.problems).toEqual([]);
});

test('an action on a user report resolves it, and its undo reopens it', async () => {
  const { page } = console;
  await console.open('/reports/users');
  await page.getByText('3 reports', { exact: true }).waitFor();
  await page.keyboard.press('j');
  const report = page.getByRole('region', { name: 'Report', exact: true });
  const suspend = report.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: /^Suspend/ });
  await suspend.click();
  const panel = page.getByRole('dialog', { name: /^Suspend/ });
  expect(await panel.getByLabel('Resolve this report').isChecked()).toBe(true);
  await panel.getByRole('button', { name: /^Suspend/ }).click();
  await queue(/^Resolved 1/).waitFor();
  const log = await page.evaluate(() => JSON.parse(localStorage.getItem('gatehouse.team.admin@box') ?? '[]'));
  expect(log.map(({ body }: { body: object }) => body)).toMatchObject([
    { type: 'mark', of: 'user_report', reports: [3], state: 'reviewed', verdict: 'upheld' },
    { type: 'action', action: 'suspend-user', of: 'user_report', reports: [3] },
  ]);
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await queue(/^Resolved 0/).waitFor();
});

test('while the server fails, the current screen keeps its tab', async () => {
  const { page } = console;
  await page.route('**/_service/admin/**', (route) =>
    route.fulfill({ status: 500, json: { errcode: 'M_UNKNOWN', error: 'The disk is on fire' } }),
  );
  await console.open('/reports/users', 'vendor', { isProbed: false });
  const tabs = page.getByRole('navigation', { name: 'Related pages' });
  await tabs.getByRole('link', { name: 'User reports' }).waitFor();
  await tabs.getByRole('link', { name: 'Event reports' }).waitFor();
  // The server may not support room reports.
  expect(await tabs.getByRole('link', { name: 'Room reports' }).count()).toBe(0);
});

const notInList = () =>
  console.page
    .getByRole('status')
    .filter({ hasText: /^(Filters hide this report|This report isn't in this queue)\./ });

test('a user report outside the filters is shown as missing from the list, and keys lead into the list', async () => {
  const { page } = console;
  await console.open('/reports/users/3?about=%40bob%3Alocalhost');
  await page.getByRole('heading', { level: 1, name: 'Report 3' }).waitFor();
  await notInList().getByText('Filters hide this report.').waitFor();
  await option('Sells things').waitFor();
  await page.keyboard.press('j');
  await page.getByRole('heading', { level: 1, name: 'Report 1' }).waitFor();
  await notInList().waitFor({ state: 'detached' });

  await console.open('/reports/users/3?about=%40bob%3Alocalhost');
  await notInList().getByRole('button', { name: 'Clear filters' }).click();
  await option('Report 3, reported by').waitFor();
  await notInList().waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: 'Report 3' }).waitFor();

  await console.open('/reports/users/3?queue=escalated');
  await notInList().getByText("This report isn't in this queue.").waitFor();
  await notInList().getByRole('button', { name: 'Show all reports' }).click();
  await option('Report 3, reported by').waitFor();
  await notInList().waitFor({ state: 'detached' });
  // Resolving a report in its queue shows no notice.
  await queue(/^Open/).click();
  await page.getByRole('button', { name: 'Resolve', exact: true }).first().click();
  await queue(/^Resolved 1/).waitFor();
  expect(await notInList().count()).toBe(0);
  expect(console.problems).toEqual([]);
});

test('facts about a reported user load without moving anything', async () => {
  const { page } = console;
  const released = Promise.withResolvers<void>();
  await page.route(/\/v2\/users\/[^/]+$|event_reports\?.*event_sender_user_id=/, async (route) => {
    await released.promise;
    await route.fallback();
  });
  await page.route(/user_reports\?.*target_user_id=/, async (route) => {
    await released.promise;
    const response = await route.fetch();
    const { user_reports: reports } = await response.json();
    const more = [4, 5, 6].map((id) => ({ ...reports[0], id, reason: `Again ${id}` }));
    await route.fulfill({ response, json: { user_reports: [...reports, ...more], total: 5 } });
  });
  await console.open('/reports/users/3');
  const others = page.getByRole('region', { name: 'Other user reports' });
  await others.getByText('Loading reports…').waitFor();
  const history = () => page.getByRole('region', { name: 'Activity' }).boundingBox();
  const before = (await history())?.y;
  released.resolve();
  await others.getByText('Again 6').waitFor();
  await page.getByRole('article', { name: 'Reported user' }).getByText('0 event reports').waitFor();
  expect((await history())?.y).toBe(before);
});

test('tabs keep their space while they load', async () => {
  const { page } = console;
  const released = Promise.withResolvers<void>();
  await page.route('**/background_updates/enabled', async (route) => {
    await released.promise;
    await route.fallback();
  });
  await console.open('/tasks', 'vendor', { isProbed: false });
  const states = page.getByRole('group', { name: 'Status' });
  await states.waitFor();
  const before = (await states.boundingBox())?.y;
  released.resolve();
  await page.getByRole('link', { name: 'Background updates' }).waitFor();
  expect((await states.boundingBox())?.y).toBe(before);
});

test('user reports are filtered and deleted', async () => {
  const { page } = console;
  await console.open('/reports/users');
  await page.getByRole('searchbox', { name: 'Reported user ID' }).fill('@carol:localhost');
  await page.getByText('2 matches', { exact: true }).waitFor();
  await expect.poll(() => decodeURIComponent(page.url())).toContain('about=@carol:localhost');
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.getByRole('heading', { level: 1, name: 'Report 3' }).waitFor();
  await page.keyboard.press('Delete');
  await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete report' }).click();
  const panel = page.getByRole('dialog', { name: 'Delete report' });
  await panel.getByText("This can't be undone.").waitFor();
  await panel.getByRole('button', { name: 'Delete report' }).click();
  await panel.waitFor({ state: 'detached' });
  await page.getByText('1 match', { exact: true }).waitFor();
  expect(console.problems).toEqual([]);
});

test('the status of a report deleted elsewhere disappears, while viewed and at the next start', async () => {
  const { page, homeserver } = console;
  const file = (about: string) =>
    homeserver
      .as('alice')
      .post(`/_chat/client/v3/users/${enc(homeserver.as(about).userId)}/report`, { reason: 'Again' });
  for (const about of ['bob', 'carol', 'bob']) expect((await file(about)).status).toBe(200);
  const admin = homeserver.as('admin');
  const { body } = await admin.get('/_service/admin/v1/user_reports?limit=3&dir=b');
  const [last, middle, first] = body.user_reports.map(({ id }: { id: number }) => id);
  /** Returns the user reports whose status was reset in the local log. */
  const takenBack = async () =>
    (
      (await page.evaluate(() => JSON.parse(localStorage.getItem('gatehouse.team.admin@box') ?? '[]'))) as {
        body: { of?: string; state?: string; reports?: number[] };
      }[]
    )
      .filter(({ body }) => body.of === 'user_report' && body.state === 'open')
      .flatMap(({ body }) => body.reports);
  await page.clock.install();
  await console.open('/reports/users');
  await option(`report ${last}`).waitFor();
  await resolveInTurn(last, middle);
  await queue(/^Resolved 2/).waitFor();
  await admin.delete(`/_service/admin/v1/user_reports/${middle}`);
  await page.clock.runFor(31_000);
  await queue(/^Resolved 1/).waitFor();
  await expect.poll(takenBack).toEqual([middle]);
  expect(await option(`report ${middle}`).count()).toBe(0);
  // After a restart, an open report that was deleted also shows as not found.
  const next = page.url().replace(/users.*$/, `users/${last}`);
  await page.goto('about:blank');
  await admin.delete(`/_service/admin/v1/user_reports/${last}`);
  await page.goto(next);
  await page.getByRole('heading', { name: `Report ${last} not found` }).waitFor();
  await expect.poll(takenBack).toEqual([middle, last]);
  await queue(/^Resolved 0/).waitFor();
  await admin.delete(`/_service/admin/v1/user_reports/${first}`);
});

/** Creates rooms and reports them as Bob. Earlier room reports are deleted. */
async function reportRooms(...names: string[]) {
  const { homeserver } = console;
  const reports = '/_service/admin/v1/room_reports';
  const list = async () => (await homeserver.as('admin').get(reports)).body.room_reports as { id: number }[];
  for (const { id } of await list()) await homeserver.as('admin').delete(`${reports}/${id}`);
  const rooms: string[] = [];
  for (const [index, name] of names.entries()) {
    const { body } = await homeserver
      .as('alice')
      .post('/_chat/client/v3/createRoom', { preset: 'public_chat', name });
    const report = { reason: `Reason <b>${index + 1}</b>` };
    await homeserver.as('bob').post(`/_chat/client/v3/rooms/${enc(body.room_id)}/report`, report);
    rooms.push(body.room_id);
  }
  const ids = (await list()).map(({ id }) => id).reverse();
  return { rooms, ids };
}

test('room reports show room names, and all matches can be selected', async () => {
  const { page } = console;
  const { rooms, ids } = await reportRooms('Flea market', '<i>Night</i> shift');
  await console.open('/reports/rooms');
  await page.getByText('2 reports', { exact: true }).waitFor();
  await option('Reason <b>1</b>').getByText('Flea market', { exact: true }).waitFor();
  await option('<i>Night</i> shift').getByText(`Report ${ids[1]}, reported by`).waitFor();
  await page.keyboard.press('j');
  const report = page.getByRole('region', { name: 'Report', exact: true });
  await report.getByRole('heading', { level: 1, name: `Report ${ids[1]}` }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/console/reports/rooms/${ids[1]}`);
  const history = report.getByRole('region', { name: 'Activity' });
  await history.getByText(`reported this (report ${ids[1]})`).waitFor();
  await page.keyboard.press('!');
  await page.keyboard.press('Enter');
  await report.getByRole('heading', { level: 1, name: `Report ${ids[0]}` }).waitFor();
  await queue(/^Escalated 1/).waitFor();
  await page.keyboard.press('A');
  await page.getByText('2 selected').waitFor();
  await page.keyboard.press('e');
  await queue(/^Resolved 2/).waitFor();
  await queue(/^Open 0/).click();
  await page.getByText('No open reports').waitFor();
  await queue(/^All/).click();
  await page.getByRole('searchbox', { name: 'Reported room ID' }).fill(rooms[0] as string);
  await page.getByText('1 match', { exact: true }).waitFor();
  expect(console.problems).toEqual([]);
});

test('an action on a room report resolves it, and its undo reopens it', async () => {
  const { page, homeserver } = console;
  const {
    rooms: [roomId = ''],
    ids,
  } = await reportRooms('Cellar');
  const room = `/_service/admin/v1/rooms/${enc(roomId)}/block`;
  const isBlocked = async () => (await homeserver.as('admin').get(room)).body.block;
  await console.open('/reports/rooms');
  await page.getByText('1 report', { exact: true }).waitFor();
  await page.keyboard.press('j');
  const report = page.getByRole('region', { name: 'Report', exact: true });
  await report.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'Block room' }).click();
  const panel = page.getByRole('dialog', { name: 'Block room' });
  expect(await panel.getByLabel('Resolve this report').isChecked()).toBe(true);
  await panel.getByRole('button', { name: 'Block room' }).click();
  await queue(/^Resolved 1/).waitFor();
  expect(await isBlocked()).toBe(true);
  const log = await page.evaluate(() => JSON.parse(localStorage.getItem('gatehouse.team.admin@box') ?? '[]'));
  expect(log.map(({ body }: { body: object }) => body)).toMatchObject([
    { type: 'mark', of: 'room_report', reports: ids, state: 'reviewed', verdict: 'upheld' },
    { type: 'action', action: 'block-room', of: 'room_report', reports: ids },
  ]);
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await queue(/^Resolved 0/).waitFor();
  expect(await isBlocked()).toBe(false);
  expect(console.problems).toEqual([]);
});

test('a user report deletion interrupted by closing the page is checked afterwards', async () => {
  const { page, homeserver } = console;
  const bob = encodeURIComponent(homeserver.as('bob').userId);
  for (const reason of ['Third', 'Fourth']) {
    const path = `/_chat/client/v3/users/${bob}/report`;
    expect((await homeserver.as('alice').post(path, { reason })).status).toBe(200);
  }
  await console.open('/reports/users');
  await option('Fourth').waitFor();
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  const bar = page.getByRole('toolbar', { name: 'Actions' }).first();
  await bar.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete 2 reports' }).click();
  const panel = page.getByRole('dialog', { name: 'Delete 2 reports' });
  // One request arrives, and both replies are lost.
  let [asked, settled] = [0, 0];
  await page.route('**/admin/v1/user_reports/*', async (route) => {
    if (route.request().method() !== 'DELETE') return route.fallback();
    asked += 1;
    if (asked === 1) await route.fetch();
    settled += 1;
  });
  await panel.getByRole('button', { name: 'Delete 2 reports' }).click();
  await expect.poll(() => settled).toBe(2);
  await page.reload();
  const tray = page.getByRole('region', { name: 'Jobs' });
  await tray.getByText('0 of 2 done, 2 unanswered').waitFor();
  await tray.getByRole('button', { name: 'Check status' }).click();
  await tray.getByText('1 of 2 done, 1 left').waitFor();
  await page.unroute('**/admin/v1/user_reports/*');
  await tray.getByRole('button', { name: 'Resume' }).click();
  await tray.getByRole('article', { name: '2 reports deleted' }).waitFor();
  await option('Fourth').waitFor({ state: 'detached' });
});

test('the log names each deleted report and its subject', async () => {
  const { page } = console;
  const people = 3;
  let filed = Array.from({ length: 41 }, (_, index) => ({
    id: index + 1,
    received_ts: 1_700_000_000_000 + index,
    user_id: '@bob:localhost',
    target_user_id: `@spammer${index % people}:localhost`,
    reason: 'Spam',
  }));
  await page.route('**/admin/v1/user_reports**', (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    const id = Number(/\/user_reports\/(\d+)$/.exec(pathname)?.[1]);
    if (id && route.request().method() === 'DELETE') {
      // Another moderator deleted it first.
      if (id === 17) return route.fulfill({ status: 404, json: { errcode: 'M_NOT_FOUND', error: 'Gone' } });
      filed = filed.filter((report) => report.id !== id);
      return route.fulfill({ json: {} });
    }
    if (id) return route.fulfill({ json: filed.find((report) => report.id === id) });
    const from = Number(searchParams.get('from') ?? 0);
    const user_reports = filed.toReversed().slice(from, from + Number(searchParams.get('limit') ?? 100));
    return route.fulfill({ json: { user_reports, total: filed.length } });
  });
  await console.open('/reports/users');
  await page.getByText('41 reports', { exact: true }).waitFor();
  await resolveInTurn(41, 40, 39);
  await page.keyboard.press('A');
  await page.getByText('41 selected').waitFor();
  const bar = page.getByRole('toolbar', { name: 'Actions' }).first();
  await bar.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete 41 reports' }).click();
  const panel = page.getByRole('dialog', { name: 'Delete 41 reports' });
  await panel.getByLabel('Type 41 to confirm').fill('41');
  await panel.getByRole('button', { name: 'Delete 41 reports' }).click();
  const tray = page.getByRole('region', { name: 'Jobs' });
  await tray.getByRole('article', { name: '41 reports deleted' }).waitFor();
  const log = await page.evaluate(() => JSON.parse(localStorage.getItem('gatehouse.team.admin@box') ?? '[]'));
  type Entry = {
    type: string;
    action: string;
    state?: string;
    of: string;
    reports: number[];
    count: number;
    detail?: string;
    deleted: unknown[];
    subject: { userId: string };
    others: { userId: string }[];
  };
  const entries = (log as { body: Entry }[])
    .map(({ body }) => body)
    .filter(({ action }) => action === 'delete-report');
  expect(new Set(entries.map(({ of }) => of))).toEqual(new Set(['user_report']));
  const named = entries.flatMap(({ reports }) => reports);
  expect(named.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 41 }, (_, index) => index + 1));
  expect(entries.at(-1)).toMatchObject({ reports: [17], detail: 'was gone already' });
  expect((log as { body: Entry }[]).filter(({ body }) => body.state === 'open')).toEqual([]);
  expect(entries[0]?.deleted[0]).toEqual({
    id: 41,
    by: '@bob:localhost',
    at: 1_700_000_000_040,
    reason: 'Spam',
    userId: '@spammer1:localhost',
  });
  for (const { subject, others } of entries.slice(0, -1)) {
    expect(new Set([subject, ...others].map(({ userId }) => userId)).size).toBe(people);
  }
});

test('background updates are paused, resumed and started by name', async () => {
  const { page, homeserver } = console;
  const enabled = async () =>
    (await homeserver.as('admin').get('/_service/admin/v1/background_updates/enabled')).body.enabled;
  await console.open('/tasks');
  await page.getByRole('link', { name: 'Background updates' }).click();
  await page.getByText('No updates pending. You can upgrade.').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText(/^Paused\. No updates pending; new ones wait until you resume\./).waitFor();
  expect(await enabled()).toBe(false);
  await page.getByRole('button', { name: 'Start: Recount rooms' }).click();
  await page.getByText('Started', { exact: true }).waitFor();
  await page.getByRole('article', { name: 'populate_room_summaries' }).getByText('Just started').waitFor();
  // The built-in homeserver has no directory to rebuild.
  expect(await page.getByRole('button', { name: /^Start: / }).count()).toBe(1);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('No updates pending. You can upgrade.').waitFor();
  expect(await enabled()).toBe(true);
});

test('a failed task is restarted if its parameters are known', async () => {
  const { page, homeserver } = console;
  const { body } = await homeserver
    .as('alice')
    .post('/_chat/client/v3/createRoom', { preset: 'public_chat', name: 'Old' });
  const tasks = [
    { id: 'a', action: 'shutdown_and_purge_room', resource_id: body.room_id, error: 'The disk is full' },
    { id: 'b', action: 'update_join_states', resource_id: '@bob:localhost', error: 'No such room' },
  ].map((task) => ({ ...task, status: 'failed', timestamp_ms: Date.now(), result: null }));
  const shown = (route: Route) => route.fulfill({ json: { scheduled_tasks: tasks } });
  await page.route('**/admin/v1/scheduled_tasks?**', shown);
  await console.open('/tasks');
  await page.getByRole('button', { name: 'Details: update_join_states' }).click();
  await page.getByText('Only the server can restart this task.').waitFor();
  await page.getByRole('button', { name: 'Details: shutdown_and_purge_room' }).click();
  await page.getByText('Original settings unavailable.').waitFor();
  // The task may be from either action.
  await page.getByRole('button', { name: 'Shut down room' }).waitFor();
  await page.getByRole('button', { name: 'Delete room' }).click();
  const panel = page.getByRole('dialog', { name: 'Delete room' });
  const beginning = body.room_id.slice(1, 7);
  await panel.getByLabel(`Type ${beginning} (the start of ${body.room_id}) to confirm`).fill(beginning);
  await panel.getByRole('button', { name: 'Delete room' }).click();
  const room = `/_service/admin/v1/rooms/${enc(body.room_id)}`;
  await expect.poll(async () => (await homeserver.as('admin').get(room)).status).toBe(404);
});

/** Destinations as Synapse returns them; the built-in homeserver doesn't federate. */
const destinations = [
  {
    destination: 'gone.example',
    retry_last_ts: 1_700_000_000_000,
    retry_interval: 600_000,
    failure_ts: 1_690_000_000_000,
  },
  {
    destination: 'late.example',
    retry_last_ts: Date.now(),
    retry_interval: 7_000_000,
    failure_ts: 1_690_000_000_000,
  },
  {
    destination: 'well.example',
    retry_last_ts: 0,
    retry_interval: 0,
    failure_ts: null,
    last_successful_stream_ordering: 12,
  },
  {
    destination: 'new.example',
    retry_last_ts: 0,
    retry_interval: 0,
    failure_ts: null,
    last_successful_stream_ordering: null,
  },
];

test('destinations are shown where supported, and a failing one is retried', async () => {
  const { page } = console;
  const tried: string[] = [];
  await page.route('**/admin/v1/federation/destinations**', (route) => {
    const { pathname } = new URL(route.request().url());
    const [, , name, part] = /federation\/destinations(\/([^/]+))?\/?(.*)$/.exec(pathname) ?? [];
    if (!name) return route.fulfill({ json: { destinations, total: destinations.length } });
    if (part === 'rooms')
      return route.fulfill({ json: { rooms: [{ room_id: '!a:gone.example' }], total: 1 } });
    if (part === 'reset_connection') {
      tried.push(`${route.request().method()} ${name}`);
      return route.fulfill({ json: {} });
    }
    const found = destinations.find(({ destination }) => destination === name);
    return found
      ? route.fulfill({ json: found })
      : route.fulfill({ status: 404, json: { errcode: 'M_NOT_FOUND', error: 'Unknown destination' } });
  });
  // Synapse reads a whole table to count reports, so screens without counts don't request them.
  await page.route('**/federation/v1/version', (route) =>
    route.fulfill({ json: { server: { name: 'Synapse', version: '1.161.0' } } }),
  );
  await console.open('/federation', 'vendor', { isProbed: false });
  await row('well.example').getByText('Reachable', { exact: true }).waitFor();
  // Reachability is unknown before anything was sent.
  await row('new.example').getByText('Nothing sent yet', { exact: true }).waitFor();
  // The retry time has passed, so it isn't shown.
  await row('gone.example').getByText('At next send').waitFor();
  await row('late.example').getByText('in 1h').waitFor();
  const places = page.getByRole('navigation', { name: 'Screens' });
  await expect.poll(() => places.locator('[aria-current]').allInnerTexts()).toEqual(['Federation']);
  await row('gone.example').getByRole('link').click();
  await page.getByRole('link', { name: '!a:gone.example' }).waitFor();
  await page.getByText('At next send').waitFor();
  await page.getByRole('button', { name: 'Retry now' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry now' }).click();
  await page.getByRole('status').filter({ hasText: 'Retrying gone.example' }).waitFor();
  expect(tried).toEqual(['POST gone.example']);

  // An unknown destination isn't found, and retrying wouldn't help.
  await console.open('/federation/nobody.example', 'vendor', { isProbed: false });
  await page.getByRole('heading', { name: 'Server not found' }).waitFor();
  expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0);

  // Other screens know the feature without another request.
  await page.goto(`${console.homeserver.url}/console/upgrade`);
  console.requests.length = 0;
  await places.getByRole('link', { name: 'Federation' }).waitFor();
  expect(console.requests.filter(({ path }) => path.includes('nowhere.invalid'))).toEqual([]);
});

test("unsupported features aren't shown", async () => {
  const { page } = console;
  await console.open('/home', 'vendor', { isProbed: false });
  await page.getByRole('link', { name: 'User reports' }).waitFor();
  await page.keyboard.press('Control+k');
  const search = page.getByRole('textbox', { name: 'Search screens and actions' });
  await search.fill('Background updates');
  await page.getByRole('button', { name: 'Background updates' }).first().waitFor();
  await search.fill('Federation');
  await page.getByText('No results').waitFor();
  expect(await page.getByRole('region', { name: 'Federation' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Federation' }).count()).toBe(0);
});
