import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { type Caller, call } from '../server/homeserver.ts';
import { teamUnderTest } from './team-under-test.ts';

const team = teamUnderTest();

const client = '/_chat/client/v3';
const unreviewed = (page: Page, count: number) =>
  page.getByRole('status', { name: `${count} open` }).waitFor();
const history = (page: Page) => page.getByRole('region', { name: 'Activity' });
const entry = (page: Page, text: string) => history(page).getByRole('listitem').filter({ hasText: text });
const notice = (page: Page) => page.getByRole('complementary', { name: 'Team room' });

async function makeRoom(page: Page) {
  await page.getByRole('button', { name: 'Share with team…' }).click();
  const create = page.getByRole('button', { name: 'Create team room' });
  await create.and(page.locator(':enabled')).waitFor();
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await create.click();
  await notice(page).waitFor({ state: 'detached' });
}

async function joinRoom(page: Page) {
  await page.getByRole('button', { name: 'Join team' }).click();
  await notice(page).waitFor({ state: 'detached' });
}

async function note(page: Page, text: string) {
  await history(page).getByRole('textbox', { name: 'Note' }).fill(text);
  await history(page).getByRole('button', { name: 'Add note' }).click();
  await entry(page, text).waitFor();
}

async function deleteReport(page: Page, meanwhile?: () => Promise<unknown>) {
  await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete report' }).click();
  await meanwhile?.();
  const panel = page.getByRole('dialog', { name: 'Delete report' });
  await panel.getByRole('button', { name: 'Delete report' }).click();
}

/** The room behind the team's alias. */
async function roomId(as: Caller): Promise<string> {
  const { body } = await as.get(
    `${client}/directory/room/${encodeURIComponent('#gatehouse-team:localhost')}`,
  );
  return body.room_id;
}

/** What the room holds of the team's types, oldest first. */
async function roomEvents(as: Caller) {
  const path = `${client}/rooms/${encodeURIComponent(await roomId(as))}/messages?dir=f&limit=1000`;
  const { body } = await as.get(path);
  return (body.chunk as { type: string; sender: string; content: Record<string, unknown> }[]).filter(
    ({ type }) => type.startsWith('io.gatehouse.team') && !type.endsWith('looking'),
  );
}

test.each(['vendor', 'matrix'] as const)(
  'two administrators see each other’s marks, notes and looks, in the %s dialect',
  async (dialect) => {
    await team.report(3);
    const { page: ada } = await team.open('admin', '/reports?report=3', { dialect });
    await unreviewed(ada, 3);
    await note(ada, 'Kept here first');
    await ada.getByRole('button', { name: 'Resolve', exact: true }).click();
    await unreviewed(ada, 2);
    await ada.goto(`${team.homeserver.url}/console/reports?report=2`);
    await makeRoom(ada);

    const { page: bob } = await team.open('bob', '/reports?report=3', { dialect });
    await bob.getByText('@admin:localhost created a team room').waitFor();
    await bob.getByRole('link', { name: 'Join team…' }).waitFor();
    await unreviewed(bob, 3);
    await joinRoom(bob);
    await unreviewed(bob, 2);
    await entry(bob, 'Kept here first').waitFor();
    await entry(bob, '@admin resolved this').waitFor();

    await note(bob, 'Seen by Bob');
    await ada.goto(`${team.homeserver.url}/console/reports?report=3`);
    await entry(ada, 'Seen by Bob').waitFor();
    await bob.getByRole('img', { name: 'Also viewing: @admin:localhost' }).first().waitFor();
    await ada.getByRole('img', { name: 'Also viewing: @bob:localhost' }).first().waitFor();

    await bob.getByRole('button', { name: 'Reopen' }).click();
    await unreviewed(ada, 3);
    await entry(ada, '@bob reopened this').waitFor();
    expect(team.problems).toEqual([]);
  },
);

test.each([
  ['that counts its administrators', 'Gatehouse', 1],
  ['that would read all its users for it', 'Synapse', 0],
])('marks that others do not see are said to be alone, on a server %s', async (_, name, most) => {
  await team.report(1);
  let asked = 0;
  const { page } = await team.open('admin', '/reports?report=1', {
    before: async (opened) => {
      await opened.route('**/federation/v1/version', (route) =>
        route.fulfill({ json: { server: { name, version: '1.161.0' } } }),
      );
      await opened.route('**/v2/users?admins=true*', (route) => {
        asked++;
        return route.fallback();
      });
    },
  });
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByRole('complementary', { name: 'Status not shared' }).waitFor();
  expect(asked).toBe(most);
});

test('without a room everything stays on this machine, and nothing is made', async () => {
  await team.report(2);
  const { page } = await team.open('admin', '/reports?report=2');
  await note(page, 'For me');
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await unreviewed(page, 1);
  await page.goto(`${team.homeserver.url}/console/reports?report=2`);
  await unreviewed(page, 1);
  await entry(page, 'For me').waitFor();
  await page.getByRole('button', { name: 'Hide (stays in Settings)' }).first().click();
  await notice(page).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Share with team…' }).waitFor();

  const rooms = await team.homeserver.as('admin').get('/_service/admin/v1/rooms?search_term=gatehouse');
  expect(rooms.body.rooms).toEqual([]);
});

test('what the browser has no room to keep is said to end with the page, which asks before it closes', async () => {
  await team.report(2);
  const { page } = await team.open('admin', '/reports?report=2');
  await notice(page).getByText('Statuses and notes stay on this device').waitFor();
  await page.evaluate(() => {
    let filled = '';
    for (let size = 2 ** 23; size >= 1; size /= 2) {
      try {
        localStorage.setItem('filled', filled + 'x'.repeat(size));
        filled += 'x'.repeat(size);
      } catch {
        // Half of it may still fit.
      }
    }
  });
  await note(page, 'For me');
  await notice(page).getByText('Closing the page loses new entries.').waitFor();
  const asked = page.waitForEvent('dialog');
  const reloaded = page.reload();
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.accept();
  await reloaded;
  await notice(page).getByText('Statuses and notes stay on this device').waitFor();
  expect(await entry(page, 'For me').count()).toBe(0);
});

test('what another tab writes at the same moment drops nothing', async () => {
  await team.report(1);
  const { page, context } = await team.open('admin', '/reports?report=1', {
    hasClock: true,
  });
  const other = await context.newPage();
  await other.goto(`${team.homeserver.url}/console/mark.svg`);
  await history(page).getByRole('textbox', { name: 'Note' }).waitFor();
  await page.clock.pauseAt(Date.now() + 60_000);
  await note(page, 'Of this tab');
  // The other tab has not heard of it yet.
  await other.evaluate(() => localStorage.setItem('gatehouse.team.admin@team', '[]'));
  await entry(page, 'Of this tab').waitFor({ state: 'detached' });
  await page.clock.fastForward(6_000);
  await entry(page, 'Of this tab').waitFor();
  const kept = await other.evaluate(() => localStorage.getItem('gatehouse.team.admin@team'));
  expect(JSON.parse(kept ?? '')).toMatchObject([{ body: { text: 'Of this tab' } }]);
});

test('what is added offline is sent later, in order and once', async () => {
  await team.report(3);
  const { page: ada } = await team.open('admin', '/reports?report=3');
  await makeRoom(ada);
  const { page: bob } = await team.open('bob', '/reports?report=3');
  await joinRoom(bob);

  // The first reply is lost on its way back: what it answers has arrived all the same.
  let lost = 0;
  await ada.context().route('**/send/io.gatehouse.team.note/**', async (route) => {
    if (lost++ > 0) return route.fallback();
    await route.fetch();
    await route.abort();
  });
  await note(ada, 'First');
  await ada.context().setOffline(true);
  await note(ada, 'Second');
  await ada.getByRole('button', { name: 'Resolve', exact: true }).click();
  await unreviewed(ada, 2);
  await ada.goto('about:blank').catch(() => {});
  await ada.context().setOffline(false);
  await ada.goto(`${team.homeserver.url}/console/reports?report=3`);

  await unreviewed(bob, 2);
  await bob.goto(`${team.homeserver.url}/console/reports?report=3`);
  for (const text of ['First', 'Second', '@admin resolved this']) {
    await entry(bob, text).waitFor();
    expect(await entry(bob, text).count()).toBe(1);
  }
  const sent = (await roomEvents(team.homeserver.as('admin'))).map(
    ({ type, content }) => content.text ?? type,
  );
  expect(sent).toEqual(['First', 'Second', 'io.gatehouse.team.mark']);
});

test('a server that starts again in the middle loses nothing', async () => {
  await team.report(2);
  const { page: ada } = await team.open('admin', '/reports?report=2');
  await makeRoom(ada);
  const { page: bob } = await team.open('bob', '/reports?report=2');
  await joinRoom(bob);
  await note(ada, 'Before');
  await entry(bob, 'Before').waitFor();

  await team.restart(async () => {
    await note(ada, 'Meanwhile');
    await notice(ada).getByRole('button', { name: 'Retry', exact: true }).waitFor();
  });
  await entry(bob, 'Meanwhile').waitFor();
  await note(bob, 'After');
  await entry(ada, 'After').waitFor();
});

test('a server that asks to slow down gets what waits as few events', async () => {
  await team.report(4);
  const { page: ada } = await team.open('admin', '/reports?report=4');
  await makeRoom(ada);
  let refusing = true;
  const refused = Promise.withResolvers<void>();
  await ada.route('**/send/io.gatehouse.team.mark/**', (route) => {
    if (!refusing) return route.fallback();
    refused.resolve();
    return route.fulfill({
      status: 429,
      json: { errcode: 'M_LIMIT_EXCEEDED', error: 'Too Many Requests', retry_after_ms: 3000 },
    });
  });
  await ada.getByRole('listbox').focus();
  for (let left = 3; left >= 1; left--) {
    await ada.keyboard.press('e');
    await unreviewed(ada, left);
    // What was refused stays as it is; what comes after it can still go together.
    await refused.promise;
  }
  refusing = false;
  const marked = async () =>
    (await roomEvents(team.homeserver.as('admin'))).map(({ content }) =>
      (content.reports as number[]).toSorted(),
    );
  await expect.poll(marked).toEqual([[4], [2, 3]]);
});

test('a server that asks to slow down for ever is asked again within minutes, and not at once', async () => {
  await team.report(1);
  const { page: ada } = await team.open('admin', '/reports?report=1', {
    hasClock: true,
  });
  await makeRoom(ada);
  let asked = 0;
  await ada.route('**/send/io.gatehouse.team.mark/**', (route) =>
    ++asked > 2
      ? route.fallback()
      : route.fulfill({
          status: 429,
          json: { errcode: 'M_LIMIT_EXCEEDED', error: 'Too Many Requests', retry_after_ms: 1e308 },
        }),
  );
  await ada.getByRole('listbox').focus();
  await ada.keyboard.press('e');
  await expect.poll(() => asked).toBe(1);
  const eventsAfter = async (ms: number) => {
    await ada.clock.runFor(ms);
    return (await roomEvents(team.homeserver.as('admin'))).length;
  };
  // In steps, between which the server answers: all at once, what is under way would be given up, and begun anew.
  for (let second = 0; second < 20; second++) await eventsAfter(1_000);
  expect(asked).toBe(1);
  const sent = () => eventsAfter(4_000);
  await expect.poll(sent).toBe(1);
});

test('for how long a server asks to wait holds also where the connection begins anew', async () => {
  await team.report(1);
  const { page: ada } = await team.open('admin', '/reports?report=1', {
    hasClock: true,
  });
  await makeRoom(ada);
  let asked = 0;
  await ada.route('**/send/io.gatehouse.team.mark/**', (route) => {
    asked++;
    return route.fulfill({
      status: 429,
      json: { errcode: 'M_LIMIT_EXCEEDED', error: 'Too Many Requests', retry_after_ms: 45_000 },
    });
  });
  await ada.getByRole('listbox').focus();
  await ada.keyboard.press('e');
  await expect.poll(() => asked).toBe(1);
  await ada.route('**/rooms/*/messages**', (route) => route.abort());
  await ada.clock.runFor(4_000);
  await notice(ada).getByRole('button', { name: 'Retry', exact: true }).waitFor();
  await ada.unroute('**/rooms/*/messages**');
  await notice(ada).getByRole('button', { name: 'Retry', exact: true }).click();
  await notice(ada).getByRole('button', { name: 'Retry', exact: true }).waitFor({ state: 'detached' });
  const read = ada.waitForResponse('**/rooms/*/messages**');
  await ada.clock.runFor(5_000);
  await read;
  expect(asked).toBe(1);
  await expect
    .poll(async () => {
      await ada.clock.runFor(10_000);
      return asked;
    })
    .toBe(2);
});

test('a server that never waits with its news is not asked without a rest', async () => {
  let asked = 0;
  const { page } = await team.open('admin', '/settings', {
    before: async (opened) => {
      await opened.route('**/client/v3/devices/**', (route) =>
        route.fulfill({ json: { device_id: 'D', display_name: 'Gatehouse' } }),
      );
      await opened.route('**/client/v3/sync?**', (route) => {
        asked++;
        return route.fulfill({ json: { next_batch: `${asked % 2}` } });
      });
    },
  });
  await makeRoom(page);
  await expect.poll(() => asked).toBeGreaterThan(2);
  const [before, began] = [asked, Date.now()];
  await expect.poll(() => asked).toBeGreaterThan(before + 2);
  expect(Date.now() - began).toBeGreaterThan(1_500);
});

test('a colleague’s mark is seen within seconds also once the server tells of news no more', async () => {
  await team.report(2);
  const { page: ada } = await team.open('admin', '/reports?report=2');
  await makeRoom(ada);
  const { page: bob } = await team.open('bob', '/reports?report=2');
  await joinRoom(bob);

  let [asked, isAway] = [0, false];
  const rooms = { join: { [await roomId(team.homeserver.as('admin'))]: {} } };
  const failed = Promise.withResolvers<void>();
  await ada.route('**/client/v3/devices/**', (route) =>
    route.fulfill({ json: { device_id: 'D', display_name: 'Gatehouse' } }),
  );
  await ada.route('**/client/v3/sync?**', async (route) => {
    if (!isAway) return route.fulfill({ json: { next_batch: `${++asked}`, rooms } });
    await route.fulfill({ status: 502 });
    failed.resolve();
  });
  await ada.reload();
  await expect.poll(() => asked).toBeGreaterThan(2);
  isAway = true;
  await failed.promise;

  const began = Date.now();
  await bob.getByRole('button', { name: 'Resolve', exact: true }).click();
  await unreviewed(ada, 1);
  expect(Date.now() - began).toBeLessThan(12_000);
});

test('marks that travel together keep the time of each, and end no escalation that was not seen', async () => {
  await team.report(3);
  const { page: ada } = await team.open('admin', '/reports?report=3');
  await makeRoom(ada);
  const { page: bob } = await team.open('bob', '/reports?report=1');
  await joinRoom(bob);
  // Without a connection, only what was read before can be decided.
  await ada.getByRole('listbox').focus();
  for (const [key, id] of [
    ['j', 2],
    ['j', 1],
    ['k', 2],
    ['k', 3],
  ] as const) {
    await ada.keyboard.press(key);
    await ada.getByRole('heading', { name: `Report ${id}` }).waitFor();
  }
  // The first is under way alone when the connection goes; the others wait behind it.
  const underway = Promise.withResolvers<void>();
  await ada.route('**/send/io.gatehouse.team.mark/**', async (route) => {
    await ada.context().setOffline(true);
    await route.abort();
    underway.resolve();
  });
  await ada.getByRole('listbox').focus();
  for (const left of [2, 1]) {
    await ada.keyboard.press('e');
    await unreviewed(ada, left);
    await underway.promise;
  }
  await ada.unroute('**/send/io.gatehouse.team.mark/**');
  await bob.getByRole('listbox').focus();
  await bob.keyboard.press('!');
  await bob.getByRole('dialog', { name: 'Escalate report 1' }).getByRole('textbox').waitFor();
  await bob.keyboard.press('Enter');
  // The next open report is selected: back to the one that was decided.
  await bob.getByRole('option').last().click();
  await entry(bob, '@bob escalated this').waitFor();
  const escalated = async () =>
    (await roomEvents(team.homeserver.as('bob'))).some(({ content }) => content.state === 'escalated');
  await expect.poll(escalated).toBe(true);
  await ada.getByRole('listbox').focus();
  await ada.keyboard.press('e');
  await ada.getByRole('status', { name: '1 open' }).waitFor({ state: 'detached' });
  await ada.context().setOffline(false);

  await entry(bob, '@admin resolved this').waitFor();
  for (const page of [ada, bob]) {
    await page
      .getByRole('group', { name: 'Queues' })
      .getByRole('button', { name: /^Escalated 1/ })
      .waitFor();
  }
  const sent = await roomEvents(team.homeserver.as('bob'));
  const marks = sent.filter(({ content }) => content.reports);
  expect(marks.map(({ content }) => content.reports)).toEqual([[1], [3], [2, 1]]);
});

test('what a person does last holds, however slow the server was with what came before', async () => {
  await team.report(1);
  const { page: ada } = await team.open('admin', '/reports?report=1');
  await makeRoom(ada);
  const { page: bob } = await team.open('bob', '/reports?report=1');
  await joinRoom(bob);
  const held = Promise.withResolvers<void>();
  const underway = Promise.withResolvers<number>();
  await ada.route('**/send/io.gatehouse.team.mark/**', async (route) => {
    underway.resolve(route.request().postDataJSON().delay ?? 0);
    await held.promise;
    await route.fallback();
  });
  await ada.getByRole('button', { name: 'Resolve', exact: true }).click();
  const delay = await underway.promise;
  await ada.getByRole('button', { name: 'Reopen' }).click();
  await entry(ada, '@admin reopened this').waitFor();
  // The first one comes to the server so late that it seems to be from after the second.
  const waiting = await ada.evaluate(() => localStorage.getItem('gatehouse.team.admin@team') ?? '');
  const takenBackAt: number = JSON.parse(waiting).at(-1).at;
  await expect.poll(() => Date.now() - delay).toBeGreaterThan(takenBackAt);
  held.resolve();
  await entry(bob, '@admin reopened this').waitFor();
  await unreviewed(bob, 1);
  await bob.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
});

test('a mark that comes after the report was deleted, or on a number that no report has, is not counted', async () => {
  await team.report(4);
  await team.homeserver.as('admin').delete('/_service/admin/v1/event_reports/2');
  const { page: ada } = await team.open('admin', '/reports?report=4');
  await makeRoom(ada);
  await deleteReport(ada);
  await unreviewed(ada, 2);

  const admin = team.homeserver.as('admin');
  // What was deleted, and by whom, stays known.
  const deletions = async () =>
    (await roomEvents(admin))
      .filter(({ content }) => content.action === 'delete-report')
      .map(({ sender, content: { subject, reports, outcome, count } }) => [
        sender,
        { subject, reports, outcome, count },
      ]);
  await expect
    .poll(deletions)
    .toEqual([
      [
        '@admin:localhost',
        { subject: { kind: 'user', user_id: '@carol:localhost' }, reports: [4], outcome: 'done', count: 1 },
      ],
    ]);
  const path = `${client}/rooms/${encodeURIComponent(await roomId(admin))}/send/io.gatehouse.team.mark`;
  await admin.put(`${path}/late`, { reports: [4], state: 'reviewed' });
  await admin.put(`${path}/nowhere`, { reports: [3_000_000], state: 'escalated' });
  const takenBack = async () =>
    (await roomEvents(admin))
      .filter(({ content }) => content.state === 'open')
      .flatMap(({ content }) => content.reports);
  await expect.poll(takenBack).toContain(4);
  // Among those that there are, and in a console that has looked for such marks already.
  const bob = team.homeserver.as('bob');
  await bob.post(`${client}/rooms/${encodeURIComponent(await roomId(admin))}/join`, {});
  await bob.put(`${path}/between`, { reports: [2], state: 'reviewed' });
  await expect.poll(takenBack).toContain(2);
  const queues = ada.getByRole('group', { name: 'Queues' });
  for (const name of ['Open 2', 'Escalated 0', 'Resolved 0']) {
    await queues.getByRole('button', { name }).waitFor();
  }
  await unreviewed(ada, 2);
});

test('the log says of a report that was gone already that it was', async () => {
  await team.report(1);
  const admin = team.homeserver.as('admin');
  const reported = `${client}/users/${encodeURIComponent(team.homeserver.as('carol').userId)}/report`;
  expect((await team.homeserver.as('bob').post(reported, { reason: 'Spam' })).status).toBe(200);
  const { page } = await team.open('admin', '/reports?report=1');
  await makeRoom(page);
  await admin.delete('/_service/admin/v1/event_reports/1');
  await deleteReport(page);
  const deletions = async () =>
    (await roomEvents(admin))
      .filter(({ content }) => content.action === 'delete-report')
      .map(({ content: { reports, user_reports, detail } }) => ({ reports, user_reports, detail }));
  const first = { reports: [1], user_reports: undefined, detail: 'was gone already' };
  await expect.poll(deletions).toEqual([first]);

  await page.goto(`${team.homeserver.url}/console/reports/users/1`);
  await deleteReport(page, () => admin.delete('/_service/admin/v1/user_reports/1'));
  await expect
    .poll(deletions)
    .toEqual([first, { reports: [], user_reports: [1], detail: 'was gone already' }]);
});

test('a server that lists administrators without end is not asked for ever', async () => {
  let asked = 0;
  const again = { users: [{ name: '@admin:localhost', admin: true }], next_token: 'again' };
  const { page } = await team.open('admin', '/settings', {
    before: (opened) =>
      opened.route('**/v2/users?admins=true*', (route) => {
        asked++;
        return route.fulfill({ json: again });
      }),
  });
  await page.getByRole('button', { name: 'Share with team…' }).click();
  await page.getByText("You're the only admin.").waitFor();
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(10);
});

test('creating the team room invites only the administrators who are ticked, and none unless they are', async () => {
  let failing = true;
  const { page } = await team.open('admin', '/settings', {
    before: (opened) =>
      opened.route('**/v2/users?admins=true*', (route) =>
        failing
          ? route.fulfill({ status: 500, json: { errcode: 'M_UNKNOWN', error: 'The disk is full' } })
          : route.fallback(),
      ),
  });
  await page.getByRole('button', { name: 'Share with team…' }).click();
  await page.getByRole('alert').filter({ hasText: 'The disk is full' }).waitFor();
  expect(await page.getByRole('button', { name: 'Create team room' }).count()).toBe(0);
  failing = false;
  const admin = team.homeserver.as('admin');
  await admin.put('/_service/admin/v1/users/@alice:localhost/admin', { admin: true });
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  const box = (userId: string) => page.getByRole('checkbox', { name: userId });
  await box('@bob:localhost').check();
  expect(await box('@alice:localhost').isChecked()).toBe(false);
  await page.getByRole('button', { name: 'Create team room' }).click();
  await page.getByText('Team room created, @bob:localhost invited').waitFor();
  await page.getByText('Shared with admins.').waitFor();
  const members = async () => {
    const path = `${client}/rooms/${encodeURIComponent(await roomId(admin))}/members`;
    const { body } = await admin.get(path);
    return (body.chunk as { state_key: string }[]).map(({ state_key }) => state_key).sort();
  };
  await expect.poll(members).toEqual(['@admin:localhost', '@bob:localhost']);
});

test('someone else’s room under the alias feeds nothing in, and its address can be taken back', async () => {
  await team.report(2);
  const mallory = team.homeserver.as('carol');
  const admin = team.homeserver.as('admin');
  const made = await mallory.post(`${client}/createRoom`, {
    room_alias_name: 'gatehouse-team',
    name: 'Gatehouse team',
    preset: 'private_chat',
    creation_content: { type: 'io.gatehouse.team', 'm.federate': false },
    invite: ['@admin:localhost', '@bob:localhost'],
  });
  const room = encodeURIComponent(made.body.room_id);
  // Even an administrator who has been talked into joining hears nothing from it.
  await admin.post(`${client}/join/${room}`, {});
  await admin.put(`${client}/user/${encodeURIComponent(admin.userId)}/account_data/io.gatehouse.team`, {
    room_id: made.body.room_id,
  });
  for (const who of [mallory, admin]) {
    await who.put(`${client}/rooms/${room}/send/io.gatehouse.team.mark/1`, {
      reports: [1],
      state: 'reviewed',
    });
  }

  const { page } = await team.open('admin', '/reports?report=2');
  await page.getByText("@carol:localhost moved the team room's alias").waitFor();
  await unreviewed(page, 2);
  await makeRoom(page);
  expect(await roomId(admin)).not.toBe(made.body.room_id);
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await unreviewed(page, 1);
});

test('who is no administrator any more can be seen and removed, and does not count', async () => {
  await team.report(2);
  const { page: ada } = await team.open('admin', '/reports?report=2');
  await makeRoom(ada);
  const { page: bob } = await team.open('bob', '/reports?report=1');
  await joinRoom(bob);
  await bob.getByRole('button', { name: 'Resolve', exact: true }).click();
  await unreviewed(ada, 1);

  await team.leave('bob');
  await team.homeserver.as('admin').put('/_service/admin/v1/users/@bob:localhost/admin', { admin: false });
  const room = encodeURIComponent(await roomId(team.homeserver.as('admin')));
  const sent = await team.homeserver
    .as('bob')
    .put(`${client}/rooms/${room}/send/io.gatehouse.team.mark/late`, { reports: [2], state: 'reviewed' });
  expect(sent.status).toBe(200);
  await ada.reload();
  await ada.getByText('Non-admins in the room: @bob:localhost.').waitFor();
  await unreviewed(ada, 2);
  await notice(ada).getByRole('button', { name: 'Kick from room' }).click();
  await notice(ada).waitFor({ state: 'detached' });
  // What they did as an administrator can be taken over.
  await ada.getByRole('link', { name: 'Settings' }).click();
  await ada.getByText('2 statuses ignored: set by non-admins').waitFor();
  await ada.getByRole('button', { name: 'Keep statuses as mine' }).click();
  await ada.getByRole('status', { name: /\d open/ }).waitFor({ state: 'detached' });
  await expect
    .poll(async () => (await roomEvents(team.homeserver.as('admin'))).at(-1))
    .toMatchObject({ sender: '@admin:localhost', content: { state: 'reviewed' } });
  const again = await team.homeserver
    .as('bob')
    .put(`${client}/rooms/${room}/send/io.gatehouse.team.mark/later`, { reports: [2], state: 'reviewed' });
  expect(again.status).toBe(403);
});

test('who invites a thousand strangers pushes no administrator out', async () => {
  await team.report(1);
  const { page: ada } = await team.open('admin', '/settings');
  await makeRoom(ada);
  const asked = new Set<string>();
  const { page: bob } = await team.open('bob', '/settings', {
    before: async (page) => {
      await page.route(/\/v1\/rooms\/[^/]+\/state$/, async (route) => {
        const { state } = await (await route.fetch()).json();
        const invited = Array.from({ length: 1000 }, (_, index) => ({
          ...{ type: 'm.room.member', state_key: `@stranger${index}:localhost`, sender: '@carol:localhost' },
          ...{ event_id: `$${index}`, origin_server_ts: 0, content: { membership: 'invite' } },
        }));
        await route.fulfill({ json: { state: [...invited, ...state] } });
      });
      await page.route(/\/v2\/users\/%40stranger/, (route) => {
        asked.add(route.request().url());
        return route.fulfill({ status: 404, json: { errcode: 'M_NOT_FOUND', error: 'User not found' } });
      });
    },
  });
  await joinRoom(bob);
  await bob.getByText('Shared by 2 admins').waitFor();
  await bob.getByText(/Non-admins in the room: .*@stranger0:localhost/).waitFor();
  expect(asked.size).toBeLessThan(1000);
});

test('an administrator whom nobody has invited gets in, and has no power there', async () => {
  await team.report(1);
  const admin = team.homeserver.as('admin');
  const { page: ada } = await team.open('admin', '/reports?report=1');
  await makeRoom(ada);
  await note(ada, 'Before Alice');
  await expect.poll(async () => (await roomEvents(admin)).length).toBe(1);
  await team.leave('admin');
  await admin.put('/_service/admin/v1/users/@alice:localhost/admin', { admin: true });
  const { page: alice } = await team.open('alice', '/reports?report=1');
  await joinRoom(alice);
  await entry(alice, 'Before Alice').waitFor();
  const path = `${client}/rooms/${encodeURIComponent(await roomId(admin))}/state/m.room.power_levels`;
  await expect.poll(async () => (await admin.get(path)).body.users).toEqual({ '@admin:localhost': 100 });
});

test('a room whose maker is no administrator any more is replaced, and its marks go along', async () => {
  await team.report(3);
  const { page: bob } = await team.open('bob', '/reports?report=3');
  await makeRoom(bob);
  const old = await roomId(team.homeserver.as('admin'));
  const { page: ada } = await team.open('admin', '/reports?report=2');
  await joinRoom(ada);
  await ada.getByRole('button', { name: 'Resolve', exact: true }).click();
  await unreviewed(bob, 2);
  await team.leave('bob');

  await team.homeserver.as('admin').put('/_service/admin/v1/users/@bob:localhost/admin', { admin: false });
  await ada.reload();
  await ada.getByText('Non-admins have elevated power levels in the team room').waitFor();
  await unreviewed(ada, 2);
  await makeRoom(ada);
  await unreviewed(ada, 2);
  const admin = team.homeserver.as('admin');
  expect(await roomId(admin)).not.toBe(old);
  await expect
    .poll(async () => (await roomEvents(admin)).map(({ content }) => content.reports))
    .toEqual([[2]]);
});

/** Gives someone a say in the room, and takes its address away. */
async function spoilRoom(admin: Caller, userId = '@carol:localhost'): Promise<void> {
  const id = await roomId(admin);
  const state = `${client}/rooms/${encodeURIComponent(id)}/state`;
  const levels = (await admin.get(`${state}/m.room.power_levels`)).body;
  const users = { ...levels.users, [userId]: 50 };
  await admin.put(`${state}/m.room.power_levels`, { ...levels, users });
  await admin.put(`${state}/m.room.tombstone`, { body: 'Closed', replacement_room: '!nowhere:localhost' });
  await admin.delete(`${client}/directory/room/${encodeURIComponent('#gatehouse-team:localhost')}`);
}

async function deleteRoom(admin: Caller): Promise<void> {
  const room = encodeURIComponent(await roomId(admin));
  expect((await admin.delete(`/_service/admin/v2/rooms/${room}`, {})).status).toBe(200);
  await expect.poll(async () => (await admin.get(`/_service/admin/v1/rooms/${room}`)).status).toBe(404);
}

test.each([
  [
    'others get a say and its address is taken away',
    spoilRoom,
    'Non-admins have elevated power levels in the team room: @carol:localhost.',
  ],
  [
    'others of another server get a say',
    (admin: Caller) => spoilRoom(admin, '@eve:elsewhere.example'),
    'Non-admins have elevated power levels in the team room: @eve:elsewhere.example.',
  ],
  ['it is deleted from the server', deleteRoom, 'The team room was deleted'],
])('own marks stay in sight whatever becomes of the room: %s', async (_, spoil, said) => {
  await team.report(3);
  const admin = team.homeserver.as('admin');
  const { page } = await team.open('admin', '/reports?report=3');
  await makeRoom(page);
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await expect.poll(async () => (await roomEvents(admin)).length).toBe(1);
  await page.reload();
  await unreviewed(page, 2);

  await spoil(admin);
  await page.reload();
  await notice(page).getByText(said).waitFor();
  await unreviewed(page, 2);
  await makeRoom(page);
  await unreviewed(page, 2);
  await expect
    .poll(async () => (await roomEvents(admin)).map(({ content }) => content.reports))
    .toEqual([[3]]);
});

test('own marks go along into the room that a colleague made in place of a lost one', async () => {
  await team.report(3);
  const admin = team.homeserver.as('admin');
  const { page: ada } = await team.open('admin', '/reports?report=3');
  await makeRoom(ada);
  await ada.getByRole('button', { name: 'Resolve', exact: true }).click();
  await expect.poll(async () => (await roomEvents(admin)).length).toBe(1);
  const times = async (): Promise<{ set: number; sent: number }> => {
    const path = `${client}/rooms/${encodeURIComponent(await roomId(admin))}/messages?dir=b&limit=100`;
    const { chunk } = (await admin.get(path)).body;
    const mark = chunk.find(({ type }: { type: string }) => type === 'io.gatehouse.team.mark');
    return { set: mark.origin_server_ts - (mark.content.delay ?? 0), sent: mark.origin_server_ts };
  };
  const before = await times();
  await spoilRoom(admin);
  const { page: bob } = await team.open('bob', '/reports?report=1');
  await makeRoom(bob);
  await unreviewed(bob, 3);
  await ada.reload();
  await unreviewed(ada, 2);
  await joinRoom(ada);
  await unreviewed(ada, 2);
  await unreviewed(bob, 2);
  const after = await times();
  // What it took to be sent is no part of it, however slow that was.
  expect(Math.abs(after.set - before.set)).toBeLessThan((after.sent - before.sent) / 2);
});

test('marks that go along into another room keep the time of each, whatever waits beside them', async () => {
  await team.report(4);
  const admin = team.homeserver.as('admin');
  const { page: ada } = await team.open('admin', '/reports?report=1');
  await makeRoom(ada);
  const hour = 3_600_000;
  const old = encodeURIComponent(await roomId(admin));
  const marks = [
    { reports: [4], state: 'escalated', delay: 3 * hour },
    { reports: [2], state: 'escalated', delay: 2 * hour },
    { reports: [3], state: 'reviewed', delay: hour },
  ];
  for (const mark of marks) {
    await admin.put(`${client}/rooms/${old}/send/io.gatehouse.team.mark/${mark.delay}`, mark);
  }
  await unreviewed(ada, 1);
  await spoilRoom(admin);
  const { page: bob } = await team.open('bob', '/reports?report=1');
  await makeRoom(bob);
  await ada.reload();
  await ada.getByRole('button', { name: 'Join team' }).waitFor();
  await ada.getByRole('button', { name: 'Escalate', exact: true }).click();
  await ada.keyboard.press('Enter');
  await entry(ada, 'escalated this').waitFor();
  await joinRoom(ada);

  const hoursAgo = async () => {
    const path = `${client}/rooms/${encodeURIComponent(await roomId(admin))}/messages?dir=b&limit=100`;
    const { chunk } = (await admin.get(path)).body;
    const found: Record<number, number> = {};
    for (const { type, content, origin_server_ts } of chunk) {
      if (type !== 'io.gatehouse.team.mark') continue;
      for (const [index, reportId] of content.reports.entries()) {
        const setAt = origin_server_ts - (content.delays?.[index] ?? content.delay ?? 0);
        found[reportId] = Math.round((Date.now() - setAt) / hour);
      }
    }
    return found;
  };
  await expect.poll(hoursAgo).toEqual({ 1: 0, 2: 2, 3: 1, 4: 3 });
});

test('what is in the room and is not of its shape changes nothing', async () => {
  await team.report(2);
  const admin = team.homeserver.as('admin');
  const { page } = await team.open('admin', '/reports?report=2');
  await makeRoom(page);
  const send = (type: string, id: string, content: unknown) => async () =>
    admin.put(
      `${client}/rooms/${encodeURIComponent(await roomId(admin))}/send/io.gatehouse.team.${type}/${id}`,
      content,
    );
  const subject = { kind: 'report', id: 2 };
  const wrong = [
    send('mark', 'a', { reports: 'all', state: 'reviewed' }),
    send('mark', 'b', { reports: [2], state: '<img src=x>' }),
    send('mark', 'i', { reports: [-1, 0], state: 'escalated' }),
    send('note', 'c', { subject, text: 'x'.repeat(9000) }),
    send('note', 'd', { subject: { kind: 'report' }, text: 'nowhere' }),
    send('action', 'e', { action: 'erase' }),
    send('looking', 'f', { report: 'everything' }),
  ];
  for (const sending of wrong) expect((await sending()).status).toBe(200);
  const strange = { action: 'constructor', subject, reports: [], outcome: 'failed' };
  expect((await send('action', 'j', strange)()).status).toBe(200);
  expect((await send('note', 'k', { subject, text: 'W'.repeat(8000) })()).status).toBe(200);
  const shown = await send('note', 'g', { subject, text: '<b>bold</b> \u202egnp.exe' })();
  await entry(page, '<b>bold</b>').waitFor();
  await unreviewed(page, 2);
  await entry(page, '“constructor” failed').waitFor();
  await entry(page, 'WWW').getByRole('button', { name: 'Show all (8 kB)' }).waitFor();
  expect(await history(page).getByRole('listitem').count()).toBe(4);

  const path = `${client}/rooms/${encodeURIComponent(await roomId(admin))}/redact/${encodeURIComponent(shown.body.event_id)}/h`;
  expect((await admin.put(path, {})).status).toBe(200);
  await entry(page, '<b>bold</b>').waitFor({ state: 'detached' });
  await page.reload();
  for (const text of ['Reason 2', 'constructor', 'WWW']) await entry(page, text).waitFor();
  expect(await history(page).getByRole('listitem').count()).toBe(3);
  expect(team.problems).toEqual([]);
});

test('a long history shows its newest entries before the rest is there', async () => {
  await team.report(2);
  const admin = team.homeserver.as('admin');
  const { page } = await team.open('admin', '/reports?report=2');
  await makeRoom(page);
  await team.leave('admin');
  const path = `${client}/rooms/${encodeURIComponent(await roomId(admin))}/send/io.gatehouse.team`;
  const subject = { kind: 'report', id: 2 };
  await admin.put(`${path}.note/old`, { subject, text: 'The oldest' });
  await admin.put(`${path}.mark/older`, { reports: [1], state: 'escalated' });
  for (let id = 1; id <= 120; id++)
    await admin.put(`${path}.mark/${id}`, { reports: [1000 + id], state: 'open' });
  await admin.put(`${path}.note/new`, { subject, text: 'The newest' });

  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { page: again } = await team.open('admin', '/reports?report=2', {
    before: (opening) =>
      opening.route(/messages\?dir=b.*from=/, async (route) => {
        await held;
        await route.fallback();
      }),
  });
  await entry(again, 'The newest').waitFor();
  await note(again, 'Written meanwhile');
  await unreviewed(again, 2);
  expect(await entry(again, 'The oldest').count()).toBe(0);
  release();
  await entry(again, 'The oldest').waitFor();
  await unreviewed(again, 1);
});

test('of two administrators who make the room at the same moment, one joins the other’s', async () => {
  await team.report(2);
  const pages: Page[] = [];
  const both = Promise.withResolvers<void>();
  let making = 0;
  for (const person of ['admin', 'bob']) {
    const { page } = await team.open(person, '/reports?report=2');
    await page.route('**/createRoom', async (route) => {
      if (++making === 2) both.resolve();
      await both.promise;
      await route.fallback();
    });
    await page.getByRole('button', { name: 'Share with team…' }).click();
    pages.push(page);
  }
  await Promise.all(pages.map((page) => page.getByRole('button', { name: 'Create team room' }).click()));
  const later = await Promise.race(
    pages.map(async (page) => {
      await page.getByRole('button', { name: 'Join team' }).waitFor();
      return page;
    }),
  );
  await joinRoom(later);
  const [ada, bob] = pages as [Page, Page];
  await note(ada, 'One room');
  await entry(bob, 'One room').waitFor();
});

test('two administrators whom nobody has invited join at the same moment, and neither keeps power', async () => {
  await team.report(1);
  const admin = team.homeserver.as('admin');
  const { page: ada } = await team.open('admin', '/reports?report=1');
  await makeRoom(ada);
  await note(ada, 'Before the others');
  await expect.poll(async () => (await roomEvents(admin)).length).toBe(1);
  await team.leave('admin');
  const late = ['alice', 'carol'];
  for (const person of late)
    await admin.put(`/_service/admin/v1/users/@${person}:localhost/admin`, { admin: true });
  const pages: Page[] = [];
  const both = Promise.withResolvers<void>();
  let asking = 0;
  for (const person of late) {
    const { page } = await team.open(person, '/reports?report=1');
    // Each has read the room's power levels before either has given up its own.
    await page.route('**/state/m.room.power_levels', async (route) => {
      if (route.request().method() === 'GET') {
        const reply = await route.fetch();
        if (++asking === 2) both.resolve();
        if (asking <= 2) await both.promise;
        return route.fulfill({ response: reply });
      }
      return route.fallback();
    });
    await page.getByRole('button', { name: 'Join team' }).waitFor();
    pages.push(page);
  }
  await Promise.all(pages.map((page) => page.getByRole('button', { name: 'Join team' }).click()));
  for (const page of pages) await entry(page, 'Before the others').waitFor();
  const path = `${client}/rooms/${encodeURIComponent(await roomId(admin))}/state/m.room.power_levels`;
  await expect.poll(async () => (await admin.get(path)).body.users).toEqual({ '@admin:localhost': 100 });
  const [alice, carol] = pages as [Page, Page];
  await note(alice, 'Here we are');
  await entry(carol, 'Here we are').waitFor();
});

test('reports on users are marked, noted on and looked at together', async () => {
  const { homeserver } = team;
  for (const about of ['carol', 'alice']) {
    const path = `${client}/users/${encodeURIComponent(homeserver.as(about).userId)}/report`;
    expect((await homeserver.as('bob').post(path, { reason: `About ${about}` })).status).toBe(200);
  }
  const { page: ada } = await team.open('admin', '/reports/users/2');
  await makeRoom(ada);
  const { page: bob } = await team.open('bob', '/reports/users/2');
  await joinRoom(bob);
  for (const [page, other] of [
    [ada, '@bob:localhost'],
    [bob, '@admin:localhost'],
  ] as const) {
    // Beside the report, and in its row.
    const looker = page.getByRole('img', { name: `Also viewing: ${other}` });
    await expect.poll(() => looker.count(), { timeout: 20_000 }).toBe(2);
  }
  await note(bob, 'Seen by Bob');
  await entry(ada, 'Seen by Bob').waitFor();
  await bob.getByRole('button', { name: 'Resolve', exact: true }).click();
  await entry(ada, '@bob resolved this').waitFor();
  await unreviewed(ada, 1);
  await unreviewed(bob, 1);
  expect(team.problems).toEqual([]);
});

test('a colleague who is mentioned is told, and what is noted on a report is with its sender and other reports', async () => {
  await team.report(3);
  const admin = team.homeserver.as('admin');
  const { page: ada } = await team.open('admin', '/reports?report=3');
  await makeRoom(ada);
  const { page: bob } = await team.open('bob', '/settings');
  await joinRoom(bob);
  // Who is in the room is looked up when it is opened, and every minute.
  await ada.reload();
  await ada.getByRole('heading', { name: 'Report 3' }).waitFor();
  await ada.getByRole('listbox').focus();
  await ada.keyboard.press('!');
  const panel = ada.getByRole('dialog', { name: 'Escalate report 3' });
  await panel.getByRole('textbox', { name: 'Reason' }).fill('Known from May,');
  await panel.getByRole('button', { name: '@bob' }).click();
  await ada.keyboard.press('Enter');
  await panel.waitFor({ state: 'detached' });

  const mentions = bob.getByRole('complementary', { name: 'Mentions' });
  await mentions.getByText('@admin mentioned you on report 3').waitFor();
  const notes = (await roomEvents(admin)).filter(({ type }) => type.endsWith('.note'));
  expect(notes.map(({ content }) => content['m.mentions'])).toEqual([{ user_ids: ['@bob:localhost'] }]);
  await mentions.getByRole('link', { name: 'report 3' }).click();
  await mentions.waitFor({ state: 'detached' });
  const report = bob.getByRole('region', { name: 'Report', exact: true });
  await report.getByText(/^Escalated by @admin, /).waitFor();
  await report.getByRole('complementary').getByText('Known from May, @bob').waitFor();

  // Another report on the same person's messages, then the person.
  await bob.goto(`${team.homeserver.url}/console/reports?report=2`);
  await entry(bob, '@admin added a note to report 3').waitFor();
  await entry(bob, '@admin escalated report 3').waitFor();
  await bob.goto(`${team.homeserver.url}/console/users/${encodeURIComponent('@carol:localhost')}`);
  await entry(bob, 'Known from May, @bob').waitFor();
  await bob.getByText('2 entries').waitFor();
  expect(await mentions.count()).toBe(0);
  expect(team.problems).toEqual([]);
});

test('an open console offers the room soon after a colleague has made it', async () => {
  await team.report(1);
  const { page: bob } = await team.open('bob', '/reports?report=1', {
    hasClock: true,
  });
  await bob.getByRole('button', { name: 'Share with team…' }).waitFor();
  const { page: ada } = await team.open('admin', '/reports?report=1');
  await makeRoom(ada);
  await bob.clock.fastForward(10_000);
  await joinRoom(bob);
});

test('of a team’s room it is asked of each person in it whether they are an administrator, and seldom again', async () => {
  await team.report(2);
  const { page: ada } = await team.open('admin', '/reports?report=2');
  await makeRoom(ada);
  await team.leave('admin');
  const members = ['@admin:localhost', '@bob:localhost'];
  const asked: string[] = [];
  let looks = 0;
  const { page: bob } = await team.open('bob', '/reports?report=1', {
    hasClock: true,
    before: async (page) => {
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url());
        const [, whom] = /\/v2\/users(?:\/([^/]+))?$/.exec(pathname) ?? [];
        const about = whom === undefined ? search : decodeURIComponent(whom);
        if (about.includes('admins=') || members.includes(about)) asked.push(about);
        if (/\/v1\/rooms\/[^/]+\/state$/.test(pathname)) looks++;
      });
    },
  });
  await joinRoom(bob);
  await bob.getByRole('button', { name: 'Resolve', exact: true }).click();
  await unreviewed(bob, 1);
  await bob.getByRole('link', { name: 'Settings' }).click();
  await bob.getByText('Shared by 2 admins').waitFor();
  for (let minute = 1; minute <= 3; minute++) {
    const before = looks;
    await bob.clock.fastForward(60_000);
    await expect.poll(() => looks).toBeGreaterThan(before);
  }
  // Only administrators sign in: it isn't asked about oneself.
  expect(asked).toEqual(['@admin:localhost']);
});

test('who was an administrator is asked about again after ten minutes', async () => {
  await team.report(1);
  const { page } = await team.open('admin', '/settings', { hasClock: true });
  await makeRoom(page);
  const admin = team.homeserver.as('admin');
  const bob = team.homeserver.as('bob');
  await expect
    .poll(
      async () => (await bob.post(`${client}/join/${encodeURIComponent(await roomId(admin))}`, {})).status,
    )
    .toBe(200);
  // What is under way when the time leaps is given up, and asked for again a minute later.
  const seenWithinMinutes = (text: string) =>
    expect
      .poll(
        async () => {
          await page.clock.fastForward(60_000);
          return page.getByText(text).count();
        },
        { interval: 1_000 },
      )
      .toBe(1);
  await seenWithinMinutes('Shared by 2 admins');
  await admin.put('/_service/admin/v1/users/@bob:localhost/admin', { admin: false });
  await page.clock.fastForward(9 * 60_000);
  await seenWithinMinutes('Non-admins in the room: @bob:localhost.');
});

test('a start reads only what is new, and signing out leaves nothing of the room behind', async () => {
  await team.report(2);
  const admin = team.homeserver.as('admin');
  const { page } = await team.open('admin', '/reports?report=2');
  await makeRoom(page);
  const path = `${client}/rooms/${encodeURIComponent(await roomId(admin))}/send/io.gatehouse.team`;
  await page.goto('about:blank');
  for (let id = 1; id <= 250; id++) {
    await call(team.homeserver.url, 'PUT', `${path}.note/${id}`, admin.accessToken, {
      subject: { kind: 'report', id: 2 },
      text: `Note ${id}.`,
    });
  }
  await page.goto(`${team.homeserver.url}/console/reports?report=2`);
  await entry(page, 'Note 250.').waitFor();
  await page.getByRole('button', { name: 'Show all 251' }).click();
  const entriesKept = () =>
    new Promise<number>((resolve, reject) => {
      const opening = indexedDB.open('gatehouse.team.admin@team');
      opening.onsuccess = () => {
        const reading = opening.result.transaction('pieces').objectStore('pieces').getAll();
        reading.onsuccess = () => resolve(reading.result.flatMap(({ entries }) => entries).length);
        reading.onerror = () => reject(reading.error);
        opening.result.close();
      };
    });
  await expect.poll(() => page.evaluate(entriesKept)).toBeGreaterThanOrEqual(250);
  await page.reload({ waitUntil: 'commit' });
  const pages: string[] = [];
  page.on('request', (request) => void (/messages\?dir=b/.test(request.url()) && pages.push(request.url())));
  const upToDate = page.waitForResponse(/messages\?dir=f/);
  await page.getByRole('button', { name: 'Show all 251' }).click();
  await entry(page, 'Note 1.').waitFor();
  await upToDate;
  expect(pages.length).toBeLessThanOrEqual(1);

  const kept = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  expect(await kept()).toEqual(['gatehouse.team.admin@team']);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: /^Sign out of/ }).click();
  await page
    .getByRole('dialog', { name: /^Sign out of/ })
    .getByRole('button', { name: 'Sign out' })
    .click();
  await page.getByRole('textbox', { name: /address/i }).waitFor();
  await expect.poll(kept).toEqual([]);
});

test.each([
  ['no list of entries', { redacted: [] }],
  ['an entry that is none', { entries: [{ id: '$a', body: null }], redacted: [] }],
])('what a browser keeps of the room and makes no sense is read again: %s', async (_, piece) => {
  await team.report(1);
  const { page } = await team.open('admin', '/reports?report=1');
  await makeRoom(page);
  await note(page, 'Said before');
  const spoil = (spoilt: object) =>
    new Promise<number>((resolve, reject) => {
      const opening = indexedDB.open('gatehouse.team.admin@team');
      opening.onsuccess = () => {
        const changing = opening.result.transaction('pieces', 'readwrite');
        const pieces = changing.objectStore('pieces');
        const before = pieces.count();
        pieces.add(spoilt);
        changing.oncomplete = () => resolve(before.result);
        changing.onabort = () => reject(changing.error);
      };
    });
  // Something was kept of it by then.
  await expect.poll(() => page.evaluate(spoil, piece)).toBeGreaterThan(0);
  await page.reload();
  await entry(page, 'Said before').waitFor();
  await note(page, 'Said after');
  expect(team.problems).toEqual([]);
});
