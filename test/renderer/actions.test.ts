import { describe, expect, test } from 'vitest';
import { call } from '../server/homeserver.ts';
import { acting } from './acting.ts';
import { testedDialect } from './tested-dialect.ts';

const admin = '/_service/admin';
const enc = encodeURIComponent;

describe(`in the ${testedDialect} dialect`, () => {
  const on = acting(testedDialect);
  const asAdmin = () => on.homeserver.as('admin');

  test('an event is redacted with its edits by keyboard, and the next report opens', async () => {
    const { page } = on;
    const scene = await on.scene({ messages: 2 });
    const [first, second] = scene.reportIds;
    const edit = (body: string) => ({
      msgtype: 'm.text',
      body: `* ${body}`,
      'm.new_content': { msgtype: 'm.text', body },
      'm.relates_to': { rel_type: 'm.replace', event_id: scene.eventIds[1] },
    });
    const edits: string[] = [];
    for (const body of ['Worse', 'Worst']) {
      const path = `${scene.room}/send/m.room.message/${body}`;
      edits.push((await scene.asUser('PUT', path, edit(body))).body.event_id);
    }
    const others = await on.homeserver
      .as('bob')
      .put(`${scene.room}/send/m.room.message/other`, edit('No edit of theirs'));
    await on.open(`/reports?report=${second}`);
    await page.getByRole('heading', { name: `Report ${second}` }).waitFor();
    await on.ready();

    await page.keyboard.press('r');
    const panel = await on.panel();
    await panel.getByText('You lack the required power level in this room.').waitFor();
    await panel.getByText("Undo doesn't revert your power level.").waitFor();
    await on.takePower();
    await page.keyboard.press('/');
    await panel.getByRole('option', { name: 'Spam', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');

    await on.said('Event redacted');
    await page.getByRole('heading', { name: `Report ${first}` }).waitFor();
    expect(await on.content(scene, scene.eventIds[1] ?? '')).toEqual({});
    expect(await on.content(scene, scene.eventIds[0] ?? '')).toMatchObject({ body: 'Message 1' });
    for (const id of edits) expect(await on.content(scene, id)).toEqual({});
    expect(await on.content(scene, others.body.event_id)).toMatchObject({ body: '* No edit of theirs' });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('role')))
      .toBe('listbox');
    expect(await on.log()).toContainEqual({
      type: 'action',
      action: 'redact-event',
      subject: { kind: 'event', roomId: scene.roomId, eventId: scene.eventIds[1] },
      reports: [second],
      reason: 'Spam',
      outcome: 'done',
      detail: 'with 2 edits',
    });
  });

  test('an action on a report resolves it, its undo reopens it, and this is optional', async () => {
    const { page } = on;
    const scene = await on.scene({ messages: 2 });
    const [first, second] = scene.reportIds;
    const unreviewed = async () => Number(/^\((\d+)\)/.exec(await page.title())?.[1]);
    await on.open(`/reports?report=${second}`);
    await on.ready();
    await expect.poll(unreviewed).toBeGreaterThan(1);
    const before = await unreviewed();
    await on.choose(/^Suspend user/);
    expect(await page.getByRole('checkbox', { name: 'Resolve this report' }).isChecked()).toBe(true);
    await page.keyboard.press('Enter');
    await on.said(`${scene.userId} suspended`);
    await page.getByRole('heading', { name: `Report ${first}` }).waitFor();
    await expect.poll(unreviewed).toBe(before - 1);
    await page.keyboard.press('U');
    await expect.poll(unreviewed).toBe(before);

    await on.choose(/^Lock user/);
    await page.getByRole('checkbox', { name: 'Resolve this report' }).uncheck();
    await page.getByRole('button', { name: 'Lock user' }).press('Enter');
    await on.said(`${scene.userId} locked`);
    await on.choose(/^Shadow-ban user/);
    await expect
      .poll(() => page.getByRole('checkbox', { name: 'Resolve this report' }).isChecked())
      .toBe(false);
    expect(await unreviewed()).toBe(before);
  });

  test('all messages of a user are redacted, with a row that links to the task and survives a reload', async () => {
    const { page } = on;
    const scene = await on.scene({ messages: 3 });
    // The report filter doesn't apply to tasks.
    await on.open(`/reports?report=${scene.reportIds[0]}&text=reported`);
    await page.getByText('Not redacted or edited.').waitFor();
    await on.choose(/^Redact all messages/);
    await page.getByLabel(/^Resolve th(is|ese \d+) report/).uncheck();
    await page.keyboard.press('Enter');
    const row = on.tray().getByRole('article');
    // From now on the page knows the task's ID.
    await row.getByRole('link', { name: 'Task' }).waitFor();
    // The open report shows it.
    await page.getByRole('strong').filter({ hasText: 'Redacted.' }).waitFor();
    await page.reload();
    await on
      .tray()
      .getByRole('article', { name: `Messages of ${scene.userId} redacted` })
      .waitFor();
    for (const eventId of scene.eventIds) expect(await on.content(scene, eventId)).toEqual({});
    await row.getByRole('link', { name: 'Task' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/console/tasks');
    expect(new URL(page.url()).searchParams.get('text')).toBeNull();
    await page.getByRole('row').filter({ hasText: 'redact_all_events' }).first().waitFor();
    await on
      .tray()
      .getByRole('button', { name: /^Dismiss/ })
      .click();
    await on.tray().waitFor({ state: 'detached' });
  });

  test("a new password is shown once, works, and isn't stored", async () => {
    const { page } = on;
    const scene = await on.scene();
    // The menu of a report has no account administration.
    await on.open(`/reports?report=${scene.reportIds[0]}`);
    await on.ready();
    await page.keyboard.press('m');
    await page.getByRole('menuitem', { name: /^Deactivate user/ }).waitFor();
    expect(await page.getByRole('menuitem', { name: /^Reset password/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await on.open(`/users/${enc(scene.userId)}`);
    await on.choose(/^Reset password/);
    await page.keyboard.press('Enter');
    const shown = page.getByRole('status', { name: 'New password' });
    const password = (await shown.textContent()) ?? '';
    expect(password.length).toBeGreaterThanOrEqual(20);
    const login = await call(on.homeserver.url, 'POST', '/_chat/client/v3/login', undefined, {
      type: 'm.login.password',
      identifier: { type: 'm.id.user', user: scene.userId },
      password,
    });
    expect(login.status).toBe(200);
    expect((await scene.asUser('GET', '/_chat/client/v3/account/whoami')).status).toBe(401);

    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]),
    );
    expect(kept).not.toContain(password);
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(password);
  });

  test('an account is deactivated and erased', async () => {
    const { page } = on;
    const scene = await on.scene();
    await on.open(`/users/${enc(scene.userId)}`);
    const suspending = await on.choose(/^Suspend user/);
    await suspending.getByRole('button', { name: 'Suspend user' }).press('Enter');
    await on.said(`${scene.userId} suspended`);
    const panel = await on.choose(/^Deactivate user/);
    await panel.getByText("Sessions, memberships, addresses and keys can't be restored.").waitFor();
    await panel.getByRole('checkbox', { name: 'Also erase' }).check();
    await panel.getByRole('textbox', { name: /^Type .* to confirm/ }).fill(scene.userId);
    await panel.getByRole('button', { name: 'Deactivate user' }).press('Enter');
    await on.said(`${scene.userId} deactivated`);
    await on.bar().getByRole('button', { name: 'Reactivate user' }).waitFor();
    expect(await on.user(scene.userId)).toMatchObject({ deactivated: true, erased: true });
    expect(await page.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
    // The earlier suspension isn't undone either.
    await page.keyboard.press('z');
    await on.said("Can't be undone");
    await page.keyboard.press('z');
    await on.said('Nothing to undo');
  });

  /** Uploads media as Carol. Returns its address and the reply to a download by Alice. */
  async function upload(bytes = '') {
    const { homeserver } = on;
    const picture =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const uploaded = await fetch(`${homeserver.url}/_chat/media/v3/upload?filename=a.png`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${homeserver.as('carol').accessToken}`,
        'content-type': 'image/png',
      },
      body: Buffer.concat([Buffer.from(picture, 'base64'), Buffer.from(bytes)]),
    });
    const { content_uri: uri } = (await uploaded.json()) as { content_uri: string };
    const path = `/_chat/client/v1/media/download/${uri.slice('mxc://'.length)}`;
    return { uri, download: async () => (await homeserver.as('alice').get(path)).status };
  }

  test('a report shows that its image is quarantined and by whom, and the same key releases it', async () => {
    const { page } = on;
    const { uri, download } = await upload('said');
    const content = { msgtype: 'm.image', body: 'a.png', url: uri };
    const scene = await on.scene({ content });
    const report = `/reports?report=${scene.reportIds[0]}`;
    await on.open(report);
    await on.ready();
    await page.keyboard.press('q');
    await on.panel();
    await page.keyboard.press('Enter');
    await on.said('Media quarantined');

    await page.goto(`${on.homeserver.url}/console${report}`);
    const message = page.getByRole('article', { name: 'Reported message' });
    await message.getByText(`Quarantined by ${asAdmin().userId}`).waitFor();
    await on.ready();
    await page.keyboard.press('m');
    await page.getByRole('menuitem', { name: /^Remove from quarantine/ }).waitFor();
    expect(await page.getByRole('menuitem', { name: /^Quarantine media/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    // An explicit request still shows the image.
    await message.getByRole('button', { name: /^Show image/ }).click();
    await message.getByRole('img', { name: 'a.png' }).waitFor();

    await page.keyboard.press('q');
    await on.panel();
    await page.keyboard.press('Enter');
    await on.said('Media removed from quarantine');
    expect(await download()).toBe(200);
    await page.goto(`${on.homeserver.url}/console${report}`);
    await message.getByText('Click to show').waitFor();
    expect(await message.getByText('Quarantined by').count()).toBe(0);
  });

  test('an image and its thumbnail show their states and the remaining actions', async () => {
    const { page } = on;
    const [picture, thumbnail] = [await upload('picture'), await upload('thumbnail')];
    await asAdmin().post(`${admin}/v1/media/quarantine/${picture.uri.slice('mxc://'.length)}`, {});
    const info = { thumbnail_url: thumbnail.uri };
    const scene = await on.scene({ content: { msgtype: 'm.image', body: 'a.png', url: picture.uri, info } });
    await on.open(`/reports?report=${scene.reportIds[0]}`);
    const panel = await on.choose(/^Quarantine media/);
    await panel.getByText(`File: Quarantined by ${asAdmin().userId}`).waitFor();
    await panel.getByText('Thumbnail: Accessible').waitFor();
    await page.keyboard.press('Enter');
    await on.said('Media quarantined');
    expect([await picture.download(), await thumbnail.download()]).toEqual([404, 404]);

    await page.goto(`${on.homeserver.url}/console/reports?report=${scene.reportIds[0]}`);
    await page.getByText('Quarantined by').first().waitFor();
    const both = await on.choose(/^Remove 2 media from quarantine/);
    await both.getByText(`Thumbnail: Quarantined by ${asAdmin().userId}`).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('m');
    await page.getByRole('menuitem', { name: /^Remove 2 media from quarantine/ }).waitFor();
    expect(await page.getByRole('menuitem', { name: /^Quarantine media/ }).count()).toBe(0);
  });

  test('media actions are offered for selected reports', async () => {
    const { page } = on;
    const { uri, download } = await upload('selected');
    const scene = await on.scene({ messages: 2, content: { msgtype: 'm.image', body: 'a.png', url: uri } });
    await on.open(`/reports?room=${enc(scene.roomId)}`);
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('a');
    const bar = page.getByRole('toolbar', { name: 'Actions' }).first();
    await bar.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: /^Quarantine media/ }).press('Enter');
    await on.panel();
    await page.keyboard.press('Enter');
    await on.said('Media quarantined');
    expect(await download()).toBe(404);
  });

  test('a room is purged and blocked after its name is typed, with its evidence held', async () => {
    const { page } = on;
    const scene = await on.scene();
    const block = async () =>
      (await asAdmin().get(`${admin}/v1/rooms/${enc(scene.roomId)}/block`)).body.block;
    await on.open(`/rooms/${enc(scene.roomId)}`);
    const panel = await on.choose(/^Delete room/);
    await page.keyboard.press('Control+Enter');
    await panel.getByText("Doesn't match yet").waitFor();
    expect((await asAdmin().get(`${admin}/v1/rooms/${enc(scene.roomId)}`)).status).toBe(200);
    expect(await panel.getByRole('checkbox', { name: /^Hold evidence first/ }).isChecked()).toBe(true);
    await panel.getByRole('textbox', { name: `Type ${scene.name} to confirm` }).fill(scene.name);
    await page.keyboard.press('Control+Enter');
    await on
      .tray()
      .getByRole('article', { name: `${scene.name} deleted` })
      .waitFor();
    expect((await asAdmin().get(`${admin}/v1/rooms/${enc(scene.roomId)}`)).status).toBe(404);
    expect(await block()).toBe(true);
    await page.goto(`${on.homeserver.url}/console/reports/evidence`);
    await page.getByText(/^Evidence held by @admin .*: 1 message$/).waitFor();
  });
});
