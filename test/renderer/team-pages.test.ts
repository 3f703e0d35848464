/** Pages that show a team and its room. See team-room.test.ts for the consoles' requests. */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { inRoom, roomEvents, teamRoomId } from './team-consoles.ts';
import { teamUnderTest } from './team-under-test.ts';

const team = teamUnderTest();

const client = '/_chat/client/v3';
const as = (person: string) => team.homeserver.as(person);
const unreviewed = (page: Page, count: number) =>
  page.getByRole('status', { name: `${count} open` }).waitFor();
const history = (page: Page) => page.getByRole('region', { name: 'Activity' });
const entry = (page: Page, text: string) => history(page).getByRole('listitem').filter({ hasText: text });
const notice = (page: Page) => page.getByRole('complementary', { name: 'Team room' });

async function note(page: Page, text: string) {
  await history(page).getByRole('textbox', { name: 'Note' }).fill(text);
  await history(page).getByRole('button', { name: 'Add note' }).click();
  await entry(page, text).waitFor();
}

/** Sends an event to the team room, as a console would. */
const send = async (person: string, type: string, content: unknown) => {
  const path = `send/io.gatehouse.team.${type}/${crypto.randomUUID()}`;
  const { status, body } = await as(person).put(await inRoom(as(person), path), content);
  expect(status).toBe(200);
  return body.event_id as string;
};

async function deleteReport(page: Page, meanwhile?: () => Promise<unknown>) {
  await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete report' }).click();
  await meanwhile?.();
  const panel = page.getByRole('dialog', { name: 'Delete report' });
  await panel.getByRole('button', { name: 'Delete report' }).click();
}

test('two admins see each other’s statuses, notes and open reports', async () => {
  await team.report(3);
  await team.share('admin');
  const ada = await team.open('admin', '/reports?report=3');
  await unreviewed(ada, 3);
  await note(ada, 'Kept here first');
  await ada.getByRole('button', { name: 'Resolve', exact: true }).click();
  await unreviewed(ada, 2);

  const bob = await team.open('bob', '/reports?report=3');
  await bob.getByText('@admin:localhost created a team room').waitFor();
  await bob.getByRole('link', { name: 'Join team…' }).waitFor();
  await unreviewed(bob, 3);
  await bob.getByRole('button', { name: 'Join team' }).click();
  await notice(bob).waitFor({ state: 'detached' });
  await unreviewed(bob, 2);
  await entry(bob, 'Kept here first').waitFor();
  await entry(bob, '@admin resolved this').waitFor();

  await ada.goto(`${team.homeserver.url}/console/reports?report=3`);
  await bob.getByRole('img', { name: 'Also viewing: @admin:localhost' }).first().waitFor();
  await ada.getByRole('img', { name: 'Also viewing: @bob:localhost' }).first().waitFor();
  await bob.getByRole('button', { name: 'Reopen' }).click();
  await unreviewed(ada, 3);
  await entry(ada, '@bob reopened this').waitFor();
  expect(team.problems).toEqual([]);
});

test.each([
  ['that counts its administrators', 'Gatehouse', 1],
  ['that would read all its users for it', 'Synapse', 0],
])('statuses not shared with others are labeled so, on a server %s', async (_, name, most) => {
  await team.report(1);
  let asked = 0;
  const page = await team.open('admin', '/reports?report=1', async (opened) => {
    await opened.route('**/federation/v1/version', (route) =>
      route.fulfill({ json: { server: { name, version: '1.161.0' } } }),
    );
    await opened.route('**/v2/users?admins=true*', (route) => {
      asked++;
      return route.fallback();
    });
  });
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByRole('complementary', { name: 'Status not shared' }).waitFor();
  expect(asked).toBe(most);
});

test('the offer to share can be hidden and stays in Settings, where selected admins are invited', async () => {
  await team.report(2);
  let answer: 'fails' | 'endless' | 'real' = 'fails';
  const endless = { users: [{ name: '@admin:localhost', admin: true }], next_token: 'again' };
  const page = await team.open('admin', '/reports?report=2', (opened) =>
    opened.route('**/v2/users?admins=true*', (route) => {
      if (answer === 'endless') return route.fulfill({ json: endless });
      if (answer === 'real') return route.fallback();
      return route.fulfill({ status: 500, json: { errcode: 'M_UNKNOWN', error: 'The disk is full' } });
    }),
  );
  await page.getByRole('button', { name: 'Hide' }).first().click();
  await notice(page).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Settings' }).click();
  const share = page.getByRole('button', { name: 'Share with team…' });
  await share.click();
  await page.locator('[aria-label="Share with team"]:focus').waitFor();
  await page.getByRole('alert').filter({ hasText: 'The disk is full' }).waitFor();
  const create = page.getByRole('button', { name: 'Create team room' });
  expect(await create.count()).toBe(0);
  answer = 'endless';
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await page.getByText("You're the only admin.").waitFor();
  answer = 'real';
  await as('admin').put('/_service/admin/v1/users/@alice:localhost/admin', { admin: true });
  await page.getByRole('button', { name: 'Not now' }).click();
  await share.click();
  const box = (userId: string) => page.getByRole('checkbox', { name: userId });
  await box('@bob:localhost').check();
  expect(await box('@alice:localhost').isChecked()).toBe(false);
  await create.click();
  await page.getByText('Team room created, @bob:localhost invited').waitFor();
  await page.getByText('Shared with admins.').waitFor();
  const members = async () => {
    const { body } = await as('admin').get(await inRoom(as('admin'), 'members'));
    return (body.chunk as { state_key: string }[]).map(({ state_key }) => state_key).sort();
  };
  await expect.poll(members).toEqual(['@admin:localhost', '@bob:localhost']);
});

test("data that doesn't fit in browser storage is lost with the page, which warns and asks before closing", async () => {
  await team.report(2);
  const page = await team.open('admin', '/reports?report=2');
  await notice(page).getByText('Statuses and notes stay on this device').waitFor();
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError');
    };
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

test("a status for a deleted or nonexistent report isn't counted", async () => {
  await team.report(4);
  await team.homeserver.as('admin').delete('/_service/admin/v1/event_reports/2');
  await team.share('admin', 'bob');
  const ada = await team.openMember('admin', '/reports?report=4');

  await deleteReport(ada);
  await unreviewed(ada, 2);

  const admin = team.homeserver.as('admin');
  // The deletion and its author stay known.
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
  await send('admin', 'mark', { reports: [4], state: 'reviewed' });
  await send('admin', 'mark', { reports: [3_000_000], state: 'escalated' });
  const takenBack = async () =>
    (await roomEvents(admin))
      .filter(({ content }) => content.state === 'open')
      .flatMap(({ content }) => content.reports);
  await expect.poll(takenBack).toContain(4);
  // The deleted report 2 is below the newest number. This console has already checked for such marks.
  await send('bob', 'mark', { reports: [2], state: 'reviewed' });
  await expect.poll(takenBack).toContain(2);
  const queues = ada.getByRole('group', { name: 'Queues' });
  for (const name of ['Open 2', 'Escalated 0', 'Resolved 0']) {
    await queues.getByRole('button', { name }).waitFor();
  }
  await unreviewed(ada, 2);
});

test('the log marks a report that was already deleted', async () => {
  await team.report(1);
  const admin = team.homeserver.as('admin');
  const reported = `${client}/users/${encodeURIComponent(team.homeserver.as('carol').userId)}/report`;
  expect((await team.homeserver.as('bob').post(reported, { reason: 'Spam' })).status).toBe(200);
  await team.share('admin');
  const page = await team.openMember('admin', '/reports?report=1');
  await page.getByRole('toolbar', { name: 'Actions' }).waitFor();
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

test("Settings shows the state of the room and which members aren't admins", async () => {
  const admin = as('admin');
  await as('carol').post(`${client}/createRoom`, {
    ...{ room_alias_name: 'gatehouse-team', preset: 'private_chat' },
    creation_content: { type: 'io.gatehouse.team' },
  });
  const page = await team.open('admin', '/settings');
  await page.getByText("@carol:localhost moved the team room's alias").waitFor();
  await team.share('admin', 'bob');
  await send('bob', 'mark', { reports: [1], state: 'reviewed' });
  await page.reload();
  await page.getByText('Shared by 2 admins').waitFor();

  await page.route('**/rooms/*/messages**', (route) => route.abort());
  await page.reload();
  const retry = page.getByRole('button', { name: 'Retry', exact: true });
  await retry.waitFor();
  await page.unroute('**/rooms/*/messages**');
  await retry.click();
  await page.getByText('Shared by 2 admins').waitFor();

  await admin.put('/_service/admin/v1/users/@bob:localhost/admin', { admin: false });
  await page.reload();
  await page.getByText('Non-admins in the room: @bob:localhost.').waitFor();
  await page.getByText('1 status ignored: set by non-admins (@bob:localhost)').waitFor();
  await page.getByRole('button', { name: 'Kick from room' }).click();
  await page.getByText('Shared with admins.').waitFor();
  await page.getByRole('button', { name: 'Keep statuses as mine' }).click();
  const last = async () => (await roomEvents(admin)).at(-1);
  await expect.poll(last).toMatchObject({ sender: '@admin:localhost', content: { reports: [1] } });

  const levels = await inRoom(admin, 'state/m.room.power_levels');
  const { body } = await admin.get(levels);
  await admin.put(levels, { ...body, users: { ...body.users, '@carol:localhost': 50 } });
  const room = encodeURIComponent(await teamRoomId(admin));
  await page.reload();
  await page.getByText('Non-admins have elevated power levels in the team room: @carol:localhost.').waitFor();
  await admin.delete(`/_service/admin/v2/rooms/${room}`, {});
  await expect.poll(async () => (await admin.get(`/_service/admin/v1/rooms/${room}`)).status).toBe(404);
  await page.reload();
  await page.getByText('The team room was deleted').waitFor();
  expect(team.problems).toEqual([]);
});

test('entries of any length are shown as text, and redacted ones disappear', async () => {
  await team.report(2);
  await team.share('admin');
  const subject = { kind: 'report', id: 2 };
  await send('admin', 'mark', { reports: [2], state: '<img src=x>' });
  await send('admin', 'action', { action: 'constructor', subject, reports: [], outcome: 'failed' });
  await send('admin', 'note', { subject, text: 'W'.repeat(8000) });
  const shown = await send('admin', 'note', { subject, text: '<b>bold</b> \u202egnp.exe' });
  const page = await team.open('admin', '/reports?report=2');
  await entry(page, '<b>bold</b>').waitFor();
  await unreviewed(page, 2);
  await entry(page, '“constructor” failed').waitFor();
  await entry(page, 'WWW').getByRole('button', { name: 'Show all (8 kB)' }).waitFor();
  expect(await history(page).getByRole('listitem').count()).toBe(4);

  const redaction = await inRoom(as('admin'), `redact/${encodeURIComponent(shown)}/h`);
  expect((await as('admin').put(redaction, {})).status).toBe(200);
  await entry(page, '<b>bold</b>').waitFor({ state: 'detached' });
  await page.reload();
  for (const text of ['Reason 2', 'constructor', 'WWW']) await entry(page, text).waitFor();
  expect(await history(page).getByRole('listitem').count()).toBe(3);
  expect(team.problems).toEqual([]);
});

test('a colleague viewing a user report is shown on it and in its row, with note and status', async () => {
  for (const about of ['carol', 'alice']) {
    const path = `${client}/users/${encodeURIComponent(as(about).userId)}/report`;
    expect((await as('bob').post(path, { reason: `About ${about}` })).status).toBe(200);
  }
  await team.share('admin', 'bob');
  await send('bob', 'looking', { report: null, user_report: 2 });
  const page = await team.open('admin', '/reports/users/2');
  await page.getByRole('img', { name: 'Also viewing: @bob:localhost' }).waitFor();
  await page
    .getByRole('status')
    .filter({ hasText: /^bob is also viewing this/ })
    .waitFor();
  await unreviewed(page, 2);
  await send('bob', 'note', { subject: { kind: 'user_report', id: 2 }, text: 'Seen by Bob' });
  await send('bob', 'mark', { user_reports: [2], state: 'reviewed' });
  await entry(page, 'Seen by Bob').waitFor();
  await entry(page, '@bob resolved this').waitFor();
  await unreviewed(page, 1);
  expect(team.problems).toEqual([]);
});

test('a mentioned colleague is notified, and a note on a report shows at its sender and other reports', async () => {
  await team.report(3);
  const admin = team.homeserver.as('admin');
  await team.share('admin', 'bob');
  const ada = await team.openMember('admin', '/reports?report=3');
  const bob = await team.openMember('bob', '/settings');
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

  // First another report on the same user's messages, then the user.
  await bob.goto(`${team.homeserver.url}/console/reports?report=2`);
  await entry(bob, '@admin added a note to report 3').waitFor();
  await entry(bob, '@admin escalated report 3').waitFor();
  await bob.goto(`${team.homeserver.url}/console/users/${encodeURIComponent('@carol:localhost')}`);
  await entry(bob, 'Known from May, @bob').waitFor();
  expect(await mentions.count()).toBe(0);
  expect(team.problems).toEqual([]);
});

test('@ in a note suggests colleagues, and Enter inserts one', async () => {
  await team.report(1);
  await team.share('admin', 'bob');
  const page = await team.openMember('admin', '/reports?report=1');
  const field = history(page).getByRole('textbox', { name: 'Note' });
  const bob = page.getByRole('option', { name: '@bob' });
  await field.pressSequentially('Again: @B');
  await bob.waitFor();
  await field.press('Escape');
  await bob.waitFor({ state: 'detached' });
  await field.press('o');
  await bob.waitFor();
  await field.press('Enter');
  await field.pressSequentially('please');
  await field.press('Control+Enter');
  await entry(page, 'Again: @bob please').waitFor();
});

test('the arrow keys choose one of the suggested colleagues, around both ends', async () => {
  await as('admin').put('/_service/admin/v1/users/@alice:localhost/admin', { admin: true });
  await team.report(1);
  await team.share('admin', 'bob', 'alice');
  const page = await team.openMember('admin', '/reports?report=1');
  const field = history(page).getByRole('textbox', { name: 'Note' });
  await field.pressSequentially('@');
  const options = page.getByRole('listbox', { name: 'Mention' }).getByRole('option');
  await expect.poll(() => options.count()).toBe(2);
  const chosen = () => options.evaluateAll((all) => all.map((each) => each.ariaSelected));
  expect(await chosen()).toEqual(['true', 'false']);
  for (const [key, expected] of [
    ['ArrowUp', ['false', 'true']],
    ['ArrowDown', ['true', 'false']],
    ['ArrowDown', ['false', 'true']],
    ['ArrowUp', ['true', 'false']],
  ] as const) {
    await field.press(key);
    await expect.poll(chosen).toEqual(expected);
  }
});

test("a colleague's new entry leaves the form for an appeal open", async () => {
  await team.share('admin', 'bob');
  const path = `/users/${encodeURIComponent('@carol:localhost')}`;
  const ada = await team.openMember('admin', path);
  const bob = await team.openMember('bob', path);
  await ada.getByRole('button', { name: /^Suspend user/ }).click();
  await ada.getByRole('dialog').getByRole('button', { name: 'Suspend user' }).click();
  await ada.getByRole('button', { name: 'Record appeal…' }).click();
  const text = ada.getByLabel('Text as received');
  await text.fill('I did nothing');
  await note(bob, 'She asked me, too');
  await ada.getByRole('listitem').filter({ hasText: 'She asked me, too' }).waitFor();
  expect(await text.inputValue()).toBe('I did nothing');
});

test('a start reads only new entries, and signing out deletes all data of the room', async () => {
  await team.report(2);
  const admin = team.homeserver.as('admin');
  await team.share('admin');
  const path = await inRoom(admin, 'send/io.gatehouse.team');
  for (let id = 1; id <= 250; id++) {
    await admin.put(`${path}.note/${id}`, { subject: { kind: 'report', id: 2 }, text: `Note ${id}.` });
  }
  const page = await team.open('admin', '/reports?report=2');
  await entry(page, 'Note 250.').waitFor();
  await page.getByRole('button', { name: 'Show all 251' }).click();
  const entriesKept = () =>
    new Promise<number>((resolve, reject) => {
      const opening = indexedDB.open('gatehouse.team.admin@team');
      opening.onsuccess = () => {
        const reading = opening.result.transaction('pieces').objectStore('pieces').getAll();
        reading.onsuccess = () => resolve(reading.result.flatMap((text) => JSON.parse(text).entries).length);
        reading.onerror = () => reject(reading.error);
        opening.result.close();
      };
    });
  await expect.poll(() => page.evaluate(entriesKept)).toBe(250);
  await page.reload({ waitUntil: 'commit' });
  const pages: string[] = [];
  page.on('request', (request) => void (/messages\?dir=b/.test(request.url()) && pages.push(request.url())));
  const upToDate = page.waitForResponse(/messages\?dir=f/);
  await page.getByRole('button', { name: 'Show all 251' }).click();
  await entry(page, 'Note 1.').waitFor();
  await upToDate;
  expect(pages.length).toBeLessThanOrEqual(1);
  expect(await page.evaluate(entriesKept)).toBe(250);

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

test('invalid cached data of the room is read again', async () => {
  await team.report(1);
  await team.share('admin');
  const page = await team.open('admin', '/reports?report=1');
  await note(page, 'Said before');
  const spoil = (spoilt: string) =>
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
  const noList = { redacted: [] };
  const noEntry = { entries: [{ id: '$a', body: null }], redacted: [] };
  const pieces = ['{', ...[noList, noEntry].map((piece) => JSON.stringify(piece))];
  for (const [index, piece] of pieces.entries()) {
    // The page has cached something by then.
    await expect.poll(() => page.evaluate(spoil, piece)).toBeGreaterThan(0);
    await page.reload();
    await entry(page, 'Said before').waitFor();
    await note(page, `Said after, ${index}`);
  }
  expect(team.problems).toEqual([]);
});

test('the newest entries are shown while the rest of the cache is read, without counting open reports', async () => {
  await team.report(1);
  await team.share('admin');
  const page = await team.open('admin', '/reports?report=1');
  await note(page, 'Said before');
  const cached = () =>
    new Promise<string>((resolve, reject) => {
      const opening = indexedDB.open('gatehouse.team.admin@team');
      opening.onsuccess = () => {
        const reading = opening.result.transaction('head').objectStore('head').get('room');
        reading.onsuccess = () => resolve(JSON.stringify(reading.result?.newest));
        reading.onerror = () => reject(reading.error);
        opening.result.close();
      };
    });
  await expect.poll(() => page.evaluate(cached)).toContain('Said before');
  // A transaction isn't complete before its last request.
  await page.addInitScript(() => {
    const { getAll } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.getAll = function (...given) {
      const wait = () => {
        if (sessionStorage.getItem('read') === null) this.get(0).onsuccess = wait;
      };
      wait();
      return getAll.apply(this, given);
    };
  });
  await page.route(/messages\?/, () => {});
  await page.reload();
  await entry(page, 'Said before').waitFor();
  expect(await page.getByRole('status', { name: '1 open' }).count()).toBe(0);
  await page.evaluate(() => sessionStorage.setItem('read', 'yes'));
  await unreviewed(page, 1);
});
